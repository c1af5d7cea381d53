# No setting is swallowed: with every network, optimizer, schedule, search, backend and arithmetic, each option of
# 'samebits train' that a run records gets a value that is not its default. The run then has other bits, or its run file
# says other settings, or the program refuses with exit code 2 and a sentence. What needs a machine that is not here is 4.
samebits-data synth digits --images 96 --test 24 -o digits.h5 >/dev/null 2>&1
samebits-data synth walk --size 16x16 --frames 40 -o walk.h5 >/dev/null 2>&1
samebits-data synth shapes --images 96 --test 24 -o shapes.h5 >/dev/null 2>&1
samebits-data synth text --characters 3000 -o text.h5 >/dev/null 2>&1
printf 'dense 7\nrelu\ndense classes\n' >own.layers
printf 'dense 5\nrelu\ndense classes\n' >other.layers

# A value for each option that is no default of any run below; of a choice each word that is tried. What needs other options,
# here for a small table of noise, has them after a +.
declare -A typed=(
    [--model]=layers [--backend]=openblas [--arithmetic]="direct imitate-tf32" [--isa]=plain [--blas-kernel]=Nehalem
    [--cudnn-algorithm]=heuristic [--cudnn-version]=1.2 [--tf32]=on [--threads]=2 [--ranks]=2 [--reduce]=fast
    [--updates]=4 [--epochs]=2 [--batch]=6 [--shards]=2 [--sync-every]=2 [--window]=5 [--channels]=3,5
    [--hidden]=9 [--hidden-activation]=tanh [--output-activation]=sigmoid [--hold-out]=7 [--normalise]="none mean"
    [--augment-form]="sample group" [--crop]=2 [--flip]="on off" [--cutout]=3 [--brightness]=0.5 [--contrast]=0.5
    [--noise]=0.5 [--rung]=3 [--widths]="4,8,16,32 9,9,9" [--layers]=own.layers [--pool-at]="before after"
    [--activation]="relu tanh" [--alpha]=0.7 [--groups]=3 [--norm-scale]="learned frozen" [--logit-scale]=0.7
    [--blocks]=1 [--heads]=2 [--width]=12 [--context]=9
    [--dropout]=0.3 [--tied]="on off" [--whiten]="on off" [--smoothing]=0.4 [--ema-momentum]=0.4 [--ema-every]=3 [--test-flip]="on off"
    [--validate-every]=2 [--early-stop]=on [--patience]=3 [--min-delta]=0.5 [--lr-by-kind]=1,2,3,4
    [--decay-by-kind]=1,2,3,4 [--search]="random-search+--noise-table+100003 deep-ga+--noise-table+100003"
    [--population]=5 [--truncation]=3 [--sigma]=0.3
    [--elite]=fresh [--fitness-batch]=fresh [--noise-table]=100000 [--optimizer]="sgd lamb" [--momentum]=0.5
    [--weight-decay]=0.3 [--beta1]=0.5 [--beta2]=0.5 [--eps]=0.1 [--eta]=0.3 [--phi]=0.1,0.2 [--max-norm]=0.01
    [--lr]=0.003 [--schedule]="step cosine" [--schedule-at]=begin [--lr-knots]=0,1,2 [--lr-shares]=0.1,0.2,0.3
    [--lr-start]=0.002 [--lr-end]=0.002 [--lr-epochs]=3 [--lr-warmup]=0.5 [--lr-period]=0.3 [--lr-factor]=0.3
    [--lr-growth]=3 [--lr-power]=2 [--checkpoint-every]=2 [--target]=shared [--draw]=3 [--ulp]=3 [--seed]=3)
# labels, and how long: nothing that is learned
quiet="--data --chain-every --input --input-workers --queue-depth --cell --record --claims --output --rank-timeout --updates --generations --epochs --checkpoint-every"

options=$(samebits train --help | sed -nE 's/^ +(-., )?(--[a-z0-9-]+) [A-Z|a-z].*/\2/p')
[ "$(echo "$options" | wc -l)" -ge 80 ]
settings=
for option in $options; do
    case " $quiet " in *" $option "*) continue ;; esac
    if [ -z "${typed[$option]-}" ]; then echo "FAILED: this test has no value of $option"; exit 1; fi
    settings+=" $option"
done

n_bits=0 n_recorded=0 n_refused=0 n_absent=0 n_same=0 swallowed=0 odd=0

# train options...: its exit code, and in $printed what it printed: of a run, or of what would be trained (dry)
train() {
    local code=0
    [ -n "$mode" ] || rm -f other.h5
    printed=$(samebits train --updates 3 --quiet $mode "$@" -o other.h5 2>train.err) || code=$?
    return $code
}

# the line of the weights, of what a run printed
weights_in() { [[ $1 =~ weights\ [0-9a-f]+ ]] && weights=${BASH_REMATCH[0]}; }

# says VALUE OPTION: does the base say so already, or is it off where there is no such thing?
says() {
    local key=${2#--}
    key=${key//-/_}
    if [ "$1" = off ]; then return; fi
    if grep -qE "^$key +$1\$" base.plan; then return; fi
    case "$key $1 $convolves" in "arithmetic direct no") return ;; esac # winograd is for convolutions
    return 1
}

# is_odd OPTION VALUE: did one process print what 20 more with the same words do not print? No setting does that: the program
# or its machine erred, and both answers are shown.
is_odd() {
    local first=$printed
    for _ in {1..20}; do
        train $base "$@"
        if [ "$printed" = "$base_printed" ]; then return 1; fi
    done
    echo "ONE OF 21: $base $*"
    diff <(echo "$first") <(echo "$printed") || true
}

# try OPTION VALUE: compared with the base
try() {
    local code=0
    train $base "$@" || code=$?
    case $code in
    0) ;;
    2) if [ ! -s train.err ]; then echo "FAILED: refused without a word: $base $*"; exit 1; fi
       n_refused=$((n_refused + 1)); return ;;
    4) n_absent=$((n_absent + 1)); return ;;
    *) echo "FAILED: exit code $code: $base $*"; cat train.err; exit 1 ;;
    esac
    if [ -n "$mode" ]; then
        if [ "$printed" != "$base_printed" ]; then n_recorded=$((n_recorded + 1)); return; fi
    elif weights_in "$printed" && [ "$weights" != "$base_weights" ]; then
        n_bits=$((n_bits + 1)); return
    elif samebits diff base.h5 other.h5 | grep -qE '^ +[a-z_0-9]+ .*\|'; then
        n_recorded=$((n_recorded + 1)); return
    fi
    if says "$2" "$1"; then n_same=$((n_same + 1)); return; fi
    if [ -n "$mode" ] && is_odd "$@"; then odd=$((odd + 1)); return; fi
    swallowed=$((swallowed + 1))
    echo "SWALLOWED: $base $*"
}

# sweep BASE...: every setting with it
sweep() {
    local code=0 option value
    base="$*"
    convolves=yes
    case "$base" in *"mlp"* | *"autoencoder"* | *"gpt"* | *"other.layers"*) convolves=no ;; esac
    samebits train --dry-run $base -o other.h5 >base.plan 2>train.err || code=$?
    case $code in 0 | 4) ;; *) echo "FAILED: $base"; cat train.err; exit 1 ;; esac
    printed= weights=
    [ $code = 4 ] || train $base
    [ -n "$mode" ] || weights_in "$printed"
    base_printed=$printed base_weights=$weights
    [ ! -e other.h5 ] || mv other.h5 base.h5
    for option in $settings; do
        for value in ${typed[$option]}; do try "$option" ${value//+/ }; done
    done
}

words() { samebits train --help | sed -nE "s/.* --$1 ([a-z0-9|-]+).*/\1/p" | tr '|' ' '; }

mlp="--model mlp --data digits.h5 --batch 8 --widths 8,8,8"
lenet="--model lenet --data digits.h5 --batch 8 --widths 2,3,4"
mode=
for model in $(words model); do
    case $model in
    prednet) sweep --model prednet --data walk.h5 --channels 3,4 ;;
    autoencoder) sweep --model autoencoder --data digits.h5 --batch 8 --hidden 5 ;;
    mlp) sweep $mlp ;;
    lenet) sweep $lenet ;;
    layers) sweep --model layers --layers other.layers --data digits.h5 --batch 8 ;;
    resnet9) sweep --model resnet9 --data shapes.h5 --batch 8 --widths 2,3,4,5 --rung 4 ;;
    gpt) sweep --model gpt --data text.h5 --batch 8 --blocks 2 --heads 3 --width 6 --context 8 ;;
    *) echo "FAILED: this test has no case of $model"; exit 1 ;;
    esac
done
# of the other choices what would be recorded
mode=--dry-run
for optimizer in $(words optimizer); do sweep $mlp --optimizer $optimizer; done
for schedule in $(words schedule); do
    case $schedule in piecewise) more="--lr-knots 0,2,5 --lr-shares 0,1,0" ;; *) more= ;; esac
    sweep $mlp --schedule $schedule $more
done
for search in $(words search); do
    case $search in gradient) more= ;; deep-ga) more="--population 6 --truncation 2" ;; *) more="--population 6" ;; esac
    sweep $mlp --search $search $more
done
for backend in $(words backend); do sweep $lenet --backend $backend; done
for arithmetic in $(words arithmetic); do sweep $lenet --arithmetic $arithmetic; done

echo "$n_bits other bits, $n_recorded other records, $n_refused refused, $n_absent absent here, $n_same what the run does anyway, $swallowed swallowed, $odd odd"
test $((swallowed + odd)) = 0
