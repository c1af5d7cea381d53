# One run as csv, for trackers of experiments: every column of /train, numbers that read back as the same bits.
samebits-data synth walk --size 16x8 --frames 60 -o walk.h5 2>&1
samebits train --data walk.h5 --channels 3,4 --updates 5 --quiet -o run.h5
expect 0 '^update,grad_norm,loss_last,loss_mean,seconds$' samebits export run.h5
[ "$(wc -l <expect.out)" = 6 ]
[ "$(cut -d, -f1 expect.out | paste -sd' ')" = 'update 1 2 3 4 5' ]
cp expect.out run.csv
samebits export run.h5 -o file.csv
same run.csv file.csv
samebits chain run.h5 -o chain.h5
expect 0 '^update,' samebits export chain.h5
same run.csv expect.out

# The losses are those of the table of losses that 'collect' writes, which has fewer digits.
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >m.yaml <<'END'
hardware: hardware.yaml
data: [{name: walk, make: synth walk --size 16x8 --frames 60}]
studies:
  - name: p
    options: {model: prednet, data: walk, updates: 5, channels: '3,4'}
    seeds: 1
    axes: {target: [copy]}
    zip: [{backend: native, hardware: any, threads: 1}]
END
samebits-matrix run -f m.yaml >/dev/null 2>&1
samebits-matrix collect -f m.yaml -o out >/dev/null 2>&1
cell=$(find results -name '*.h5')
samebits export "$cell" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%d,%.6e,%.6e\n", $1, $at["loss_last"], $at["loss_mean"] }' >here.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%d,%.6e,%.6e\n", $at["update"], $at["loss_last"], $at["loss_mean"] }' out/curves.csv >there.csv
[ "$(wc -l <here.csv)" = 5 ]
same there.csv here.csv

# Another table, one that is not there, and what is refused.
expect 0 '^update$' samebits export --table chain run.h5
[ "$(wc -l <expect.out)" = 6 ]
expect 5 "^run.h5: has no table 'validation'; it has .*chain.*train" samebits export --table validation run.h5
expect 2 'run.h5' samebits export run.h5 -o run.h5
expect 0 'holds' samebits verify run.h5
expect 2 '^walk.h5: is a data set' samebits export walk.h5
cp run.h5 bad.h5
printf 'x' | dd of=bad.h5 bs=1 seek=5000 conv=notrunc status=none
expect 7 '^bad.h5: ' samebits export bad.h5
expect 2 'none.h5' samebits export none.h5
# a shorter run than the one that is there is another run
expect 2 '^run.h5: this run has 5 updates, and 2 are asked for; train the shorter run into another file \(-o\), or ask for 5 updates$' \
    samebits train --data walk.h5 --channels 3,4 --updates 2 --quiet -o run.h5
expect 0 '^weights' samebits train --data walk.h5 --channels 3,4 --updates 5 --quiet -o run.h5
# messages have the name that was typed
expect 1 '^no/dir/run.csv: No such file or directory$' samebits export run.h5 -o no/dir/run.csv
expect 1 '^no/dir/x.h5: cannot be created: No such file or directory$' samebits chain run.h5 -o no/dir/x.h5
expect 2 '^none.h5: No such file or directory$' samebits diff run.h5 none.h5
expect 2 '^none.h5: No such file or directory$' samebits diff none.h5 run.h5
