# A thousand cells expand, list and show their status in less than a second each; running one costs less than 50 ms.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed -i 's/seeds: 3/seeds: 500/' small.yaml

# timed LIMIT_MS COMMAND...
timed() {
    local limit=$1 start=$EPOCHREALTIME code=0
    shift
    "$@" >timed.out 2>/dev/null || code=$?
    local ms=$(((${EPOCHREALTIME/./} - ${start/./}) / 1000))
    echo "$ms ms: $*"
    [ $ms -lt $limit ] || { echo "FAILED: more than $limit ms"; exit 1; }
    return $code
}
timed 1000 $matrix list -f small.yaml
count 1000 . timed.out
timed 1000 $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^missing +1000$' timed.out
timed 1000 $matrix run -f small.yaml --dry-run
count 1001 . timed.out
timed 4900 $matrix run -f small.yaml -n 's00[1-9]|s0[1-4]' -j 2
timed 1000 $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^complete +98$' timed.out
