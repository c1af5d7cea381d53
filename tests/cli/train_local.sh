# Local SGD: one shard with H steps has the bits of plain training with a batch of one step; several shards have bits that
# threads, instruction sets, inputs, backends in the written order and interruptions do not change.
samebits-data synth shapes --images 160 --test 40 --seed 1 -o shapes.h5 2>/dev/null
net="samebits train --data shapes.h5 --model resnet9 --rung 9 --widths 4,6,6,8 --lr 0.01 --schedule constant --ema-momentum 0 --hold-out 0
    --quiet --chain-every 1"

expect 0 '^ +--sync-every H .*\[0\]' samebits train --help
of_weights() { grep -o '^weights [0-9a-f]*' expect.out; }

# ---- one shard: plain training ----
for input in sync prefetch; do
    expect 0 '^updates 5 ' $net --batch 32 --sync-every 4 --groups 1 --input $input --updates 5 -o steps.h5
    local_weights=$(of_weights)
    expect 0 '^updates 20 ' $net --batch 8 --groups 1 --updates 20 -o plain.h5
    [ "$(of_weights)" = "$local_weights" ] || fail "four local steps of eight images: $local_weights, not $(of_weights)"
    rm steps.h5 plain.h5
done
expect 0 '^updates 3 ' $net --batch 32 --sync-every 1 --groups 1 --updates 3 -o one.h5
local_weights=$(of_weights)
expect 0 '^updates 3 ' $net --batch 32 --groups 1 --updates 3 -o none.h5
[ "$(of_weights)" = "$local_weights" ] || fail "a step of a whole batch is another update"

# ---- several ----
several="$net --batch 32 --shards 4 --groups 4 --sync-every 2 --validate-every 1"
expect 0 '^updates 9 ' $several --updates 9 -o s4.h5
expect 0 '^updates 4 ' $several --updates 4 -o again.h5
expect 0 'continued from update 4' $several --updates 9 --threads 3 --isa plain --input prefetch -o again.h5
expect 0 '^same bits over 9 entries' samebits diff s4.h5 again.h5
expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 s4.h5 again.h5 eval validation
expect 0 '^the same bits here over 9 entries' samebits replay s4.h5 --data shapes.h5 --threads 2 --quiet
expect 0 '^the same bits here over 9 entries' samebits replay s4.h5 --data shapes.h5 --backend cuda-on-cpu --quiet
expect 0 'holds' samebits verify s4.h5
expect 0 '^updates 9 ' $several --sync-every 4 --updates 9 -o h4.h5
expect 1 'sync_every +2 \| 4' samebits diff s4.h5 h4.h5
expect 1 'the only setting that differs: sync_every .2 . 4.' samebits bisect s4.h5 h4.h5 --data shapes.h5 --quiet
expect 0 '^updates 9 ' $several --lr 0.011 --updates 9 -o lr.h5
expect 1 'the only setting that differs: lr' samebits bisect s4.h5 lr.h5 --data shapes.h5 --quiet
also 'number 69: nesterov, prep.conv_w'
expect 2 "s4.h5: holds a run with sync_every '2', not '4'" $several --sync-every 4 --updates 12 -o s4.h5

# ---- run files that are older than the setting ----
expect 0 '^updates 4 ' $net --batch 32 --shards 4 --groups 4 --hold-out 20 --updates 4 -o old.h5
cp old.h5 new.h5
age_run old.h5 sync_every smoothing
for images in test held-out; do
    expect 0 '^n [0-9]+ ' samebits eval new.h5 --data shapes.h5 --images $images
    cp expect.out eval.out
    expect 0 '^n [0-9]+ ' samebits eval old.h5 --data shapes.h5 --images $images
    same expect.out eval.out
done
expect 0 '^the same bits here over 4 entries' samebits replay old.h5 --data shapes.h5 --quiet
expect 0 'continued from update 4' $net --batch 32 --shards 4 --groups 4 --hold-out 20 --updates 6 -o new.h5
expect 0 'continued from update 4' $net --batch 32 --shards 4 --groups 4 --hold-out 20 --updates 6 -o old.h5
expect 0 '^same bits over 6 entries' samebits diff old.h5 new.h5
if grep -E '^  (smoothing|sync_every)' expect.out; then fail 'a default is a difference'; fi

# ---- refused ----
expect 2 '^--sync-every 3 does not divide the 8 samples of a shard as it must$' \
    $net --batch 32 --shards 4 --groups 4 --sync-every 3 -o no.h5
expect 2 "^samebits train: --sync-every wants a whole number in \[0, 65536\], not '-1'" $net --sync-every -1 -o no.h5
expect 2 '^--optimizer lbfgs takes one step of all images, so --sync-every does not go with it$' samebits train \
    --data shapes.h5 --model mlp --widths 8 --batch 160 --optimizer lbfgs --sync-every 2 --quiet -o no.h5
make_file images images.h5 8 64 5 1
expect 2 "sync-every" samebits train --data images.h5 --model autoencoder --hidden 8 --batch 8 --sync-every 2 --quiet -o no.h5
expect 2 '^--search .* makes no steps by gradients: leave --sync-every out' samebits evolve --data shapes.h5 --model mlp \
    --widths 8 --batch 32 --sync-every 2 --quiet -o no.h5
absent no.h5
