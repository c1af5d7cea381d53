# What cannot be trained: one sentence, the right exit code, nothing left behind.
make_file video data.h5 20x12 60 1
make_file images images.h5 8 40 0 1
make_file empty empty.h5
head -c 20000 data.h5 >truncated.h5
echo "not a data set" >text.h5
train="samebits train --channels 3,5,7 --window 5 --updates 2 -o run.h5 --quiet"
sanitized=$(sed -n 's/^SB_SANITIZE:STRING=//p' "$SB_BUILD/CMakeCache.txt")

# refused CODE PATTERN options...: and no file of the run
refused() {
    local code=$1 pattern=$2
    shift 2
    expect "$code" "$pattern" $train "$@"
    absent run.h5 run.h5.part run.h5.journal
}

# ---- the data ----
refused 2 '^missing.h5: No such file or directory$' --data missing.h5
refused 7 '^truncated.h5: has [0-9]+ bytes, and its seal says [0-9]+: cut short$' --data truncated.h5
refused 2 "^text.h5: a text file, not a data set; 'samebits-data convert text' .* 'samebits-report judge' reads tables$" --data text.h5
head -c 700 /dev/zero | tr '\0' '\200' >other.h5
refused 7 '^other.h5: not a sealed file of samebits, or damaged in its first bytes$' --data other.h5
refused 7 '^empty.h5: no /frames, /images or /tokens in it; make one with .samebits-data convert.$' --data empty.h5
refused 2 "^prednet learns from video: name the data set with --data FILE; 'samebits-data synth walk -o walk.h5' makes one$"
refused 2 '^images.h5: holds images, but prednet learns from video$' --data images.h5
expect 2 '^data.h5: holds video frames, but autoencoder learns from images$' \
    samebits train --updates 2 -o run.h5 --quiet --data data.h5 --model autoencoder
refused 2 'frames of 20x12 do not divide by 8: PredNet with 4 layers halves them 3 times' \
    --data data.h5 --channels 3,5,7,9
refused 2 'the first of PredNet.s channels is 3, the colors, not 4' --data data.h5 --channels 4,5
refused 2 'the data set holds 60 frames in 1 sequence, not one window of 61' --data data.h5 --window 61
expect 2 'the data set has 40 images to learn from, not one batch of 41' \
    samebits train --updates 2 -o run.h5 --quiet --data images.h5 --model autoencoder --batch 41
make_file video damaged.h5 20x12 60 1
place=$(grep -abo -m1 SNOD damaged.h5 | head -1 | cut -d: -f1)
printf 'XXXX' | dd of=damaged.h5 bs=1 seek="$place" conv=notrunc 2>/dev/null
refused 7 '^damaged.h5: damaged: the SHA-256 of its bytes is [0-9a-f]{16}..., and its seal says [0-9a-f]{16}...$' --data damaged.h5
make_file reseal damaged.h5
refused 7 '^damaged.h5: ' --data damaged.h5

# ---- the words ----
refused 2 "^samebits train: unknown option '--dta'" --dta data.h5
refused 2 "^samebits train: --lr wants a number in \[0, 100\] or auto, not '101'" --data data.h5 --lr 101
refused 2 "^samebits train: --window wants a whole number in \[1, 250\], not '0'" --data data.h5 --window 0
refused 2 "^samebits train: --threads wants a whole number in \[1, 256\], not 'two'" --data data.h5 --threads two
refused 2 "^samebits train: --target wants one of copy\|shared, not 'both'" --data data.h5 --target both
refused 2 "^samebits train: --channels wants at most 16 whole numbers" --data data.h5 --channels 3,,5
refused 2 "^samebits train: unexpected argument 'again'" --data data.h5 again
refused 2 "^samebits train: --backend wants one of native\|openblas\|[a-z|-]*, not 'cpu'$" --data data.h5 --backend cpu
refused 2 "^OpenBLAS has no kernel type 'Sandwich' that runs on this CPU" \
    --data data.h5 --backend openblas --blas-kernel Sandwich
# a kernel type whose instructions this CPU has not; where it has them, the type runs
if grep -qw avx512vl /proc/cpuinfo; then
    expect 0 "" samebits train --channels 3,5,7 --window 5 --updates 1 --quiet --data data.h5 --backend openblas \
        --blas-kernel SkylakeX -o has.h5
else
    refused 4 "^OpenBLAS's kernel type 'SkylakeX' needs AVX-512, which this CPU has not$" \
        --data data.h5 --backend openblas --blas-kernel SkylakeX
fi
expect 2 '^samebits train: wants -o FILE: run file to write' samebits train --data data.h5
mkfifo pipe
expect 2 '^pipe: a pipe, not a regular file; name another output$' timeout 60 $train --data data.h5 -o pipe
[ -p pipe ]
absent pipe.part pipe.journal
cp data.h5 kept.h5
expect 2 '^data.h5: is a data set, not a finished run or checkpoint; samebits train --data reads it$' $train --data data.h5 -o data.h5
cmp data.h5 kept.h5
expect 1 '^no/such/run.h5: No such file or directory$' $train --data data.h5 -o no/such/run.h5

# ---- an instruction set that is not there ----
refused 2 "^samebits train: --isa wants one of auto\|avx512\|avx2\|neon\|plain, not 'sse9'" --data data.h5 --isa sse9
expect 2 "^unknown instruction set 'sse9' \(one of avx512, avx2, neon, plain\)$" env SAMEBITS_ISA=sse9 $train --data data.h5
other=$([ "$(uname -m)" = aarch64 ] && echo avx2 || echo neon) # of another architecture
refused 4 "^this program has no $other; the best it has is" --data data.h5 --isa $other
for isa in avx2 avx512; do
    [ $other = neon ] || continue
    flag=$([ $isa = avx512 ] && echo avx512dq || echo avx2)
    if grep -qw "$flag" /proc/cpuinfo; then continue; fi
    refused 4 "^this (CPU|program) has no $isa; the best it has is" --data data.h5 --isa $isa # a sanitizers' build has kernels that run here
done

# ---- what it goes on from: weights that were changed, under a seal made anew ----
expect 0 '^updates 2 ' $train --data data.h5 -o nan.h5
make_file damage nan.h5 param/conv_p0/b 1 nan
expect 7 '^nan.h5: changed after it was written: the hash of its weights is' $train --data data.h5 -o nan.h5 --updates 4
samebits train --data data.h5 --channels 3,5,7 --window 5 --quiet --updates 100000 -o nan.h5.new >/dev/null 2>&1 &
while [ ! -s nan.h5.new.journal ] && kill -0 $!; do sleep 0.02; done
kill -TERM $!
wait $! || true
make_file damage nan.h5.new param/conv_p0/b 1 nan
expect 7 '^nan.h5.new: changed after it was written: the hash of its weights is' \
    $train --data data.h5 -o nan.h5.new --updates 100000

# ---- memory ----
if [ -z "$sanitized" ]; then
    limited() { (ulimit -v 300000 && exec "$@"); }
    make_file video large.h5 160x120 25 1
    expect 1 'not enough memory: [0-9]+\.[0-9] MiB asked' limited samebits train --data large.h5 --updates 1 -o run.h5
    absent run.h5 run.h5.part run.h5.journal
else
    echo "left out: a limit on memory, under sanitizers"
fi
