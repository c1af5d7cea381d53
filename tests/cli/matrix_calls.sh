# How often each verb opens a file below the results, or asks about one, for a cell: what a study costs on a file system
# that many machines share. Counted at the kernel (support/fault.c); docs/running.md shows the numbers.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed -i 's/seeds: 3/seeds: 12/; s/^    zip: .*/    zip: [{backend: native, hardware: any, threads: 1}, {backend: openblas, hardware: any, threads: 2, blas_kernel: Haswell}]/' small.yaml
cells=48
fault=$SB_BUILD/bin/fault
"$fault" --below "$PWD" --log calls --looks yes -- true 2>fault.out || { cat fault.out; exit 77; }
mkdir results none

# costs OPENS ASKS CHANGES FOLDER COMMAND...: so many a cell at most, and a few for all of them
costs() {
    local code=0 folder=$4 limits="$1 $2 $3" command="${*:5}"
    shift 4
    "$fault" --below "$PWD/$folder" --log calls --looks yes -- "$@" >said 2>&1 || code=$?
    [ $code = 0 ] || [ $code = 3 ] || { cat said; echo "FAILED: $command -> $code"; exit 1; }
    awk -v n=$cells -v limits="$limits" -v command="$command" '
        BEGIN { split(limits, limit) }
        $2 ~ /^open/ { made[1]++; next }
        $2 ~ /stat|access|readlink/ { made[2]++; next }
        $2 ~ /unlink|rename|mkdir|creat/ { made[3]++ }
        END {
            for (i = 1; i <= 3; i++) failed = failed || made[i] > limit[i] * n + 6
            printf "%s: %.2f opens, %.2f questions, %.2f changes a cell: %s\n", failed ? "FAILED" : "ok", made[1] / n, made[2] / n, made[3] / n, command
            exit failed
        }' calls
}

# ---- nothing was run ----
costs 1 1 0 none $matrix status -f small.yaml --results none
costs 1 1 0 none $matrix plan -f small.yaml --results none

# ---- all was run: a stamp beside each, and from the first look on one list ----
FAKE_SKETCH=native $matrix run -f small.yaml -j 2 2>run.err
count 1 "^run: $cells complete\$" run.err
costs 1 1 0 results $matrix status -f small.yaml
costs 0 1 0 results $matrix status -f small.yaml
costs 0 1 0 results $matrix plan -f small.yaml
costs 0 2 2 results $matrix run -f small.yaml

# ---- tables: each file is opened once, and those with sketches once more ----
costs 1.5 1.5 0 results $matrix collect -f small.yaml -o out
count 49 . out/cells.csv
cp out/SHA256SUMS sums
rm results/runs/stamps.ok
costs 2.5 1.5 0 results $matrix collect -f small.yaml -o out
same sums out/SHA256SUMS

# ---- other times and inodes, as of results that were copied: read in full, and written down again ----
cp -r results/runs copy
rm -r results/runs
mv copy results/runs
costs 5.5 2.5 0 results $matrix collect -f small.yaml -o out
same sums out/SHA256SUMS
costs 0 1 0 results $matrix status -f small.yaml

# ---- a run that was begun is asked for its journal; a lock, whether it is held ----
one=$(find results -name '*.h5' | head -1)
rm "$one"
touch "${one%.h5}.lock"
costs 0 1 0 results $matrix status -f small.yaml
expect 3 '^missing +1$' $matrix status -f small.yaml
