# A thousand cells expand, are listed, planned, looked at and collected, and ten thousand still work, in proportion: ten
# times the cells may cost 40 times the computing, where work that grows with the square costs 100 times.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed -i 's/seeds: 3/seeds: 500/' small.yaml
sed 's/seeds: 500/seeds: 5000/' small.yaml >big.yaml

# timed COMMAND...: run it, and leave the milliseconds of computing in $spent
timed() {
    local code=0 TIMEFORMAT='%U %S'
    { time "$@" >timed.out 2>/dev/null || code=$?; } 2>spent.out
    spent=$(tail -1 spent.out | awk '{ printf "%d", 1000 * ($1 + $2) }')
    echo "$spent ms: $*"
    return $code
}
# in_proportion SMALL BIG: milliseconds of a thousand cells and of ten thousand; below 20 they say nothing
in_proportion() {
    [ "$2" -lt $((40 * ($1 > 20 ? $1 : 20))) ] || { echo "FAILED: $1 ms for a tenth of the cells, then $2 ms"; exit 1; }
}
timed $matrix list -f small.yaml
count 1000 . timed.out
timed $matrix plan -f small.yaml
plan=$spent
count 1 '^all +1000 +0 +1000$' timed.out
timed $matrix status -f small.yaml || [ $? = 3 ]
status=$spent
count 1 '^missing +1000$' timed.out
timed $matrix run -f small.yaml --dry-run
count 1001 '^mkdir' timed.out
$matrix run -f small.yaml -n 's00[1-9]|s0[1-4]' -j 2 2>/dev/null
timed $matrix status -f small.yaml || [ $? = 3 ]
count 1 '^complete +98$' timed.out
timed $matrix plan -f small.yaml --order round-robin
count 1 '^p/walk/native/any +measured +1000 +98 +902 ' timed.out
timed $matrix collect -f small.yaml -o out
count 99 . out/cells.csv

timed $matrix plan -f big.yaml --results other
in_proportion $plan $spent
count 1 '^all +10000 +0 +10000$' timed.out
timed $matrix status -f big.yaml --results other || [ $? = 3 ]
in_proportion $status $spent
count 1 '^missing +10000$' timed.out

# A whole study, run, collected, collected once more and shown: 60 cells here, as many as SB_TEST_CELLS says elsewhere.
# Memory: what the cells themselves take, not their curves; of the page, which shows the curves, these too.
cells=${SB_TEST_CELLS:-60}
sed "s/seeds: 500/seeds: $((cells / 4))/; s/^    zip: .*/    zip: [{backend: native, hardware: any, threads: 1}, {backend: openblas, hardware: any, threads: 2, blas_kernel: Haswell}]/" \
    small.yaml >whole.yaml
measured() { # LIMIT_KIB COMMAND...
    local limit=$1 kib
    shift
    /usr/bin/time -o measured.out -f '%U %S %M' "$@" >/dev/null 2>measured.err || { cat measured.err; exit 1; }
    kib=$(tail -1 measured.out | awk '{ print $3 }')
    echo "$(tail -1 measured.out | awk '{ printf "%.1f s of computing, %d KiB", $1 + $2, $3 }'): $*"
    [ -n "$(sed -n 's/^SB_SANITIZE:STRING=//p' "$SB_BUILD/CMakeCache.txt")" ] || [ "$kib" -lt "$limit" ] ||
        { echo "FAILED: more than $limit KiB"; exit 1; }
}
if command -v /usr/bin/time >/dev/null; then
    measured $((20000 + 2 * cells)) $matrix run -f whole.yaml --results all -j 2
    count 1 "^run: $cells complete\$" measured.err
    measured $((20000 + 2 * cells)) $matrix status -f whole.yaml --results all
    measured $((20000 + 2 * cells)) $matrix plan -f whole.yaml --results all
    measured $((20000 + 2 * cells)) $matrix run -f whole.yaml --results all
    measured $((20000 + 2 * cells)) $matrix collect -f whole.yaml --results all -o all
    count 1 "^all: $cells of $cells cells, 0 not finished, 0 damaged$" measured.err
    count $((cells + 1)) . all/cells.csv
    (cd all && sha256sum --quiet -c SHA256SUMS)
    measured $((20000 + 2 * cells)) $matrix collect -f whole.yaml --results all -o all
    measured $((60000 + 30 * cells)) samebits-report write -i all -o all/page
else
    echo "left out: memory, without the program time"
fi
