# collect --with: cells of another machine's tables among those of this one, so that the tables are those of one machine.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

cat >two.yaml <<'END'
hardware: hw.yaml
claims: claims.yaml
data: [{name: walk, make: synth walk --seed 1}]
defaults: {model: prednet, data: walk, channels: '3,8', backend: native, hardware: any, threads: 1, updates: 4}
studies:
  - name: p
    seeds: 2
    axes: {target: [copy, shared]}
    zip:
      - {arithmetic: direct}
      - {backend: openblas, blas_kernel: Haswell}
  - {name: u, options: {arithmetic: direct, target: copy}, axes: {ulp: [1]}, seeds: 2}
END
cat >claims.yaml <<'END'
claims:
  - {name: alike, by: me, text: They are alike., of: {study: p, target: shared}, over: {study: p, target: copy}, relation: greater, metric: loss_last}
END
export FAKE_SKETCH=/
run="$matrix run -f two.yaml"
$run --results all >run.log 2>&1
$run --results there -n openblas -n '^u/' >run.log 2>&1
$run --results here -n '^p/.*/native/' >run.log 2>&1

expect 0 '^whole: 10 of 10 cells' $matrix collect -f two.yaml --results all -o whole
expect 0 '^far: 6 of 10 cells, 4 not finished' $matrix collect -f two.yaml --results there -o far
expect 0 '^near: 4 of 10 cells, 6 not finished' $matrix collect -f two.yaml --results here -o near
expect 0 '^out: 10 of 10 cells, 0 not finished, 0 damaged$' $matrix collect -f two.yaml --results here --with far -o out
also '^out: 6 of them collected elsewhere$'
for table in cells curves timing registrations baselines; do same out/$table.csv whole/$table.csv; done
count 1 '^collected elsewhere,far,6 cells; SHA256SUMS [0-9a-f]{64}$' out/coverage.csv
count 1 '^complete,10,$' out/coverage.csv
(cd out && sha256sum --quiet -c SHA256SUMS)

# Pairs of which one run is there and one here nobody could measure; all others are those of one machine.
sort whole/distances.csv >all.txt
sort out/distances.csv >joined.txt
sort far/distances.csv near/distances.csv | uniq >apart.txt
same joined.txt apart.txt
[ -z "$(comm -13 all.txt joined.txt)" ]
grep -q ',target,' joined.txt

# What is here wins, a second folder fills what is left, and the tables may be the ones that are replaced.
expect 0 '^out: 4 of them collected elsewhere$' $matrix collect -f two.yaml --results there --with whole -o out
expect 0 '^out: 10 of 10 cells' $matrix collect -f two.yaml --results none --with near --with far -o out
count 1 '^collected elsewhere,near,4 cells;' out/coverage.csv
count 1 '^collected elsewhere,far,6 cells;' out/coverage.csv
same out/cells.csv whole/cells.csv
same out/baselines.csv whole/baselines.csv
expect 0 '^near: 10 of 10 cells' $matrix collect -f two.yaml --results there --with near -o near
same near/cells.csv whole/cells.csv

# Rows of an older program, whose curves do not name their cells, are named here.
cp -r far older
cut -d, -f1-4 far/curves.csv >older/curves.csv
(cd older && rm SHA256SUMS && sha256sum ./*.csv claims.yaml | sed 's#\./##' >SHA256SUMS)
expect 0 '^named: 10 of 10 cells' $matrix collect -f two.yaml --results here --with older -o named
same named/curves.csv out/curves.csv

# The reports take such tables as complete.
expect 0 'alike' "$SB_BUILD/bin/samebits-report" claims -i out

# A folder that holds no results, one that was changed, one of another study
mkdir empty
expect 2 '^empty/SHA256SUMS: No such file' $matrix collect -f two.yaml --results here --with empty -o no
cp -r far changed
sed -i 's/,0\.5,/,0.6,/' changed/curves.csv
expect 7 '^changed/curves.csv: ' $matrix collect -f two.yaml --results here --with changed -o no
rm changed/SHA256SUMS
sed -i 's/^name,hash/name,label/' changed/cells.csv
(cd changed && sha256sum ./*.csv claims.yaml | sed 's#\./##' >SHA256SUMS)
expect 7 "^changed/cells.csv:1: .*hash" $matrix collect -f two.yaml --results here --with changed -o no
absent no
$matrix run -f small.yaml --results other >run.log 2>&1
expect 0 '^other6: 6 of 6' $matrix collect -f small.yaml --results other -o other6
expect 0 '^mixed: 4 of 10 cells, 6 not finished' $matrix collect -f two.yaml --results here --with other6 -o mixed
also '^mixed: 0 of them collected elsewhere$'
