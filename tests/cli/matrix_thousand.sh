# A thousand cells expand, are listed, planned and looked at with less than a second of computing each, and ten thousand
# still work. CPU time is held against the limit: the machine may be busy with other things.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed -i 's/seeds: 3/seeds: 500/' small.yaml
sed 's/seeds: 500/seeds: 5000/' small.yaml >big.yaml

# timed MS COMMAND...
timed() {
    local limit=$1 code=0 TIMEFORMAT='%U %S' spent
    shift
    { time "$@" >timed.out 2>/dev/null || code=$?; } 2>spent.out
    spent=$(tail -1 spent.out | awk '{ printf "%d", 1000 * ($1 + $2) }')
    echo "$spent ms: $*"
    [ "$spent" -lt "$limit" ] || { echo "FAILED: more than $limit ms"; exit 1; }
    return $code
}
timed 1000 $matrix list -f small.yaml
count 1000 . timed.out
timed 1000 $matrix plan -f small.yaml
count 1 '^all +1000 +0 +1000$' timed.out
timed 1000 $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^missing +1000$' timed.out
timed 1000 $matrix run -f small.yaml --dry-run
count 1001 '^mkdir' timed.out
$matrix run -f small.yaml -n 's00[1-9]|s0[1-4]' -j 2 2>/dev/null
timed 1000 $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^complete +98$' timed.out
timed 1000 $matrix plan -f small.yaml --order round-robin
count 1 '^p/walk/native/any +measured +1000 +98 +902 ' timed.out
timed 500 $matrix collect -f small.yaml -o out # a tenth of the cells, a tenth of five seconds
count 99 . out/cells.csv

timed 10000 $matrix plan -f big.yaml --results other
count 1 '^all +10000 +0 +10000$' timed.out
timed 10000 $matrix status -f big.yaml --results other || [ $? = 3 ]
count 1 '^missing +10000$' timed.out
