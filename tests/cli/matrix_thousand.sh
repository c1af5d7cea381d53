# A thousand cells expand, are listed, planned and looked at with less than a second of computing each, and ten thousand
# still work. CPU time is held against the limit: the machine may be busy with other things.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed -i 's/seeds: 3/seeds: 500/' small.yaml
sed 's/seeds: 500/seeds: 5000/' small.yaml >big.yaml

# Each run file is read by a process of its own, and starting one is many times dearer under the sanitizers.
slower=1
if grep -q '^SB_SANITIZE:[A-Z]*=.' "$SB_BUILD/CMakeCache.txt"; then slower=10; fi

# timed MS COMMAND...
timed() {
    local limit=$(($1 * slower)) code=0 TIMEFORMAT='%U %S' spent
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

# A whole study, run and collected: 60 cells here, as many as SB_TEST_CELLS says elsewhere (9000 took 46 s of computing to
# run, half of it in the stand-in trainers, and 14 s to collect). Memory: what the cells themselves take, not their curves.
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
    count 1 "^run: $cells complete, 0 failed" measured.err
    measured $((20000 + 2 * cells)) $matrix status -f whole.yaml --results all
    measured $((20000 + 2 * cells)) $matrix plan -f whole.yaml --results all
    measured $((20000 + 2 * cells)) $matrix collect -f whole.yaml --results all -o all
    count 1 "^all: $cells of $cells cells, 0 not finished, 0 damaged$" measured.err
    count $((cells + 1)) . all/cells.csv
    (cd all && sha256sum --quiet -c SHA256SUMS)
else
    echo "left out: memory, without the program time"
fi
