# bisect: the update, the operation and the number at which two runs part, and the setting that makes the difference.
make_file video data.h5 20x12 60 1
make_file video other.h5 20x12 60 2
make_file images digits.h5 12 60 20 3
shape="--channels 3,16,5 --window 5"
train() { samebits train --quiet "$@" >/dev/null; }
run() { train --data data.h5 $shape --updates 4 -o "$1.h5" "${@:2}"; }
bisect() { samebits bisect "$@" --data data.h5 --quiet; }
run copy
run shared --target shared --threads 2
run direct --arithmetic direct
run blas --backend openblas --blas-kernel Prescott
run blas2 --backend openblas --blas-kernel Prescott --threads 2
run rate --lr 0.002
run nudged --ulp 5
run both --backend openblas --blas-kernel Prescott --target shared
run again --threads 2 --isa plain

# ---- semantics: the operation was given something else; the thread count is none of it ----
expect 1 '^first difference: update 1, gradient$' bisect copy.h5 shared.h5
also 'operations that differs is number [0-9]+: loss_backward, gradient of P of layer 0$'
also '^  reads  y +frame 3 \| frame 4 +3x12x20  [0-9]+ of 720 differ, by [0-9.e-]+ at most'
also '^its inputs already differ, and no earlier operation wrote them'
also '^threads +1 \| 2 +the bits of A +the bits of B$'
also '^target +copy \| shared +the bits of B +the bits of A$'
also '^target alone makes the difference in this update$'
also '^copy.h5 and shared.h5 differ from update 1 on \(gradient\)$'

# ---- rounding: the same numbers went in ----
for pair in 'direct arithmetic' 'blas backend'; do
    set -- $pair
    expect 1 ': conv_forward, ' bisect copy.h5 $1.h5
    also '^  reads  x +E of layer [01], frame 1 .* the same bits$'
    also '^  writes y .* differ, by [0-9.e-]+ at most \([0-9]+ ulp\)$'
    also '^the same numbers went in and others came out'
    also "^the only setting that differs: $2 \("
done
expect 1 ': adam, all weights$' bisect copy.h5 rate.h5
also '^  reads  rates .* 1 of 4 differ'
expect 1 ' 1 of [0-9]+ differ, by [0-9.e-]+ at most \(1 ulp\)$' bisect copy.h5 nudged.h5
expect 1 '^no setting makes the difference alone; those that change bits: backend, target$' bisect copy.h5 both.h5
# B with the backend of A has the bits of A, whatever the threads do to those of B
expect 1 '^backend alone makes the difference in this update' bisect copy.h5 blas2.h5
also '^backend .* the bits of A$'
expect 0 '^same bits over 4 entries, up to update 4$' bisect copy.h5 again.h5

# ---- runs that part late, and links that are far apart: trained up to there, and only one update looked into ----
# The first window of a sequence has a loss less: with windows of 2 its only target is its own in both.
for target in copy shared; do
    train --data data.h5 --channels 3,16,5 --window 2 --updates 4 --target $target -o late-$target.h5
done
expect 1 '^first difference: update 2, gradient$' bisect late-copy.h5 late-shared.h5
also '^  reads  y +frame 1 \| frame 2 '
images="--data digits.h5 --model autoencoder --batch 6 --hidden 5 --updates 20"
train $images --chain-every 10 -o a.h5
train $images --chain-every 10 --threads 2 --lr 0.002 -o b.h5
expect 1 '^the runs have no entry between update 0, the same, and 10: trained again, with all$' \
    samebits bisect a.h5 b.h5 --data digits.h5 --quiet
also ': adam, all weights$'

# ---- what does not come out here is another machine's, also where links are far apart ----
make_file foreign copy.h5 foreign.h5 1
expect 1 '^foreign.h5: does not come out here as it was recorded, so that another machine' bisect copy.h5 foreign.h5
also '^  cpu +[^|]+ \| of another machine$'
make_file foreign a.h5 far.h5 10
expect 1 '^far.h5: does not come out here as it was recorded' \
    samebits bisect a.h5 far.h5 --data digits.h5 --quiet
make_file foreign far.h5 farther.h5 20
expect 1 '^farther.h5 and far.h5: does not come out' samebits bisect farther.h5 far.h5 --data digits.h5 --quiet

# ---- traces of two machines ----
for backend in native cuda-on-cpu openblas; do
    samebits trace --data data.h5 $shape --backend $backend -o $backend.h5
done
expect 0 '^the same bits in all [0-9]+ operations of update 1$' samebits bisect native.h5 cuda-on-cpu.h5
# they keep operands of one frame, and of all
for backend in native cuda-on-cpu; do
    samebits trace --data data.h5 $shape --backend $backend --arithmetic direct -o $backend-direct.h5
done
expect 0 '^the same bits in all [0-9]+ operations' samebits bisect native-direct.h5 cuda-on-cpu-direct.h5
expect 1 '^native.h5 and openblas.h5 differ from operation [0-9]+ on; --keep' samebits bisect native.h5 openblas.h5
row=$(samebits bisect native.h5 openblas.h5 2>/dev/null | sed -n 's/.* is number \([0-9]*\):.*/\1/p')
for backend in native openblas; do
    samebits trace --data data.h5 $shape --backend $backend --keep $((row - 1)) -o $backend.h5
done
expect 1 '^ +the first: channel [0-9]+, row [0-9]+, column [0-9]+: [-0-9.e]+ \(-?0x1[.0-9a-f]*p[-+0-9]+\) \| ' \
    samebits bisect native.h5 openblas.h5
# from a run that ends just before: the same file
train --data data.h5 $shape --updates 2 -o late.h5
samebits trace --data data.h5 $shape --update 3 -o trained.h5
samebits trace --data data.h5 $shape --update 3 --start late.h5 -o started.h5
same trained.h5 started.h5
expect 2 '^late.h5: has 2 updates, and 3 are wanted$' \
    samebits trace --data data.h5 $shape --update 4 --start late.h5 -o x.h5
absent x.h5
expect 2 '^native.h5 and trained.h5: traces of two updates, 1 and 3$' samebits bisect native.h5 trained.h5

# ---- kept, or nothing left behind ----
mkdir tmp
TMPDIR=$PWD/tmp bisect copy.h5 shared.h5 >/dev/null 2>&1 || true
rmdir tmp
mkdir tmp
TMPDIR=$PWD/tmp samebits bisect copy.h5 both.h5 --data data.h5 --quiet >/dev/null 2>stopped.txt &
until [ "$(ls tmp)" ] || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
kill -TERM $!
code=0
wait $! || code=$?
[ $code = 143 ] && grep -q '^samebits bisect: interrupted$' stopped.txt || { echo "FAILED: $code"; cat stopped.txt; exit 1; }
rmdir tmp
expect 1 '' bisect copy.h5 shared.h5 -o kept
expect 1 '^first difference: update 2, gradient$' bisect late-copy.h5 late-shared.h5 -o kept
expect 1 '' bisect copy.h5 shared.h5 -o kept # over what is there
expect 1 '^the first of its' samebits bisect kept/a.trace.h5 kept/b.trace.h5

# ---- wrong inputs ----
train --data data.h5 --channels 3,5 --window 5 --updates 1 -o small.h5
train --data other.h5 $shape --updates 1 -o frames.h5
expect 1 '^operation [0-9]+ is (another one|one of another shape): ' bisect copy.h5 small.h5
also '^the only setting that differs: channels .3,16,5 . 3,5.$'
expect 2 "^frames.h5: learned from 'waves' " bisect copy.h5 frames.h5
expect 2 '^copy.h5: learned from .*; name its file with --data$' samebits bisect copy.h5 shared.h5
expect 2 '^nowhere.h5: No such file' bisect copy.h5 nowhere.h5
expect 2 '^copy.h5: is a finished run, not a trace; samebits eval, replay, diff and bisect read it$' bisect copy.h5 native.h5
head -c 20000 native.h5 >cut.h5
expect 7 '^cut.h5: ' samebits bisect native.h5 cut.h5
expect 2 '^samebits trace: wants -o FILE: trace file to write ' samebits trace --data data.h5
