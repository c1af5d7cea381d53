# A study of a network that classifies: its accuracy in the table and on the page, its loss by its name; a table that
# contradicts itself or the run file is told. Beside it an autoencoder, which has neither.
echo 'hardware: [{name: any}]' >hw.yaml
cat >m.yaml <<'END'
hardware: hw.yaml
data:
  - {name: digits, make: synth digits --images 64 --test 20 --seed 1}
defaults: {data: digits, hardware: any, backend: native, threads: 1, target: copy}
studies:
  - {name: classes, seeds: 2, options: {model: mlp, widths: '8,6', batch: 32, lr: 0.03, epochs: 3}}
  - {name: images, seeds: 2, options: {model: autoencoder, hidden: '9,5', batch: 4, updates: 6}}
END
expect 0 '' samebits-matrix run -f m.yaml --engine none -j 2
expect 0 '^out: 4 of 4 cells' samebits-matrix collect -f m.yaml -o out

# column NAME: of every row of the table
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR > 1 { print $k }' out/cells.csv; }
run=$(column run | head -1)
right=$(samebits-report churn "results/$run" | sed -n 's/.* mean \([0-9.]*\) %.*/\1/p')
[ "$(column accuracy | head -1 | awk '{ printf "%.2f", 100 * $1 }')" = "$right" ]
[ "$(column accuracy | grep -c .)" = 2 ]
[ "$(column accuracy | wc -l)" = 4 ]

expect 0 'out/report/index.html' samebits-report write -i out --runs results -o out/report
page=out/report/index.html
study() { sed -n "/<details class=\"study\" id=\"study-$1\"/,/^<\/details>/p" $page; }
study classes >classes.html
study images >images.html
expect 0 'mlp 8 6 on digits, 6 updates of batches' cat classes.html
expect 0 'final loss of each condition over its seeds \(cross-entropy; .*classified right' cat classes.html
expect 0 '% right</th>' cat classes.html
expect 0 'n-classes.native.copy.accuracy' cat classes.html
expect 0 'autoencoder 9 5 on digits, 6 updates of batches' cat images.html
expect 0 'final loss of each condition over its seeds \(mean squared error; ' cat images.html
lacks classes.html 'mean squared error' # the loss is a cross-entropy
lacks images.html 'cross-entropy|% right' # an autoencoder does not classify
lacks $page 'classes on digits: predicted frames'
expect 0 '^ +value +[0-9.]+ %$' samebits-report trace classes.native.copy.accuracy -i out

# a share that is none, and one that is another than the run file's
accuracy=$(column accuracy | head -1)
sed "2s/,$accuracy,/,1.5,/" out/cells.csv >cells.csv
grep -q ',1.5,' cells.csv
cp -r out wrong
cp cells.csv wrong/
expect 7 'cells.csv:2: accuracy of cell classes/digits/native/any/copy/s001 is 1.5, not a share' samebits-report answer -i wrong
sed "2s/,$accuracy,/,0.123,/" out/cells.csv >wrong/cells.csv
expect 7 'cells.csv:2: accuracy of classes/digits/native/any/copy/s001 is 0.123, but its run file says' \
    samebits-report write -i wrong --runs results -o wrong/report

# a text: its loss is a cross-entropy, its network has no hidden layer of 0, and what is right are tokens
samebits-report write -i "$SB_SOURCE/results/gpt" --only page -o text >text.out 2>&1
grep -q 'seeds (cross-entropy; sd: standard deviation), percent of the held-out tokens predicted right (mean and range)' text/index.html
lacks text/index.html 'gpt 0 on'
lacks text/index.html 'seeds (mean squared error'
