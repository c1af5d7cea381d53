# Time to accuracy: from the validations of run files, with the share of runs that came there.
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

expect 2 '^without.h5: was not validated while it trained; train with --validate-every 1$' samebits-report time without.h5
expect 2 '^second.h5: was not validated after each epoch' samebits-report time second.h5

# one run counts once, under whatever name
cp run2.h5 copy.h5
expect 2 '^run2.h5 and copy.h5: the same run, named twice; name it once$' samebits-report time run?.h5 copy.h5
[ "$(wc -l <expect.out)" = 1 ]
