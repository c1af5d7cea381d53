# Churn: accuracy of each setting, and how many test images two runs class differently, of pairs of one recipe alone.
samebits-data synth digits --images 64 --test 20 --seed 1 -o digits.h5 2>&1
train() { samebits train --data digits.h5 --model mlp --batch 32 --widths 8 --lr 0.03 --epochs 3 --quiet -o "$@" >/dev/null; }
for seed in 1 2 3; do train native$seed.h5 --seed $seed; done
train again.h5 --seed 1 --threads 2 # another setting of the same bits
train ulp.h5 --seed 1 --ulp 7
train other.h5 --seed 1 --lr 0.02   # another recipe
samebits-report churn native?.h5 again.h5 ulp.h5 other.h5 >churn.txt
cat churn.txt
for line in '5 runs like native1.h5, 20 test images' '1 run like other.h5, 20 test images'; do
    grep -qx "$line" churn.txt || { echo "FAILED: no line '$line'"; exit 1; }
done
grep -qE '^  right  native direct, 1 thread +3 runs  mean [0-9.]+ %  sd [0-9.]+  [0-9.]+ to [0-9.]+$' churn.txt
grep -qE '^  right  native direct, 2 threads +1 run  mean [0-9.]+ %  [0-9.]+ to [0-9.]+$' churn.txt
grep -qE '^  churn  one seed, two settings +1 pair  mean 0.00 %  0.00 to 0.00$' churn.txt
grep -qE '^  churn  one setting, one ulp of one initial weight +1 pair  mean ' churn.txt
grep -qE '^  churn  one setting, two seeds +3 pairs  mean [0-9.]+ % ' churn.txt
[ "$(grep -c churn churn.txt)" = 3 ]
# the accuracy is what the trainer printed
right=$(samebits eval native1.h5 --data digits.h5 | sed 's/.*correct //')
samebits-report churn native1.h5 | grep -qE " mean $(awk "BEGIN { printf \"%.2f\", 5 * $right }") %"

make_file images plain.h5 8 40 20 1
samebits train --data plain.h5 --model autoencoder --hidden 4 --batch 4 --updates 2 --quiet -o auto.h5 >said
expect 2 '^auto.h5: has no predictions' samebits-report churn native1.h5 auto.h5
expect 2 '^nowhere.h5: ' samebits-report churn nowhere.h5

# one run counts once, under whatever name
cp native2.h5 copy.h5
expect 2 '^native1.h5 and native1.h5: the same run, named twice; name it once$' samebits-report churn native1.h5 native1.h5
expect 2 '^native2.h5 and copy.h5: the same run, named twice; name it once$' samebits-report churn native?.h5 copy.h5
