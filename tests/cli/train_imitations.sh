# The imitations of a GPU on the CPU: their settings in a run file, orders that a draw repeats and another one changes,
# a run that is cut and goes on, replay, bisect, and who refuses them. Their bits are held by train_bits.sh.
make_file video data.h5 20x12 60 1
make_file images digits.h5 12 60 20 3
train() { samebits train --quiet --data data.h5 --channels 3,5,7 --window 5 --updates "$@"; }
atomics() { train 4 --arithmetic imitate-atomics "$@"; }
atomics -o first.h5 --seed 1 >first.out
atomics -o again.h5 --seed 1 --draw 0 --threads 3 --isa plain >again.out
atomics -o second.h5 --seed 1 --draw 1 >second.out
train 4 --arithmetic direct -o direct.h5 >direct.out
train 4 --arithmetic imitate-unfused -o unfused.h5 >unfused.out
train 4 --arithmetic imitate-gpu --draw 3 -o gpu.h5 >gpu.out

# ---- the draw ----
expect 0 '^same bits over 4 entries' samebits diff first.h5 again.h5
expect 1 '^first difference: update 1' samebits diff first.h5 second.h5
also '^  draw +0 \| 1$'
expect 1 '^first difference: update 1' samebits diff first.h5 direct.h5
also '^  arithmetic +imitate-atomics \| direct$'
expect 2 "direct.h5: holds a run with arithmetic 'direct', not 'imitate-atomics'" atomics -o direct.h5
expect 2 "first.h5: holds a run with draw '0', not '2'" atomics -o first.h5 --draw 2
# an arithmetic without a draw takes none
expect 2 '^--draw: arithmetic direct has no draw; arithmetics imitate-atomics and imitate-gpu have it$' \
    train 4 --arithmetic direct --draw 5 -o nodraw.h5
absent nodraw.h5
expect 2 "^samebits train: --draw wants a whole number in \[0, 4294967295\], not '-1'" atomics --draw -1 -o no.h5

# ---- cut after two updates, and gone on: the orders of the run that was not ----
train 2 --arithmetic imitate-gpu --draw 3 -o cut.h5 >cut.out
expect 0 'continued from update 2' samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 4 \
    --arithmetic imitate-gpu --draw 3 -o cut.h5
expect 0 '^same bits over 4 entries' samebits diff gpu.h5 cut.h5
expect 0 '^the same bits here over 4 entries' samebits replay gpu.h5 --data data.h5 --quiet

# ---- where they part from the plain sums: an operation that the imitation changes, on the same numbers ----
expect 1 ': conv_forward, ' samebits bisect direct.h5 unfused.h5 --data data.h5 --quiet
also '^the same numbers went in and others came out'
also '^the only setting that differs: arithmetic \(direct \| imitate-unfused\)'
expect 1 ': conv_forward, ' samebits bisect direct.h5 gpu.h5 --data data.h5 --quiet
also '^the only setting that differs: arithmetic \(direct \| imitate-gpu\)' # the draw is the arithmetic's
expect 1 '^the only setting that differs: draw \(0 \| 1\)' samebits bisect first.h5 second.h5 --data data.h5 --quiet

# ---- the autoencoder, which says so although it has no convolutions ----
images="--data digits.h5 --model autoencoder --batch 1 --hidden 5 --updates 20 --quiet --chain-every 20"
samebits train $images --arithmetic direct -o plain.h5 >plain.out
for arithmetic in atomics tf32 functions unfused gpu; do
    samebits train $images --arithmetic imitate-$arithmetic -o images-$arithmetic.h5 >images.out
    expect 1 "^  arithmetic +direct \| imitate-$arithmetic\$" samebits diff plain.h5 images-$arithmetic.h5
done

# ---- who refuses them, and who names them ----
expect 2 "backend cuda-on-cpu has no arithmetic 'imitate-tf32': it imitates a GPU on the CPU, with native" \
    train 1 --backend cuda-on-cpu --arithmetic imitate-tf32 -o no.h5
expect 2 "one of direct.winograd.winograd-flush.imitate-atomics.*not 'imitate-nothing'" train 1 --arithmetic imitate-nothing -o no.h5
absent no.h5
expect 0 '^  imitate-flush +direct with subnormal numbers as zeros$' samebits info
expect 0 'native/imitate-tf32 ' samebits bench --quick --size 16x8 --channels 3,4 --threads 1 \
    --only prednet --backend native/imitate-tf32
if [ -x "$SB_BUILD/bin/samebits-f64" ]; then
    expect 2 "arithmetic 'imitate-tf32' imitates float32, and this program computes in float64" \
        "$SB_BUILD/bin/samebits-f64" step --data data.h5 --channels 3,5,7 --window 5 --windows 1 --arithmetic imitate-tf32
fi

# ---- subnormal numbers: counted, and none where results below 2^-63 are zero ----
samebits-data synth shapes --images 48 --test 10 --seed 1 -o shapes.h5 2>&1
layers=conv-16-3_scale-0.000000001_conv-16-3_scale-0.000000001_conv-16-3_scale-0.000000001_conv-16-3_scale-0.000000001_pool-4_dense-classes
small() { samebits train --model layers --layers $layers --data shapes.h5 --batch 20 --updates 4 --quiet "$@"; }
expect 0 '^subnormal numbers in [0-9]{2,} of [0-9]{3,} operations: slow on some CPUs$' small -o small.h5
expect 0 '^weights ' small --arithmetic winograd-flush -o none.h5
lacks expect.out 'subnormal'
expect 2 "^backend cuda-on-cpu has no arithmetic 'winograd-flush'; native has it$" \
    small --backend cuda-on-cpu --arithmetic winograd-flush -o refused.h5
absent refused.h5
