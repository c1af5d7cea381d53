# Cells whose arithmetic imitates a GPU are imitated, not measured: in list and doctor, in the tables, in claims, numbers
# and the page. Trained in earnest: the evidence of a run is that of its file.
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 77; }
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >claims.yaml <<'CLAIMS'
claims:
  - name: imitated-alike
    by: us
    text: A GPU's arithmetic, imitated, ends like the plain sums.
    of: {arithmetic: imitate-gpu, target: copy}
    over: {arithmetic: direct, target: copy}
    relation: equivalent
    metric: loss_last
CLAIMS
cat >imitated.yaml <<'END_OF_MATRIX'
hardware: hardware.yaml
data: [{name: digits, make: synth digits --images 60 --seed 1}]
defaults: {model: autoencoder, data: digits, backend: native, hardware: any, hidden: 8, batch: 4, updates: 10, target: copy}
studies:
  - {name: plain, seeds: 2, options: {arithmetic: direct}}
  - {name: gpu, seeds: 2, options: {arithmetic: imitate-gpu}}
  - {name: again, seeds: 2, options: {arithmetic: imitate-gpu}, axes: {draw: [1, 2]}}
END_OF_MATRIX
expect 0 '^plain/digits/native/any/copy/s001 .* measured$' samebits-matrix list -f imitated.yaml
also '^gpu/digits/native/any/copy/s001 .* imitated$'
expect 0 'run: 8 complete' samebits-matrix run -f imitated.yaml --data data
expect 0 '8 of 8 cells' samebits-matrix collect -f imitated.yaml --data data -o out
value() { awk -F, -v row="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } $1 == row { print $at }' out/cells.csv; }
[ "$(value plain/digits/native/any/copy/s001 evidence)" = measured ]
for cell in gpu/digits/native/any/copy/s002 again/digits/native/any/copy/s002d01; do
    [ "$(value $cell evidence)" = imitated ]
    [ "$(value $cell arithmetic)" = imitate-gpu ]
done
[ "$(value gpu/digits/native/any/copy/s001 draw)" = 0 ]
[ "$(value again/digits/native/any/copy/s001d01 draw)" = 1 ]
[ "$(value gpu/digits/native/any/copy/s001 weights)" != "$(value again/digits/native/any/copy/s001d01 weights)" ]
[ "$(value again/digits/native/any/copy/s001d02 weights)" != "$(value again/digits/native/any/copy/s001d01 weights)" ]

# Where a study stands in the tables, so does its evidence; a comparison is as strong as its weaker side.
samebits-report write --only numbers -i out -o numbers >numbers.log 2>&1
samebits-report write --only tables -i out -o tables >tables.log 2>&1
expect 0 '^gpu,digits,native,imitate-gpu,any,imitated,' cat tables/arms.csv
also '^plain,digits,native,direct,any,measured,'
label=$(sed -n 's/^\(gpu[^,]*loss-last[^,]*\),.*,imitated,.*/\1/p' numbers/numbers.csv | head -1)
expect 0 '^  evidence  imitated$' samebits-report trace "$label" -i out
expect 0 ', n = 2, p = 0.5, imitated$' samebits-report claims -i out --claims claims.yaml
expect 0 '"evidence": "imitated"' samebits-report claims -i out --claims claims.yaml --json
samebits-report write -i out -o page --claims claims.yaml >page.log 2>&1
expect 0 'Imitated: computed on a CPU with rules of a GPU' cat page/index.html
also '2 runs, 2 imitated'
sed -i '2s/,measured,/,remembered,/' out/cells.csv
seal out
expect 7 "evidence .*'remembered'" samebits-report write --only numbers -i out -o numbers
