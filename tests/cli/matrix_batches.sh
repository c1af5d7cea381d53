# Batches by optimiser: the page's numbers are those of cells.csv, lines have what belongs to them, and a choice of rates is none.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >m.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 64 --test 50 --seed 1}]
defaults: {model: mlp, data: digits, hardware: any, backend: native, widths: 16, epochs: 3, target: copy, threads: 1}
studies:
  - {name: sgd-32, seeds: 5, options: {optimizer: momentum-buffer, batch: 32, lr: '0.2'}}
  - {name: sgd-8, seeds: 6, options: {optimizer: momentum-buffer, batch: 8, lr: '0.1'}}
  - {name: adam-8, seeds: 2, options: {optimizer: adam, batch: 8}}
  - {name: adam-32, seeds: 2, options: {optimizer: adam, batch: 32}}
  - {name: local-32, seeds: 2, options: {optimizer: momentum-buffer, batch: 32, shards: 4, sync_every: 2}}
  - {name: lamb-8-a, seeds: 1, options: {optimizer: lamb, batch: 8, lr: '0.01'}}
  - {name: lamb-8-b, seeds: 1, options: {optimizer: lamb, batch: 8, lr: '0.02'}}
  - {name: lamb-32, seeds: 1, options: {optimizer: lamb, batch: 32}}
END
expect 0 '^run: 20 complete' samebits-matrix run -f m.yaml --data data --engine none
expect 0 '20 of 20 cells' samebits-matrix collect -f m.yaml --data data -o out

# printed LABEL: its text
printed() { samebits-report trace "$1" -i out 2>/dev/null | sed -n 's/^  printed   //p'; }
# errors STUDY: percent of wrong images, seed by seed
errors() { awk -F, -v study="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["study"] == study { print $at["seed"], 100 * (1 - $at["accuracy"]) }' out/cells.csv | sort -n; }
mean() { awk '{ sum += $NF } END { printf "%.2f", sum / NR }'; }
for study in sgd-8 sgd-32 adam-8 adam-32 local-32; do
    said=$(printed "batch.$study.native.error")
    [ "${said%% *}" = "$(errors $study | mean)" ] || { echo "FAILED: $study: $said"; exit 1; }
done
for optimiser in sgd adam; do # from the same starts: the sixth of sgd-8 has no partner
    said=$(printed "batch.$optimiser-32.native.rise")
    wanted=$(join <(errors $optimiser-8) <(errors $optimiser-32) | awk '{ print $3 - $2 }' | mean)
    [ "${said%% *}" = "$wanted" ] || { echo "FAILED: $optimiser rises by $said, wanted $wanted"; exit 1; }
done
printed batch.sgd-32.native.rise | grep -q '\[.*, .*\]' # five pairs have an interval,
if printed batch.adam-32.native.rise | grep -q '\['; then exit 1; fi # and two have none
[ -z "$(printed batch.sgd-8.native.rise)$(printed batch.local-32.native.rise)" ] # the smallest batch of a line rises over none
[ -z "$(printed batch.lamb-32.native.error)" ] # two rates of one batch are a choice

expect 0 '' samebits-report write --only figures -i out -o figures
[ -s figures/batches.svg ]
[ -s figures/batches-narrow.svg ]
svg_check figures/batches*.svg
expect 0 '' samebits-report write -i out -o page
grep -q 'href="#batch-sizes"' page/index.html
grep -q ' id="batches"' page/index.html
[ "$(grep -c 'momentum-buffer, 2 local steps' page/index.html)" -ge 1 ]
[ -z "$(grep -oE ' id="[^"]*"' page/index.html | sort | uniq -d)" ]

# One batch alone, or nothing but choices, is no figure.
expect 0 '' samebits-matrix collect -f m.yaml --data data -n lamb -o rates
expect 0 '' samebits-report write --only figures -i rates -o rates-figures
[ ! -e rates-figures/batches.svg ]
