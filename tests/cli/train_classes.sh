# Networks that classify: the same bits on other threads and after an interruption, an average and whitening that last,
# what is written of the test images, and what is refused.
count() { # N PATTERN FILE: so many lines
    [ "$(grep -cE -- "$2" "$3")" = "$1" ] || { echo "FAILED: $3 has not $1 lines of $2"; cat "$3"; exit 1; }
}
samebits-data synth shapes --images 192 --test 40 --seed 1 -o shapes.h5 2>&1
train="samebits train --data shapes.h5 --model resnet9 --widths 4,6,6,8 --batch 32 --optimizer nesterov --lr 0.4
    --weight-decay 0.0005 --schedule piecewise --lr-knots 0,1,3 --lr-shares 0,1,0 --quiet --chain-every 1"

average='--ema-every 2' # of the rungs that have an average of the weights
expect 0 '^updates 6 ' $train $average --updates 6 -o whole.h5
expect 0 '^updates 3 ' $train $average --updates 3 -o again.h5
expect 0 'continued from update 3' $train $average --updates 6 --threads 3 --isa plain -o again.h5
expect 0 '^same bits over 6 entries' samebits diff whole.h5 again.h5
expect 0 '^the same bits here over 6 entries' samebits replay whole.h5 --data shapes.h5 --quiet
expect 0 'holds' samebits verify whole.h5
list_h5 whole.h5 >names.txt
count 1 '/state/whiten/w$' names.txt
grep -v average names.txt >running.txt
count 8 '^/state/[a-z0-9/]*bn_var$' running.txt
count 9 '^/state/average/.*(conv_w|linear/w)$' names.txt
count 1 '/train/correct$' names.txt
count 1 '/eval/predicted$' names.txt
expect 0 '^n 40  loss .*  cross_entropy .*  correct [0-9]+  correct_flipped [0-9]+$' samebits eval whole.h5 --data shapes.h5

# every rung trains, and another one is another experiment
for rung in 0 2 4 5 6 7; do
    expect 0 '^updates 1 ' $train --rung $rung --updates 1 -o rung$rung.h5
done
expect 1 'rung +0 +\| +2' samebits diff rung0.h5 rung2.h5
expect 2 "holds a run with cutout '0', not '5'" $train $average --rung 8 --updates 8 -o whole.h5

# a network's recipe is its defaults, which a run file has as numbers; another optimiser has its own
plan="samebits train --data shapes.h5 --model resnet9 --widths 4,6,6,8 --batch 32 -o recipe.h5 --quiet"
expect 0 '^lr_knots +0,2,8$' $plan --dry-run
expect 0 '^updates +60$' $plan --dry-run
expect 0 '^updates +24$' $plan --dry-run --epochs 4
expect 0 '^lr_knots +0,3.6[0-9]*,18$' $plan --rung 5 --dry-run
expect 0 '^schedule +constant$' $plan --optimizer adam --dry-run
expect 2 'a recipe may need more --epochs$' $plan --epochs 2
absent recipe.h5
expect 0 '^updates 1 ' $plan --updates 1
list_h5 recipe.h5 config >recipe.txt
count 1 '^/config lr_knots$' recipe.txt
expect 2 "recipe.h5: holds a run with lr_knots '0,2,8', not '0,4,18'" $plan --epochs 20
expect 0 '^the same bits here over 1 entry' samebits replay recipe.h5 --data shapes.h5 --quiet

# the other two
samebits-data synth digits --images 64 --test 20 --seed 1 -o digits.h5 2>&1
for model in mlp lenet; do
    expect 0 '^updates 2 ' samebits train --data digits.h5 --model $model --batch 32 --widths 4,5,6 --epochs 1 --quiet -o $model.h5
    expect 0 '^n 20  loss [0-9.]*  cross_entropy [0-9.]*  correct [0-9]+$' samebits eval $model.h5 --data digits.h5
done
for option in --quality '--frames 2'; do
    expect 2 "^lenet: makes no images; 'samebits eval' without --frames and --quality prints how many images it classifies right$" \
        samebits eval $option lenet.h5 --data digits.h5
done

expect 2 'layer 3 \(prep/bn\): .*batch of 24' $train --batch 24 --updates 1 -o no.h5
expect 2 '^resnet9: --widths wants four numbers' $train --widths 4,6 --updates 1 -o no.h5
expect 2 'batch norm in 16 groups .* cannot be cut|choose 1' $train --shards 3 --updates 1 -o no.h5
expect 2 'wants --lr-knots that ascend and as many --lr-shares' $train --lr-knots 0,1 --updates 1 -o no.h5
expect 2 '^--hold-out 192 leaves none of 192 images to learn from$' $train --hold-out 192 --updates 1 -o no.h5
expect 2 'lr-by-kind wants four numbers' $train --lr-by-kind 1,2 --updates 1 -o no.h5
expect 2 '^--normalise cifar10 is for images of 3 channels, and these have 1$' samebits train --data digits.h5 --model resnet9 --batch 32 -o no.h5
absent no.h5
