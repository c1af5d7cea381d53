# collect and report of runs with layer-wise optimisers: trust.csv, as the run files have it, and the figure of it.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >m.yaml <<'END'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 40 --seed 1}]
defaults: {model: mlp, data: digits, hardware: any, backend: native, widths: 16, batch: 8, epochs: 3, target: copy, threads: 1}
studies:
  - {name: lamb, seeds: 2, options: {optimizer: lamb}}
  - {name: lars, seeds: 1, options: {optimizer: lars-average}}
  - {name: adam, seeds: 1, options: {optimizer: adam}}
END
expect 0 '^run: 4 complete' samebits-matrix run -f m.yaml --data data --engine none
expect 0 '4 of 4 cells' samebits-matrix collect -f m.yaml --data data -o out
(cd out && sha256sum --quiet -c SHA256SUMS)
grep -q ' trust.csv$' out/SHA256SUMS
[ "$(head -1 out/trust.csv)" = hash,epoch,tensor,weight_norm,direction_norm,ratio ]
[ "$(wc -l <out/trust.csv)" = 37 ] # three runs of three epochs and four tensors; none by Adam
hash_of() { grep "^$1/" out/cells.csv | cut -d, -f2; }
lamb=$(hash_of lamb | head -1) lars=$(hash_of lars)
expect 0 '^dense1/w dense1/b dense2/w dense2/b$' sh -c "grep '^$lamb,2,' out/trust.csv | cut -d, -f3 | paste -sd' '"
# of lamb a bias has the ratio 1; any other ratio is that of the two norms
awk -F, -v lamb="$lamb" -v lars="$lars" 'function near(a, b) { return a - b < 1e-6 * b && b - a < 1e-6 * b }
    $1 == lamb && $3 ~ /b$/ && $6 != 1 { exit 1 }
    (($1 == lamb && $3 ~ /w$/) || $1 == lars) && $4 > 0 { n++; if (!near($6, $4 / $5)) exit 1 }
    END { if (n < 15) exit 1 }' out/trust.csv

expect 0 '' samebits-report write --only figures -i out -o figures
[ -s figures/trust.svg ]
[ -s figures/trust-narrow.svg ]
[ "$(grep -c ',range,' figures/trust.csv)" = 8 ]
expect 0 '' samebits-report write -i out -o page
grep -q 'href="#layer-rates"' page/index.html
grep -q ' id="layer-rates"' page/index.html
grep -q ' id="trust"' page/index.html
[ -z "$(grep -oE ' id="[^"]*"' page/index.html | sort | uniq -d)" ] # no two things of one name
# nothing that is wanted of such runs: no table, no figure
expect 0 '1 of 1 cells' samebits-matrix collect -f m.yaml --data data -n adam -o plain
[ ! -e plain/trust.csv ]
expect 0 '' samebits-report export -i out -o out.tar.gz
expect 0 '' samebits-report import out.tar.gz -o theirs
cmp out/trust.csv theirs/trust.csv
