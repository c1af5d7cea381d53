# diff: the same bits, or the first update and tensor that differ and what differs around them.
make_file video data.h5 20x12 60 1
make_file video other.h5 20x12 60 2
run() { # NAME options...
    local name=$1
    shift
    samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 6 --quiet -o "$name.h5" "$@" >/dev/null
}
run one
run two --threads 2 --isa plain
run shared --target shared
run seed --seed 2
run frames --data other.h5
run rate --lr 0.002
run arithmetic --arithmetic winograd --channels 3,16,16
run direct --arithmetic direct --channels 3,16,16

expect 0 '^same bits over 6 entries, up to update 6$' samebits diff one.h5 one.h5
expect 0 '^nothing differs in config$' samebits diff one.h5 one.h5
expect 0 '^same bits over 6 entries, up to update 6$' samebits diff one.h5 two.h5
expect 0 '^  threads +1 \| 2$' samebits diff one.h5 two.h5
expect 1 '^first difference: update 1, gradient$' samebits diff one.h5 shared.h5
expect 1 '^  target +copy \| shared$' samebits diff one.h5 shared.h5
expect 1 '^weights after update 6: [0-9]+ of [0-9]+ tensors differ, L2 distance [0-9.e+-]+, largest' \
    samebits diff one.h5 shared.h5
number='[0-9.e+-]+'
sketches="^L2 distance of the weights, from sketches \(standard error 2.2 %\)"
expect 1 "$sketches: update 1 $number, update 3 $number, update 6 $number$" samebits diff one.h5 shared.h5
expect 1 '^one.h5 and shared.h5 differ from update 1 on \(gradient\)$' samebits diff one.h5 shared.h5
expect 1 '^first difference: update 1, gradient$' samebits diff one.h5 seed.h5
expect 1 '^  seed +1 \| 2$' samebits diff one.h5 seed.h5
expect 1 '^first difference: update 1, batch$' samebits diff one.h5 frames.h5
expect 1 '^first difference: update 1, weights$' samebits diff one.h5 rate.h5
expect 1 '^first difference: update 1, gradient$' samebits diff direct.h5 arithmetic.h5
expect 1 '^  arithmetic +direct \| winograd$' samebits diff direct.h5 arithmetic.h5

# ---- tensors are counted by their bits: a difference that the sum of squares absorbs is one, too ----
samebits-data synth digits --images 100 --test 8 --seed 1 -o digits.h5 2>&1
for rates in 0,0,0,0 100,0,0,1e-9; do
    samebits train --data digits.h5 --model mlp --batch 50 --optimizer sgd --schedule constant --lr 1 --updates 1 \
        --lr-by-kind $rates --quiet -o rates-${rates//,/-}.h5 >/dev/null
done
expect 1 '^weights after update 1: 8 of 8 tensors differ' samebits diff rates-0-0-0-0.h5 rates-100-0-0-1e-9.h5

# ---- sketches: the same bits on any thread and instruction set, the start and each early update, near the truth ----
expect 0 '^0 [0-9a-f]{32} ' make_file sketches one.h5
expect 0 '^6 [0-9a-f]{32} ' make_file sketches one.h5
make_file sketches one.h5 >one.sketches
make_file sketches two.h5 >two.sketches
same one.sketches two.sketches
[ "$(wc -l <one.sketches)" = 7 ]
samebits diff one.h5 shared.h5 >distances.txt 2>&1 || true
awk '/tensors differ/ { split($0, t, "L2 distance "); exact = t[2] + 0 } /from sketches/ { estimate = $NF }
     END { print exact, estimate; exit !(exact > 0 && estimate > 0.9 * exact && estimate < 1.1 * exact) }' distances.txt

# ---- the updates that both have ----
samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 2 --quiet -o short.h5 >/dev/null
expect 0 '^same bits over 2 entries, up to update 2$' samebits diff one.h5 short.h5
run sparse --chain-every 6
expect 0 '^same bits over 1 entry, up to update 6$' samebits diff one.h5 sparse.h5
expect 5 '^sparse.h5 and short.h5: no logged update in common$' samebits diff sparse.h5 short.h5

# ---- files that are no runs, or not as they were ----
expect 2 '^nowhere.h5: No such file or directory$' samebits diff one.h5 nowhere.h5
expect 2 '^data.h5: is a data set, not a finished run or checkpoint or run without its weights; samebits train --data reads it$' samebits diff data.h5 one.h5
head -c 30000 one.h5 >cut.h5
expect 7 '^cut.h5: has [0-9]+ bytes, and its seal says [0-9]+: cut short$' samebits diff one.h5 cut.h5
cp one.h5 edited.h5
make_file damage edited.h5 param/lstm1/input/h_w 5 0.25
expect 7 '^edited.h5: changed after it was written: the hash of its weights is [0-9a-f]{32}, and /head says [0-9a-f]{32}$' \
    samebits diff one.h5 edited.h5
expect 2 '^samebits diff: ' samebits diff one.h5
expect 2 "^samebits diff: unexpected argument 'seed.h5'" samebits diff one.h5 two.h5 seed.h5

# ---- chains with few entries: the first that differs is no first difference, and the losses show from where on ----
few() { samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 60 --chain-every 30 --quiet -o "$@" >/dev/null; }
few few-one.h5
few few-shared.h5 --target shared
says='first entry of the chain that differs: 30; recorded losses differ from update 2'
expect 1 "^$says$" samebits diff few-one.h5 few-shared.h5
also "^few-one.h5 and few-shared.h5: $says$"
also '^  differs first in that entry: gradient$'
expect 1 '"first_difference": ?30' samebits diff few-one.h5 few-shared.h5 --json
also '"first_other_loss": ?2'
lacks expect.out 'first difference'
# no entry in common: what was recorded of both decides
samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 7 --chain-every 1000 --quiet -o seven.h5 >/dev/null
samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 5 --chain-every 2 --target shared --quiet -o five.h5 >/dev/null
expect 1 '^no entry of the chains in common; recorded losses differ from update 2$' samebits diff seven.h5 five.h5
also '^seven.h5 and five.h5: recorded losses differ from update 2$'
# the same entries, and other losses: that is no run of the same bits
make_file foreign_loss few-one.h5 loss.h5 45
expect 1 '^2 entries of the chain the same, up to update 60; recorded losses differ from update 45$' samebits diff few-one.h5 loss.h5
expect 1 '^2 entries of the chain the same; losses differ from update 45$' samebits replay loss.h5 --data data.h5 --quiet
