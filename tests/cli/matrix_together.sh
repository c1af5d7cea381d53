# Two runners on one folder: each cell is trained once.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal
sed -i 's/seeds: 3/seeds: 20/' small.yaml

$matrix run -f small.yaml -j 3 >one.log 2>&1 &
one=$!
$matrix run -f small.yaml -j 3 >two.log 2>&1 &
two=$!
wait $one
wait $two
count 40 '^begin ' journal
count 0 '^dup' <(sort journal | uniq -d | sed 's/^/dup /')
expect 0 '^complete +40$' $matrix status -f small.yaml
count 1 '^synth' data.log
[ "$(find results -name '*.lock' | wc -l)" = 0 ]
