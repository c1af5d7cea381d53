# compare on made results: each verdict, each form, each exit code.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
fake_results theirs --settings 2 --seeds 8 --updates 20 --no-runs

# mine FACTOR SPREAD: their cells with other weights, losses times FACTOR and up to SPREAD percent apart by seed
mine() {
    rm -rf mine; cp -r theirs mine
    awk -F, -v OFS=, -v f="$1" -v s="$2" '
        NR > 1 { for (i = 22; i < 24; i++) $i *= f * (1 + s / 100 * (($12 * 7) % 5 - 2) / 2); $24 = "0ff" $24 }
        1' theirs/cells.csv >mine/cells.csv
    seal mine
}
compare() { samebits-report compare mine theirs "$@"; }

expect 2 'wants MINE REFERENCE' samebits-report compare theirs
expect 2 '^nowhere: no such folder' samebits-report compare theirs nowhere
mkdir -p empty
expect 5 '^empty: holds no cells.csv' samebits-report compare theirs empty
# Tables of an older version on one side.
rm -rf old; cp -r theirs old; sed -i '1s/,data_digest,/,digest,/' old/cells.csv; seal old
expect 7 "^old/cells.csv:1: no column 'data_digest'; collect again" samebits-report compare theirs old
expect 2 "margin wants a ratio above 1" samebits-report compare theirs theirs --margin 0.5
expect 2 "fail-on wants one of" samebits-report compare theirs theirs --fail-on anything

expect 0 '^4 same bits; last-frame loss$' \
    samebits-report compare theirs theirs --fail-on undetermined

mine 1 2
expect 0 '^4 equivalent' compare --margin 1.05 --fail-on undetermined
# Without an ensemble and without --margin nothing can be called equivalent.
expect 6 '4 of 4 comparisons are undetermined' compare
expect 6 'no one-ulp ensemble of prednet 3 8 on walk, 20 updates' compare

# Networks that do not classify have no share of wrong images.
expect 6 '^4 undetermined' compare --metric error
mine 1.3 2
expect 0 '^different  prednet/native copy' compare --margin 1.05
expect 1 '4 of 4 comparisons are different' compare --fail-on different
expect 0 'mine over theirs 1\.30[0-9]? \[1\.[0-9]+, 1\.[0-9]+\], n = 8, adjusted p 0.0312, smallest detectable 1.0' compare

# One seed says nothing, whatever the difference.
for side in mine theirs; do
    rm -rf one_$side; cp -r $side one_$side
    sed -i -E '/\/s00[2-8],/d' one_$side/cells.csv
    for file in curves timing; do
        awk -F, 'NR == FNR { kept[$2] = 1; next } FNR == 1 || $1 in kept' \
            one_$side/cells.csv $side/$file.csv >one_$side/$file.csv
    done
    seal one_$side
done
expect 6 'one pair says nothing about spread' samebits-report compare one_mine one_theirs --margin 1.05

# All forms, the same again to the byte, and the figure.
expect 0 '^mine,against,differs_in,verdict,' compare --format csv -o out
expect 0 '^\| different \| prednet/native copy \|' compare --format markdown
expect 0 '"verdict": "different"' compare --format json -o again
grep -q '"p_equivalent": null' again/compare.json
[ "$(wc -l <out/compare.csv)" = 5 ]
expect 0 '^mine,against,differs_in,verdict,' cat out/compare.csv
for file in compare{.txt,.csv,.json,.md,.gp,.svg,-narrow.svg}; do same out/$file again/$file; done

# The nearest arm, where mine ran on another machine.
mine 1.3 2
sed -i 's/,openblas,gemm,i5-4590,emulated,/,cudnn,cudnn,rtx-9090,measured,/' mine/cells.csv; seal mine
expect 0 'against prednet/native copy; differs in: backend, machine; measured' compare -o out

# Published numbers: with a spread a test, without one no verdict.
mkdir -p published
cat >published/theirs.yaml <<'END'
title: made up
source: nobody
date: '2020'
kind: measured
records:
  - {label: made.far, what: a loss, value: '0.1', sd: '0.001', n: '5', cell: {backend: native, target: copy}}
  - {label: made.alone, what: a loss, value: '0.1', n: '1', cell: {backend: native, target: copy}}
END
expect 0 'against made.far; differs in: published; published' compare --published published
grep -A3 'against made.alone' expect.out | grep -q 'the source gives no spread between runs'
grep -B1 'against made.far' expect.out | grep -q '^different'
echo '  - {label: made.wrong, what: a loss, value: low}' >>published/theirs.yaml
expect 2 "^published/theirs.yaml:8: value wants a number, not 'low'" compare --published published
rm -r published

# Results that have nothing in common: another matrix, other data.
mine 1 2
sed -i 's/,feedfeed,/,c0ffee00,/' mine/cells.csv; seal mine
expect 5 'share no recipe, so nothing can be compared: .* \(data c0ffee00\) here, .* \(data feedfeed\) there' compare
# One arm missing: the rest is compared, the gap is said.
mine 1 2
sed 's/,feedfeed,/,c0ffee00,/' mine/cells.csv >other.csv
{ grep -v openblas mine/cells.csv; grep openblas other.csv; } >joined.csv; mv joined.csv mine/cells.csv; seal mine
expect 6 'skipped: prednet/openblas copy: the reference has no condition of this recipe and target' compare

# A table that somebody wrote into is not compared.
mine 1 2
sed -i '2s/,0\.0/,0.1/' mine/cells.csv
expect 7 '^mine/cells.csv: changed since it was collected' compare
