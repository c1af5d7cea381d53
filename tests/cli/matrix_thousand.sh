# A thousand cells expand, list and show their status in less than a second each.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed -i 's/seeds: 3/seeds: 500/' small.yaml

# timed COMMAND...
timed() {
    local start=$EPOCHREALTIME code=0
    "$@" >timed.out 2>/dev/null || code=$?
    local ms=$(((${EPOCHREALTIME/./} - ${start/./}) / 1000))
    echo "$ms ms: $*"
    [ $ms -lt 1000 ] || { echo "FAILED: more than a second"; exit 1; }
    return $code
}
timed $matrix list -f small.yaml
count 1000 . timed.out
timed $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^missing +1000$' timed.out
timed $matrix run -f small.yaml --dry-run
count 1001 . timed.out
$matrix run -f small.yaml -n 's00[1-9]|s0[1-4]' -j 2 2>/dev/null
timed $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^complete +98$' timed.out
