# Validation while a network that classifies learns: rows for each look, the same bits with and without, the report of
# overfitting, and a training that stops early and has its best epoch as the result, also after an interruption.
samebits-data synth shapes --images 128 --test 20 --seed 1 -o shapes.h5 2>&1
train="samebits train --data shapes.h5 --model resnet9 --widths 4,4,4,4 --batch 32 --quiet --chain-every 1"

expect 0 '^test images 20  right [0-9]+  with mirror images [0-9]+  cross-entropy [0-9.]+$' $train --epochs 3 -o without.h5
expect 0 '^best validation after epoch [123]$' $train --epochs 3 --validate-every 1 -o with.h5
expect 0 '^same bits over 12 entries' samebits diff without.h5 with.h5
list_h5 with.h5 >names.txt
for column in epoch update correct correct_flipped loss cross_entropy train_loss seconds; do
    grep -qx "/validation/$column" names.txt || { echo "FAILED: no /validation/$column"; exit 1; }
done
grep -qx /eval/class_cross_entropy names.txt
# what the last look found of images that were held out, eval finds again in the finished run
${train/--quiet/} --hold-out 32 --epochs 3 --validate-every 3 -o held.h5 >held.log 2>&1
expect 0 '^n 32  loss [0-9.]+  cross_entropy [0-9.]+  correct [0-9]+  correct_flipped [0-9]+$' \
    samebits eval --data shapes.h5 --images held-out held.h5
right=$(sed 's/.*correct \([0-9]*\)  .*/\1/' expect.out)
grep -q "epoch 3: $(awk -v right="$right" 'BEGIN { printf "%.2f", 100 * right / 32 }') % right" held.log
expect 0 '^n 96  loss' samebits eval --data shapes.h5 --images training held.h5
expect 0 '^n 20  loss' samebits eval --data shapes.h5 held.h5
expect 2 '^this run held out no images: its network was trained without --hold-out$' \
    samebits eval --data shapes.h5 --images held-out with.h5
samebits-data synth digits --images 32 --seed 1 -o digits.h5 2>&1
samebits train --model autoencoder --data digits.h5 --hidden 4 --batch 16 --updates 2 --quiet -o auto.h5 >auto.log
expect 2 '^--images is for networks that classify, and autoencoder is none$' \
    samebits eval --data digits.h5 --images test auto.h5
expect 0 '^n [0-9]+  loss [0-9.]+  sd' samebits eval --data digits.h5 auto.h5

if list_h5 without.h5 | grep validation; then echo 'FAILED: validated, and nobody asked for it'; exit 1; fi
expect 0 '^ +validate_every +0 \| 1$' samebits diff without.h5 with.h5

# at a rate that is too high the first epoch is the best one
stops="$train --hold-out 32 --early-stop on --validate-every 1 --patience 2 --epochs 40 --lr 2"
expect 0 '^stopped early after update 9$' $stops -o early.h5
expect 0 '^loud.h5: stopped early after update 9: no better validation for 2 epochs; the result has the weights of update 3$' \
    ${stops/--quiet/} -o loud.h5
expect 0 '^updates 3 .*' $stops -o early.h5 # and the same command again has nothing to do
expect 0 'finished before, nothing to do' $stops -o early.h5
expect 0 '^overfitting from epoch 3 on' $stops -o early.h5
expect 0 'holds, 3 updates' samebits verify early.h5
expect 0 '^the same bits here over 3 entries' samebits replay early.h5 --data shapes.h5 --quiet
absent early.h5.best early.h5.journal
expect 0 '^updates 5 ' $stops --updates 5 -o done.h5
expect 2 '^done.h5: its best epoch is not kept any more' $stops --updates 6 -o done.h5
expect 2 "done.h5: holds a run with patience '2', not '3'" $stops --patience 3 -o done.h5

# killed at one of its writes, whichever; a machine without such faults has the rest
fault=$SB_BUILD/bin/fault
mkdir out
interrupted="$stops --checkpoint-every 1 --input prefetch --threads 2 -o out/run.h5"
if "$fault" --below "$PWD/out" --log calls -- $interrupted >said 2>&1; then
    n=$(wc -l <calls)
    if [ "${SB_TEST_SLOW-}" ]; then parts=5; else parts='3 5 7'; fi
    for part in $parts; do
        rm out/*
        "$fault" --below "$PWD/out" --log calls --at $((n * part / 8)) --error KILL -- $interrupted >said 2>&1 || true
        [ -e out/run.h5.best ] || { echo 'FAILED: the best epoch so far is not kept'; exit 1; }
        expect 0 '^stopped early after update 9$' $interrupted
        expect 0 '^same bits over 3 entries' samebits diff early.h5 out/run.h5
        absent out/run.h5.best
    done
fi

expect 2 '^--early-stop on wants --validate-every' $train --hold-out 32 --early-stop on --updates 1 -o no.h5
expect 2 '^--early-stop on wants --hold-out' $train --early-stop on --validate-every 1 --updates 1 -o no.h5
absent no.h5
