# Synthetic data by the program: the same bytes each time, the digests written down, nothing left when stopped.
expect 0 'walk.h5: 60 frames of 48x32' samebits-data synth walk --size 48x32 --frames 60 --sequences 2 -o walk.h5
expect 0 'walk.h5: walk, 60 frames of 48x32, 2 sequences' samebits-data verify walk.h5
mkdir again
samebits-data synth walk --size 48x32 --frames 60 --sequences 2 -o again/walk.h5
same walk.h5 again/walk.h5
samebits-data synth walk --size 48x32 --frames 60 --seed 2 -o again/walk.h5
if cmp -s walk.h5 again/walk.h5; then echo 'FAILED: the seed changes nothing'; exit 1; fi
expect 0 'digest 40b0cc893920886676993832227dd40a' samebits-data verify walk.h5

# one picture that moves evenly
motion() { samebits-data synth motion --size 48x32 "$@"; }
expect 0 'motion.h5: 257 frames of 48x32' motion --frames 257 -o motion.h5
expect 0 'motion.h5: motion, 257 frames of 48x32, 1 sequence, digest dd012bfa9f2758af812028b0f4099c4d' samebits-data verify motion.h5
motion --frames 257 -o again/motion.h5
same motion.h5 again/motion.h5
motion --frames 2 --sequences 2 --speed 0.5 -o first.h5
motion --frames 2 --speed 0 -o still.h5
motion --frames 2 --speed 128 -o fast.h5
motion --frames 2 --speed 0.25 -o slow.h5
[ "$(samebits-data verify first.h5 still.h5 fast.h5 slow.h5 | sed 's/.*digest //' | sort -u | wc -l)" = 4 ]

# the placebo: what stands still gives both targets the same bits, what moves does not
for speed in 0 1; do
    samebits-data synth motion --size 16x16 --frames 12 --speed $speed -o speed.h5
    for target in copy shared; do
        samebits train --data speed.h5 --channels 3,4 --window 4 --updates 3 --target $target --quiet -o $target$speed.h5
    done | sed -n 's/^weights //p' | sort -u | wc -l
done >n_weights 2>said
[ "$(tr '\n' ' ' <n_weights)" = '1 2 ' ] || { cat n_weights said; echo 'FAILED: the placebo'; exit 1; }

expect 0 'digits.h5: 300 images and 50 test images' samebits-data synth digits --images 300 --test 50 -o digits.h5
expect 0 'digest a56482530160229721de2281b11a3e50' samebits-data verify digits.h5
expect 0 'shapes.h5: 200 images and 30 test images' samebits-data synth shapes --images 200 --test 30 -o shapes.h5
expect 0 'shapes, 200 images and 30 test images of 32x32x3 of 10 classes, digest 5fd205c00d566818d6a931ed2dc0605a' samebits-data verify shapes.h5

expect 2 'speed wants a number in \[0, 128\]' samebits-data synth motion --speed 129 -o bad.h5
expect 2 "^samebits-data synth walk: --output wants a path, not ''\$" samebits-data synth walk --frames 2 -o ''
absent .part
expect 2 'sequences 3 is more than --frames 2' samebits-data synth walk --frames 2 --sequences 3 -o bad.h5
expect 2 "frames wants a whole number in \[1, 1000000\], not '0'" samebits-data synth walk --frames 0 -o bad.h5
absent bad.h5 bad.h5.part
(
    ulimit -f 8
    expect 1 'File too large' samebits-data synth walk --frames 60 -o bad.h5
)
absent bad.h5 bad.h5.part

# two processes that write one file: the second gives up, and the first is not disturbed
slow() { samebits-data synth walk --size 160x120 --frames 300 -o "$1"; }
slow again/one.h5
slow one.h5 &
pid=$!
while [ ! -s one.h5.part ]; do kill -0 $pid; sleep 0.02; done
kill -STOP $pid
code=0
slow one.h5 >said 2>&1 || code=$?
kill -CONT $pid # before anything can fail: a stopped process would keep the test from ending
[ "$code" = 2 ]
grep -qx 'one.h5: locked: another process is writing this file' said
[ -s one.h5.part ]
wait $pid
absent one.h5.part
same one.h5 again/one.h5

# stopped: code 143 and nothing left; killed: a part that the next run writes over
for signal in TERM KILL; do
    samebits-data synth walk --frames 100000 -o bad.h5 &
    pid=$!
    while [ ! -s bad.h5.part ]; do kill -0 $pid; sleep 0.02; done
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    absent bad.h5
    if [ $signal = TERM ]; then
        test $code = 143
        absent bad.h5.part
    fi
done
expect 0 'bad.h5: 2 frames' samebits-data synth walk --size 48x32 --frames 2 -o bad.h5
absent bad.h5.part
