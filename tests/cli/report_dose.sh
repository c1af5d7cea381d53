# The effect of the buffer by the length of the window: drawn from three lengths on, of the longest series of one recipe.
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >m.yaml <<'END'
hardware: hardware.yaml
data: [{name: walk, make: synth walk --size 16x16 --frames 60 --seed 1}]
defaults: {model: prednet, data: walk, updates: 2, channels: '3,4'}
studies:
  - {name: w1, options: {window: 1}, seeds: 2, axes: &both {target: [copy, shared]}, zip: &here [{backend: native, hardware: any, threads: 1}]}
  - {name: w4, options: {window: 4}, seeds: 2, axes: *both, zip: *here}
  - {name: w10, options: {window: 10}, seeds: 2, axes: *both, zip: *here}
  - {name: rate, options: {window: 7, lr: 0.002}, seeds: 2, axes: *both, zip: *here}
END
draw() {
    samebits-matrix run -f m.yaml --engine none >run.log 2>&1 || { cat run.log; exit 1; }
    samebits-matrix collect -f m.yaml -o out >run.log 2>&1 || { cat run.log; exit 1; }
    rm -rf figures
    samebits-report write --only figures -i out --runs results -o figures >said.txt 2>&1 || { cat said.txt; exit 1; }
}
draw
for file in figures/dose.svg figures/dose-narrow.svg figures/dose.gp; do [ -s "$file" ]; done
# two pairs of each of three lengths, and their means, for both losses; the run of another rate is not among them
[ "$(grep -c '^last-frame loss,measured,' figures/dose.csv)" = 6 ]
[ "$(grep -c '^window-mean loss,mean,' figures/dose.csv)" = 3 ]
# the pairs are drawn left of their mean; the table has the windows that were run
[ "$(awk -F, '$2 == "measured" { print $3 }' figures/dose.csv | sort -nu | tr '\n' ' ')" = '1 4 10 ' ]
[ "$(sed -n '/^$measured_1 << END/,/^END/p' figures/dose.gp | awk '$1 == 1 || $1 == 4 || $1 == 10' | wc -l)" = 0 ]
grep -q '^set xtics (1, 4, 10)' figures/dose.gp
samebits-report write -i out --runs results -o page >said.txt 2>&1 || { cat said.txt; exit 1; }
tr -s ' \n' '  ' <page/index.html | grep -q 'With a window of 1 both have the same bits' || { echo "FAILED: the caption is silent about equal bits"; exit 1; }

sed -i '/name: w4/d' m.yaml
draw
absent figures/dose.svg
echo "ok: three lengths make a figure, two do not"
