# A system call of the trainer or the data tool that fails: never a file half written, never exit code 0 with another
# result, and the same bits from the same command afterwards.
. "$SB_SOURCE/tests/cli/faults.sh"
samebits-data synth digits --images 60 --test 10 --seed 1 -o digits.h5
train="samebits train --model autoencoder --data digits.h5 --hidden 4 --batch 10 --updates 12 --checkpoint-every 5"
$train --quiet -o straight.h5

judge_run() {
    case $1 in
    whole) samebits diff straight.h5 out/run.h5 >judged 2>&1 ;;
    broken) [ ! -e out/run.h5 ] || samebits eval --data digits.h5 out/run.h5 >judged 2>&1 ;;
    esac
}
walk 'train' 9 judge_run $train --quiet -o out/run.h5

# from a checkpoint, with the journal of a killed training
afresh
"$fault" --below "$PWD/out" --log calls --at 70 --error KILL -- $train --quiet -o out/run.h5 >said 2>&1 || true
samebits eval --data digits.h5 out/run.h5 >judged
[ -e out/run.h5.journal ]
rm -rf start
cp -a out start
walk 'train from a checkpoint' 9 judge_run $train --quiet -o out/run.h5
rm -rf start
mkdir start

# ---- a trace, and a seal for a run of the first release, which has none ----
trace="samebits trace --model autoencoder --data digits.h5 --hidden 4 --batch 10 --update 2"
$trace -o wanted.h5 >said
judge_trace() {
    { [ "$1" = broken ] && [ ! -e out/trace.h5 ]; } || samebits bisect wanted.h5 out/trace.h5 >judged 2>&1
}
walk 'trace' 6 judge_trace $trace -o out/trace.h5

tail -c +513 straight.h5 >start/old.h5
judge_sealed() {
    if [ "$1" = broken ] && cmp -s start/old.h5 out/old.h5; then return; fi
    samebits verify out/old.h5 >judged || return
    tail -c +513 out/old.h5 | cmp - start/old.h5
}
walk 'verify --seal' 6 judge_sealed samebits verify --seal out/old.h5
rm start/old.h5

# ---- data sets ----
judge_data() {
    { [ "$1" = broken ] && [ ! -e out/data.h5 ]; } || cmp -s wanted.h5 out/data.h5
}
walk_data() { # VERB SOURCE...: the file names its own command, so that the wanted one is made by the same
    local name="$1 $2"
    mkdir -p out
    samebits-data "$@" -o out/data.h5
    mv out/data.h5 wanted.h5
    walk "$name" 9 judge_data samebits-data "$@" -o out/data.h5
}
walk_data synth digits --images 30 --test 5 --seed 1
mkdir idx
for part in train:30 t10k:10; do
    make_idx idx/${part%:*}-images-idx3-ubyte.gz 3 ${part#*:}
    make_idx idx/${part%:*}-labels-idx1-ubyte.gz 1 ${part#*:}
done
walk_data convert mnist --from idx
