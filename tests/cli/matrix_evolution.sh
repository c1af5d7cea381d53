# collect and report of runs without gradients: generations.csv and parents.csv, as the run files have it, and the
# figures of them.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >m.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 40 --seed 1}]
defaults: {model: mlp, data: digits, hardware: any, backend: native, widths: 16, batch: 8, updates: 4, target: copy, threads: 1,
           population: 7, truncation: 2, sigma: 0.02, noise_table: 20000}
studies:
  - {name: ga, seeds: 2, options: {search: deep-ga}}
  - {name: random, seeds: 1, options: {search: random-search}}
  - {name: adam, seeds: 1, options: {search: gradient}}
END
expect 0 '^run: 4 complete' samebits-matrix run -f m.yaml --data data --engine none
expect 0 '4 of 4 cells' samebits-matrix collect -f m.yaml --data data -o out
(cd out && sha256sum --quiet -c SHA256SUMS)
grep -q ' generations.csv$' out/SHA256SUMS
[ "$(head -1 out/generations.csv)" = hash,generation,elite,best,median,worst,chosen,refused,gap ]
[ "$(wc -l <out/generations.csv)" = 13 ] # three runs of four generations; none by gradients
hash_of() { grep "^$1/" out/cells.csv | cut -d, -f2; }
expect 0 '^0 1 2 3$' sh -c "grep '^$(hash_of ga | head -1),' out/generations.csv | cut -d, -f2 | paste -sd' '"
awk -F, 'NR > 1 && !($4 <= $5 && $5 <= $6) { exit 1 }' out/generations.csv
awk -F, -v h="$(hash_of ga | head -1)" '$1 == h && !($7 <= $8) { exit 1 }' out/generations.csv
expect 0 '^4$' grep -c "^$(hash_of random),[0-3],[0-9-]*,[0-9.]*,[0-9.]*,[0-9.]*,,,\$" out/generations.csv
# the best of a generation is the loss of its update
paste -d, <(grep "^$(hash_of ga | head -1)," out/generations.csv | cut -d, -f4) \
    <(grep "^$(hash_of ga | head -1)," out/curves.csv | cut -d, -f3) | awk -F, '$1 != $2 { exit 1 }'

# two parents of each generation of Deep GA, best first, all but those of the first with a parent in the one before
[ "$(head -1 out/parents.csv)" = hash,generation,rank,individual,parent ]
grep -q ' parents.csv$' out/SHA256SUMS
[ "$(wc -l <out/parents.csv)" = 17 ]
awk -F, 'NR > 1 { key = $1 "," $2; there[key "," $4] = 1; n[key]++
        if ($3 != n[key] - 1 || ($2 == 0) != ($5 == -1)) exit 1
        if ($2 > 0 && !($1 "," ($2 - 1) "," $5 in there)) exit 1 }' out/parents.csv
# the best of a generation is its elite
diff <(awk -F, '$3 == 0 { print $1, $2, $4 }' out/parents.csv) \
    <(awk -F, -v random="$(hash_of random)" 'NR > 1 && $1 != random { print $1, $2, $3 }' out/generations.csv)

expect 0 '' samebits-report write --only figures -i out -o figures
[ -s figures/fitness.svg ]
[ -s figures/fitness-narrow.svg ]
[ -s figures/family.svg ]
[ -s figures/family-narrow.svg ]
svg_check figures/fitness*.svg figures/family*.svg
[ ! -e figures/turns.svg ] # one arm has nothing to be held against
expect 0 'ga: deep-ga, native' cat figures/fitness.gp
also 'random: random-search, native'
expect 0 'page/index.html' samebits-report write -i out -o page
[ "$(grep -c '#generations' page/index.html)" = 1 ]
[ -s page/figures/fitness.svg ]
expect 0 'out.tar.gz' samebits-report export -i out -o out.tar.gz
expect 0 'again' samebits-report import out.tar.gz -o again
same again/generations.csv out/generations.csv
same again/parents.csv out/parents.csv

# a selection without such cells has no such table, nor figure; a row that names no cell is told
expect 0 '1 of 1 cells' samebits-matrix collect -f m.yaml --data data -n adam/ -o adam
absent adam/generations.csv
expect 0 '' samebits-report write --only figures -i adam -o plain
absent plain/fitness.svg
sed -i '2s/^[0-9a-f]*/0badc0de/' out/generations.csv
(cd out && sha256sum *.csv >SHA256SUMS)
expect 7 "^out/generations.csv:2: no cell of cells.csv has the hash '0badc0de'" samebits-report write --only figures -i out -o figures

# An elite that stays for generations is its own parent all the time.
cat >fresh.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 40 --seed 1}]
defaults: {model: mlp, data: digits, hardware: any, backend: native, widths: 16, batch: 8, updates: 30, target: copy, threads: 1,
           population: 12, truncation: 6, sigma: 0.05, noise_table: 20000, hold_out: 8, elite: fresh, fitness_batch: fresh}
studies:
  - {name: fresh, seeds: 1, options: {search: deep-ga}}
END
samebits-matrix run -f fresh.yaml --data data --engine none >/dev/null 2>&1
samebits-matrix collect -f fresh.yaml --data data -o fresh >/dev/null 2>&1
awk -F, 'FNR == NR { if (FNR > 1) elite[$2] = $3; next }
    FNR > 1 && $2 > 0 && $4 == 0 { n++; if ($5 != (elite[$2 - 1] < 0 ? 0 : elite[$2 - 1])) exit 1; stayed += elite[$2 - 1] < 0 }
    END { exit !(n > 0 && stayed > 0) }' fresh/generations.csv fresh/parents.csv
