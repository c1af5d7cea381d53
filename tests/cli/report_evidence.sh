# results/evidence, whose claims were registered in its runs: verdicts and pictures are what its tables give.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
cp -r "$SB_SOURCE/results" .
ln -s "$SB_SOURCE/matrix" .
evidence=results/evidence claims="--claims matrix/evidence.claims.yaml"

expect 0 'registered before its runs' samebits-report claims -i $evidence $claims --csv said
same said/claims.csv $evidence/claims.csv
same said/components.csv $evidence/components.csv
# No rule was changed behind the runs: of no claim that has runs they all are older than it.
if grep -q ',formulated after its runs,' $evidence/claims.csv; then fail "a claim is not registered in its runs"; fi

samebits-report write --only figures -i $evidence -o figures >drawn.txt 2>&1 || { cat drawn.txt; exit 1; }
if [ "$(gnuplot --version)" = 'gnuplot 5.4 patchlevel 4' ]; then
    for picture in $evidence/*.svg; do same figures/"${picture##*/}" "$picture"; done
fi
