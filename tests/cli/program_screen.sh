# Colour where a terminal is and nowhere else; and no control code of others' files on a terminal or in a log: a file with
# escapes in its name, a run file with escapes in what it says.
command -v script >/dev/null || { echo "skipped: no script, which makes a terminal"; exit 77; }
terminal() { script -qec "$1" typescript >/dev/null </dev/null || true; }
esc=$'\033'

make_file video data.h5 20x12 60 1
train() { samebits train --quiet --data data.h5 --channels 3,5 --window 4 --updates 2 "$@" >/dev/null; }
train -o run.h5
cp run.h5 damaged.h5
printf x | dd of=damaged.h5 bs=1 seek=2000 conv=notrunc status=none
cp run.h5 "evil${esc}]0;title"$'\a'"${esc}[31m.h5"

# colour: on a terminal, with the word it goes with
unset NO_COLOR
terminal 'TERM=xterm samebits verify run.h5 damaged.h5'
grep -qF "run.h5: run: ${esc}[32mholds${esc}[0m, " typescript
grep -qF "${esc}[1;31mFAILS${esc}[0m: " typescript
for plain in 'NO_COLOR=1 TERM=xterm' TERM=dumb; do
    terminal "env $plain samebits verify run.h5 damaged.h5"
    grep -q 'run.h5: run: holds, ' typescript
    if grep -q "$esc" typescript; then echo "FAILED: colour with $plain"; exit 1; fi
done
expect 7 '^run.h5: run: holds, ' samebits verify run.h5 damaged.h5
if grep -q "$esc" expect.out; then echo "FAILED: colour in a file"; exit 1; fi

# what others named and wrote
hostile() {
    if grep -q "$esc\[31\|$esc\]\|"$'[\a]' "$1"; then
        echo "FAILED: control codes in $1:"
        cat -v "$1"
        exit 1
    fi
    grep -q $'\xEF\xBF\xBD'"\[31m" "$1"
}
terminal 'TERM=xterm samebits verify evil*'
hostile typescript
samebits verify evil* >log 2>&1 || true
hostile log
samebits verify . >log 2>&1 || true
hostile log
# a setting of the environment that the run file keeps
CUDA_DEVICE_ORDER="${esc}[31mred" train -o other.h5
samebits diff run.h5 other.h5 >log 2>&1
hostile log
terminal 'TERM=xterm samebits diff run.h5 other.h5'
hostile typescript
samebits diff run.h5 other.h5 --json >diff.json
hostile diff.json
# an error of a file that is not there
got=0
samebits diff run.h5 "none${esc}[31m.h5" >log 2>&1 || got=$?
[ $got != 0 ]
hostile log
