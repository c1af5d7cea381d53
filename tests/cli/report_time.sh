# Time to accuracy: from the validations of run files, with the share of runs that came there, and the two files of an
# entry in DAWNBench's form.
samebits-data synth digits --images 64 --test 20 --seed 1 -o digits.h5 2>&1
train="samebits train --data digits.h5 --model mlp --batch 32 --widths 8 --lr 0.03 --epochs 6 --quiet"
for seed in 1 2 3; do $train --validate-every 1 --seed $seed -o run$seed.h5 >said; done
$train --seed 1 -o without.h5 >said
$train --validate-every 2 --seed 1 -o second.h5 >said

expect 0 '^run1.h5  test images 20  epochs 6  [0-9.]+ % after [0-9.]+ s  0 % after [0-9.]+ s, epoch 1$' \
    samebits-report time --accuracy 0 run1.h5
expect 0 '  100 % never$' samebits-report time --accuracy 100 run1.h5
samebits-report time --accuracy 0 run1.h5 run2.h5 run3.h5 >all.txt
grep -qx 'end at 0 % or more: 3 of 3 runs, 100.0 % (43.9 to 100.0)' all.txt # Wilson: n / (n + z^2)
grep -qx 'ever there: 3 of 3 runs, 100.0 % (43.9 to 100.0)' all.txt
grep -q '^final accuracy [0-9.]* %, standard deviation ' all.txt
[ "$(wc -l <all.txt)" = 6 ]

expect 0 '^entry/A-B_my-net_a-machine_samebits.json$' samebits-report time run1.h5 -o entry \
    --author 'A B' --model 'my net' --hardware 'a "machine"' --email a@b.c --cost 0.5
python3 - <<'END' 2>python.txt || grep -q 'not found' python.txt || { cat python.txt; exit 1; }
import json
entry = json.load(open('entry/A-B_my-net_a-machine_samebits.json'))
assert entry['version'] == 'v1.0' and entry['author'] == 'A B' and entry['hardware'] == 'a "machine"', entry
assert entry['costPerHour'] == 0.5 and len(entry['timestamp']) == 10 and entry['misc']['seed'] == 1, entry
END
tsv='entry/A-B_my-net_a-machine_samebits.tsv'
[ "$(head -1 "$tsv")" = "$(printf 'epoch\thours\ttop1Accuracy')" ]
[ "$(wc -l <"$tsv")" = 7 ]
grep -qE "^6	0\.[0-9]{8}	[0-9]+\.[0-9]{2}$" "$tsv"

expect 2 '^without.h5: was not validated while it trained; train with --validate-every 1$' samebits-report time without.h5
expect 2 '^second.h5: was not validated after each epoch' samebits-report time second.h5
expect 2 '^samebits-report time: -o wants --author$' samebits-report time run1.h5 -o entry2
expect 2 'an entry is of one run' samebits-report time run1.h5 run2.h5 -o entry2 --author A
absent entry2

# one run counts once, under whatever name
cp run2.h5 copy.h5
expect 2 '^run2.h5 and copy.h5: the same run, named twice; name it once$' samebits-report time run?.h5 copy.h5
[ "$(wc -l <expect.out)" = 1 ]
