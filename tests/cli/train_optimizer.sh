# Every optimiser trains, resumes and repeats its run; and one row of core/rows/setting.h, that of the momentum, is everywhere: in
# help, run file, resume, replay, diff, bisect and matrix files.
make_file images data.h5 8 40 0 1
train="samebits train --data data.h5 --model autoencoder --hidden 8 --batch 4 --quiet --chain-every 1"

all=$(samebits train --help | sed -n 's/.*--optimizer \([^ ]*\).*/\1/p')
[ "$(echo "$all" | tr '|' '\n' | wc -l)" -ge 2 ]
for rule in ${all//|/ }; do
    expect 0 '^updates 6 ' $train --optimizer $rule --updates 6 -o $rule.h5
    expect 0 '^updates 3 ' $train --optimizer $rule --updates 3 -o $rule-again.h5
    expect 0 "continued from update 3" $train --optimizer $rule --updates 6 --threads 2 -o $rule-again.h5
    expect 0 '^same bits over 6 entries' samebits diff $rule.h5 $rule-again.h5
    case "${SB_TEST_SLOW-} $rule" in " "* | *" adam" | *" lars" | *" lbfgs") ;; *) continue ;; esac # test_optimizers has the memory of all
    expect 0 '^the same bits here over 6 entries' samebits replay $rule.h5 --data data.h5 --backend cuda-on-cpu --quiet
    expect 0 'holds' samebits verify $rule.h5
done
list_h5 lars.h5 | grep -q '^/trust/ratio$'
if list_h5 adam.h5 | grep '^/trust'; then echo 'FAILED: an elementwise rule has norms of tensors'; exit 1; fi

# one that there is not
expect 2 "^samebits train: --optimizer wants one of adam[|]momentum-buffer.*, not 'adagrat'" \
    $train --optimizer adagrat -o none.h5
expect 2 "^samebits step: --optimizer wants one of adam" \
    samebits step --data data.h5 --model autoencoder --optimizer adagrat
absent none.h5

# another one is another experiment
expect 2 "adam.h5: holds a run with optimizer 'adam', not 'momentum-buffer'" \
    $train --optimizer momentum-buffer --updates 8 -o adam.h5
expect 2 "momentum-buffer.h5: holds a run with momentum '0.90*[0-9]*', not '0.5'" \
    $train --optimizer momentum-buffer --momentum 0.5 --updates 8 -o momentum-buffer.h5
expect 2 'momentum-buffer.h5: a run with the optimizer momentum-buffer, and adam is wanted' \
    samebits trace --data data.h5 --model autoencoder --hidden 8 --batch 4 --start momentum-buffer.h5 --update 7 -o t.h5
# what an optimizer does not have is refused with those that have it, also where it is typed with their default
expect 2 '^--momentum: optimizer adam has no momentum; optimizers momentum-buffer, .* and lars-nesterov have it$' \
    $train --momentum 0.5 --updates 6 -o none.h5
expect 2 '^--momentum: optimizer sgd has no momentum' $train --optimizer sgd --momentum 0.9 --updates 6 -o none.h5
# 0 is what the file says of a run without it
expect 0 '^updates 6 ' $train --momentum 0 --updates 6 -o plain.h5
expect 0 '^same bits over 6 entries' samebits diff adam.h5 plain.h5

# ---- Adam's constants: its defaults stay 0 in the file, as before they were settings; any other number is recorded ----
expect 0 '^updates 6 ' $train --beta1 0.9 --beta2 0.999 --eps 1e-8 --updates 6 -o default.h5
expect 0 '^same bits over 6 entries' samebits diff adam.h5 default.h5
if samebits diff adam.h5 default.h5 | grep -E 'beta|eps'; then echo 'FAILED: the defaults are recorded otherwise'; exit 1; fi
expect 0 '^beta1 +0.90*2$' $train --dry-run -o none.h5
for constant in 'beta1 0.5' 'beta2 0.9' 'eps 0.01'; do
    set -- $constant
    expect 0 '^updates 3 ' $train --$1 $2 --updates 3 -o $1.h5
    expect 0 'continued from update 3' $train --$1 $2 --updates 6 -o $1.h5
    expect 1 "$1 +0 +\| +$2" samebits diff adam.h5 $1.h5
    expect 0 '^the same bits here over 6 entries' samebits replay $1.h5 --data data.h5 --backend cuda-on-cpu --quiet
    expect 1 "^the only setting that differs: $1" samebits bisect adam.h5 $1.h5 --data data.h5 --quiet
    expect 2 "^--$1: adam wants a number above 0, because 0 in a run file means its default" $train --$1 0 -o none.h5
    expect 2 "$1.h5: holds a run with $1 '0.[0-9]*', not '0'" $train --updates 8 -o $1.h5
    expect 2 "adam.h5: holds a run with $1 '0', not '0.[0-9]*'" $train --$1 $2 --updates 8 -o adam.h5
    case $1 in eps) continue ;; esac # 1e-30 is the 0 that can be typed: 1 - 1e-30 is 1
    expect 0 '^updates 6 ' $train --$1 1e-30 --updates 6 -o tiny-$1.h5
done

# ---- the row of one hyperparameter ----
expect 0 '^ +--momentum SHARE .*\[0\.9\]' samebits train --help
$train --optimizer momentum-buffer --momentum 0.5 --updates 6 -o half.h5 >half.out
expect 1 'momentum +0\.9[0-9]* +\| +0\.5' samebits diff momentum-buffer.h5 half.h5
expect 0 '^the same bits here over 6 entries' samebits replay half.h5 --data data.h5 --quiet
expect 1 'momentum' samebits bisect momentum-buffer.h5 half.h5 --data data.h5 --quiet

# ---- a default that is the optimiser's: auto, and in the file the number that it stands for ----
expect 0 '^ +--weight-decay RATE .*\[auto\]' samebits train --help
expect 0 '^updates 6 ' $train --optimizer adamw --weight-decay 0.01 --eps 1e-8 --beta1 auto --updates 6 -o typed.h5
expect 0 '^same bits over 6 entries' samebits diff adamw.h5 typed.h5
expect 0 '^updates 6 ' $train --optimizer adamw --weight-decay 0 --updates 6 -o plain-decay.h5
expect 1 'weight_decay +0\.01 +\| +0$' samebits diff adamw.h5 plain-decay.h5
expect 2 "^samebits train: --weight-decay wants a number in \[0, 1\] or auto, not 'none'" $train --weight-decay none -o none.h5

# ---- a layer-wise rule, its limits and its norm of all gradients ----
rate="--optimizer nvlamb --lr 0.1"
expect 0 '^updates 6 ' $train $rate --max-norm 1e-3 --updates 6 -o short.h5
expect 0 '^updates 6 ' $train $rate --phi 0.5,1 --updates 6 -o limits.h5
expect 1 'max_norm +1 +\| +0\.001' samebits diff nvlamb.h5 short.h5
expect 0 '^updates 6 ' $train $rate --updates 6 -o free.h5
expect 1 'phi +\| +0\.5,1' samebits diff free.h5 limits.h5
expect 0 '^the same bits here over 6 entries' samebits replay limits.h5 --data data.h5 --quiet
expect 2 '^--phi wants two numbers' $train $rate --phi 1 -o none.h5
expect 2 '^--phi wants two numbers' $train $rate --phi 2,1 -o none.h5

samebits-data synth digits --images 40 --test 1 -o classes.h5 >/dev/null 2>&1

# ---- a quasi-Newton rule: its own rate, one step of all weights, and a run whose batch is all images ----
full="$train --batch 40 --optimizer lbfgs"
expect 0 '^updates 6 ' $train --optimizer lbfgs --lr 1 --updates 6 -o rate.h5
expect 0 '^same bits over 6 entries' samebits diff lbfgs.h5 rate.h5
expect 2 '^--optimizer lbfgs takes one step of all weights, so --lr-by-kind and --decay-by-kind do not go with it$' \
    samebits train --data classes.h5 --model mlp --batch 40 --optimizer lbfgs --lr-by-kind 1,1,2,1 -o none.h5
expect 0 '^updates 25 ' $full --updates 25 -o full.h5
expect 0 '^updates 12 ' $full --updates 12 -o full-again.h5
expect 0 'continued from update 12' $full --updates 25 --threads 3 --isa plain -o full-again.h5
expect 0 '^same bits over 25 entries' samebits diff full.h5 full-again.h5
expect 0 '^the same bits here over 25 entries' samebits replay full.h5 --data data.h5 --backend cuda-on-cpu --quiet
expect 0 '^updates 25 ' $full --backend openblas --updates 25 -o full-openblas.h5
expect 1 '^the only setting that differs: backend' samebits bisect full.h5 full-openblas.h5 --data data.h5 --quiet
expect 0 '^updates 25 ' $full --shards 4 --updates 25 -o full-shards.h5

# ---- schedules: pure functions of the update, so that a run goes on in the middle of one ----
all=$(samebits train --help | sed -n 's/.*--schedule \([^ ]*\).*/\1/p')
[ "$(echo "$all" | tr '|' '\n' | wc -l)" -ge 7 ]
for schedule in ${all//|/ }; do # 40 images, batches of 4: an epoch is ten updates
    case $schedule in
    step | exponential) options='--lr-period 0.5' ;;
    restarts) options='--lr-period 0.5 --lr-growth 2' ;;
    onecycle | poly) options='--lr-start 0.01 --lr-warmup 0.3' ;;
    piecewise) options='--lr-knots 0,0.5,1.2 --lr-shares 0.1,1,0.3' ;;
    *) options= ;;
    esac
    options="--optimizer sgd --schedule $schedule --lr 0.1 $options"
    expect 0 '^updates 15 ' $train $options --updates 15 -o $schedule.h5
    expect 0 '^updates 7 ' $train $options --updates 7 -o $schedule-again.h5
    expect 0 'continued from update 7' $train $options --updates 15 -o $schedule-again.h5
    expect 0 '^same bits over 15 entries' samebits diff $schedule.h5 $schedule-again.h5
    expect 0 '^the same bits here over 15 entries' samebits replay $schedule.h5 --data data.h5 --quiet
    [ $schedule = constant ] || expect 1 '^first difference: update' samebits diff constant.h5 $schedule.h5
done
expect 2 "^samebits train: --schedule wants one of constant.*, not 'cosinus'" $train --schedule cosinus -o none.h5
expect 2 '^--lr-warmup 3 does not end before --lr-epochs 3$' $train --schedule poly --lr-warmup 3 --lr-epochs 3 -o none.h5
expect 2 '^--schedule piecewise wants --lr-knots that ascend and as many --lr-shares' \
    $train --schedule piecewise --lr-knots 0,2 --lr-shares 1 -o none.h5
expect 0 '^updates 15 ' $train --optimizer sgd --schedule cosine --schedule-at begin --lr 0.1 --updates 15 -o begin.h5
expect 1 'schedule_at +end +\| +begin' samebits diff cosine.h5 begin.h5
expect 0 '^the same bits here over 15 entries' samebits replay begin.h5 --data data.h5 --quiet
expect 2 "constant.h5: holds a run with schedule 'constant', not 'cosine'" \
    $train --optimizer sgd --lr 0.1 --schedule cosine --updates 16 -o constant.h5
absent none.h5
