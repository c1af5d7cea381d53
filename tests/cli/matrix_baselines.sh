# baselines.csv: rows for each video, window and length that runs were trained with, the numbers of 'samebits-data
# baselines', kept where the data set is gone and the table is as it was collected.
echo 'hardware: [{name: any}]' >hw.yaml
cat >m.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --size 16x16 --frames 60 --seed 1}
  - {name: still, make: synth motion --size 16x16 --frames 60 --speed 0}
  - {name: digits, make: synth digits --images 20 --test 2}
defaults: {backend: native, hardware: any, target: copy}
studies:
  - {name: a, options: {updates: 6, model: prednet, channels: '3,4', data: walk, window: 5}, seeds: 2}
  - {name: b, options: {updates: 7, model: prednet, channels: '3,4', data: walk, window: 5}, seeds: 1}
  - {name: c, options: {updates: 6, model: prednet, channels: '3,4', data: still, window: 5}, seeds: 1}
  - {name: d, options: {updates: 6, data: digits, model: autoencoder, hidden: 4}, seeds: 1}
END
matrix="samebits-matrix"
expect 0 '' $matrix run -f m.yaml --engine none -j 2
expect 0 '^out: 5 of 5 cells' $matrix collect -f m.yaml -o out
cat out/baselines.csv
[ "$(wc -l <out/baselines.csv)" = 10 ] # a heading; walk with 6 and with 7 updates, still
[ "$(cut -d, -f1,4,5 out/baselines.csv | tail -n +2 | tr '\n' ' ')" = \
    'walk,6,repeat-last walk,6,mean-frame walk,6,linear walk,7,repeat-last walk,7,mean-frame walk,7,linear still,6,repeat-last still,6,mean-frame still,6,linear ' ]
(cd out && sha256sum --quiet -c SHA256SUMS)
grep -q ' baselines.csv$' out/SHA256SUMS

# the same as the other program says, and the digest is the one in the cells
for updates in 6 7; do samebits-data baselines cache/data/walk-*.h5 --window 5 --updates $updates | tail -n +2 | cut -d, -f2-; done >said
samebits-data baselines cache/data/still-*.h5 --window 5 --updates 6 | tail -n +2 | cut -d, -f2- >>said
tail -n +2 out/baselines.csv | cut -d, -f2- >collected
same said collected
[ "$(grep -c "$(sed -n '2s/,.*//p' collected)" out/cells.csv)" = 3 ]
grep '^still,.*,repeat-last,0,0,0$' out/baselines.csv
expect 2 'baselines are of videos; this holds images' samebits-data baselines cache/data/digits-*.h5
expect 2 'the data set holds not one window of 61' samebits-data baselines cache/data/walk-*.h5 --window 61

# gone: the rows stay, as long as nobody changed them
cp out/baselines.csv before.csv
walk=$(echo cache/data/walk-*.h5)
rm "$walk"
expect 0 '^out: 5 of 5 cells' $matrix collect -f m.yaml -o out
same before.csv out/baselines.csv
expect 0 'walk-.*h5: not here; its baselines are left out' $matrix collect -f m.yaml -o other
[ "$(wc -l <other/baselines.csv)" = 4 ]
sed -i '2s/,[^,]*$/,1/' out/baselines.csv
expect 0 'out/baselines.csv: changed since it was collected; .*; its rows are not kept' $matrix collect -f m.yaml -o out
[ "$(wc -l <out/baselines.csv)" = 4 ]

# another content under the name that the runs were trained with
cp cache/data/still-*.h5 "$walk"
expect 0 'walk-.*h5: not what the runs learned from; its digest is [0-9a-f]{32}; its baselines are left out' \
    $matrix collect -f m.yaml -o other
