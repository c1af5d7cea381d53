# What happens around a run: its file is edited, another file holds the same cell. matrix_disk_full has a full disk.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal

# ---- edited during the run: it goes on with what it read, and says so ----
FAKE_HANG=copy/s001 $matrix run -f small.yaml >edited.log 2>&1 &
runner=$!
wait_for grep -q '^start     p/walk/native/any/copy/s001' edited.log
sed -i 's/updates: 12/updates: 14/' small.yaml
touch go
code=0
wait $runner || code=$?
[ $code = 3 ]
count 6 '^complete ' edited.log
edited='edited during the run, which used the content of the start'
count 1 "^small.yaml: $edited; 'samebits-matrix status -f small.yaml' shows what is left to run$" edited.log
expect 3 '^stale +6$' $matrix status -f small.yaml
sed -i 's/updates: 14/updates: 12/' small.yaml
expect 0 '^complete +6$' $matrix status -f small.yaml
rm -rf results journal go

# ---- the same cell in two matrix files, run at once: trained once ----
sed 's/\[copy, shared\]/[copy]/; s/seeds: 3/seeds: 2/' small.yaml >part.yaml
FAKE_HANG=copy/s001 $matrix run -f small.yaml >one.log 2>&1 &
one=$!
wait_for grep -q '^start     p/walk/native/any/copy/s001' one.log
$matrix run -f part.yaml >two.log 2>&1 &
two=$!
wait_for grep -q '^waiting for 1 cell that another process runs$' two.log
touch go
wait $one
wait $two
count 6 '^begin ' journal
count 1 '^complete  p/walk/native/any/copy/s001 /[0-9a-f]{8}  by another process$' two.log
expect 0 '^complete +2$' $matrix status -f part.yaml
