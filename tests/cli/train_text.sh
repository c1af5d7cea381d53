# Networks that learn from text: the same bits from threads, instruction sets, inputs, ranks and after an interruption; held-out
# loss, its table, text that is drawn, and what is refused.
samebits-data synth text --characters 6000 -o text.h5 2>&1
printf 'embedding 16 8\nresidual\nlayernorm\npointwise 16\ngelu\ndropout 0.1\nend\npointwise classes\n' >words.layers
train="samebits train --model layers --layers words.layers --data text.h5 --batch 8 --optimizer adam --lr 0.01 --quiet"

expect 0 '^updates 6 ' $train --updates 6 -o whole.h5
also '^held-out tokens 592  right [0-9]+  cross-entropy '
weights=$(sed -n 's/^weights //p' expect.out)
step=${train#samebits train}
expect 0 "^$weights\$" samebits step ${step%--quiet} --windows 6
expect 0 '^updates 4 ' $train --updates 4 -o again.h5
expect 0 'continued from update 4' $train --updates 6 --threads 3 --isa plain --input prefetch -o again.h5
expect 0 '^same bits over 6 entries' samebits diff whole.h5 again.h5
expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 whole.h5 again.h5 eval
for how in '--input sync' '--input resident' '--backend cuda-on-cpu' '--threads 7 --input prefetch --input-workers 3 --queue-depth 5'; do
    rm -f how.h5
    expect 0 '^updates 6 ' $train --updates 6 $how -o how.h5
    expect 0 '^same bits over 6 entries' samebits diff whole.h5 how.h5
done
expect 0 '^the same bits here over 6 entries' samebits replay whole.h5 --data text.h5 --threads 2 --quiet
expect 0 'holds, 6 updates' samebits verify whole.h5
samebits chain whole.h5 -o chain.h5
expect 0 '^the same bits here over 6 entries' samebits replay chain.h5 --data text.h5 --quiet
expect 0 '^/characters ' list_h5 whole.h5 characters

# ---- it learns, and what it learned is the same text everywhere ----
expect 0 '^updates 300 ' $train --updates 300 --validate-every 5 -o long.h5
loss() { sed -n 's/.*cross.entropy \([0-9.]*\).*/\1/p' expect.out; }
[ "$(awk -v loss="$(loss)" 'BEGIN { print (loss < 2.2) }')" = 1 ] || { echo "FAILED: a held-out loss of $(loss)"; exit 1; }
expect 0 '^n 592  loss [0-9.]+  cross_entropy [0-9.]+  correct [0-9]+$' samebits eval long.h5 --data text.h5
entropy=$(sed 's/.*cross_entropy \([0-9.]*\).*/\1/' expect.out)
expect 0 '^n [0-9]+  loss ' samebits eval long.h5 --data text.h5 --images training
expect 2 '^--sync-every 3 does not divide the 8 samples of a shard as it must$' $train --sync-every 3 --updates 6 -o no.h5
expect 0 '^class,character,n,correct,cross_entropy$' samebits eval long.h5 --data text.h5 --by-class
also '^[0-9]+,U\+0020,[0-9]+,[0-9]+,[0-9.]+$'
also '^[0-9]+,e,[0-9]+,[0-9]+,[0-9.]+$'
grep -v class expect.out | awk -F, -v e="$entropy" '{ n += $3; sum += $3 * $5 } END { d = sum / n - e; exit !(n == 592 && d * d < 1e-12) }' ||
    { echo 'FAILED: the table does not add up to the loss'; exit 1; }
sample() { samebits sample long.h5 --tokens 60 "$@"; }
sample --seed 3 >drawn
sample --seed 3 --threads 3 --isa plain >threads
sample --seed 3 --backend cuda-on-cpu >device
same drawn threads
same drawn device
[ "$(wc -c <drawn)" = 61 ] || { echo 'FAILED: not 60 characters and a line end'; exit 1; }
sample --seed 4 >other
if cmp -s drawn other; then echo 'FAILED: the seed draws nothing'; exit 1; fi
sample --seed 3 --temperature 0 >likely
sample --seed 4 --temperature 0 >likely4
same likely likely4
sample --seed 3 --temperature 0.001 >cold
same likely cold
expect 0 '^The king' sample --prompt 'The king'

# ---- a file gets the bytes of the text, control characters too; a terminal does not ----
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '\000\033\r\n\357\273\277\342\200\250'; done >control.txt
samebits-data convert text control.txt --hold-out 12 -o control.h5 2>&1
$train --data control.h5 --updates 1 -o control-run.h5 >said
samebits sample control-run.h5 --tokens 60 --temperature 100 >control.out
[ "$(tr -d '\000\033\r\n' <control.out | sed 's/\xEF\xBB\xBF//g; s/\xE2\x80\xA8//g' | wc -c)" = 0 ] ||
    { echo 'FAILED: bytes that are not of the text'; exit 1; }
for byte in '\000' '\033' '\r' '\n' '\250'; do
    [ "$(tr -cd "$byte" <control.out | wc -c)" -gt 1 ] || { echo "FAILED: no byte $byte"; exit 1; }
done
if command -v script >/dev/null; then
    script -qec 'samebits sample control-run.h5 --tokens 60 --temperature 100' control.screen >/dev/null </dev/null
    if sed '1d;$d' control.screen | grep -q "$(printf '\033')"; then echo 'FAILED: an escape on a terminal'; exit 1; fi
fi

# ---- another text, by the same characters ----
printf 'The old king sees a river.\nAnna said: the river!\n' >small.txt
samebits-data convert text small.txt --table text.h5 --hold-out 0 -o small.h5
samebits-data convert text small.txt --hold-out 0 -o foreign.h5
expect 0 '^n 48  loss ' samebits eval long.h5 --data small.h5
expect 0 '^n 592  loss ' samebits eval long.h5 --data text.h5 --images held-out
expect 0 '^n 592  loss ' samebits eval long.h5 --data text.h5 --images test
samebits-data convert text small.txt --table text.h5 --hold-out 8 -o few.h5
for part in auto test held-out; do
    expect 2 '^few\.h5: has no held-out window; convert the text with a larger --hold-out, or choose --images training$' \
        samebits eval long.h5 --data few.h5 --images $part
done
expect 0 '^n 40  loss ' samebits eval long.h5 --data few.h5 --images training
expect 2 '^small\.h5: has no held-out window' samebits eval long.h5 --data small.h5 --images held-out
printf 'king' >four.txt
samebits-data convert text four.txt --table text.h5 --hold-out 0 -o four.h5
expect 2 '^four\.h5: the data set has 4 tokens and 0 held-out tokens, in no part the 9 of one window$' samebits eval long.h5 --data four.h5
samebits-data convert text small.txt --table text.h5 --hold-out 45 -o end.h5
expect 0 '^n 40  loss ' samebits eval long.h5 --data end.h5
expect 2 '^end\.h5: has no window of the tokens to learn from$' samebits eval long.h5 --data end.h5 --images training
expect 2 '^end\.h5: the data set has [0-9] tokens to learn from, not the 9 of one window: choose a context of [0-9] or less$' $train --data end.h5 -o no.h5
expect 2 '^foreign\.h5: has other characters than the run; convert the text with --table' samebits eval long.h5 --data foreign.h5

# ---- NaN predicts no token, not even the last one of 256 ----
LC_ALL=C awk 'BEGIN { for (k = 0; k < 3072; k++) printf "%c", k % 256 }' >all.bytes
samebits-data convert text all.bytes --as bytes -o all.h5 2>&1
expect 1 'diverged' $train --data all.h5 --optimizer sgd --lr 100 --updates 200 -o nan.h5
expect 0 ' cross_entropy -?nan  correct 0$' samebits eval nan.h5 --data all.h5
expect 0 '^255,0xFF,1,0,-?nan$' samebits eval nan.h5 --data all.h5 --by-class

# ---- shards and ranks ----
shards="$train --shards 8 --updates 6"
expect 0 '^updates 6 ' $shards -o s1.h5
expect 0 '^updates 6 ' $shards --threads 2 -o s2.h5
expect 0 '^same bits over 6 entries' samebits diff s1.h5 s2.h5
expect 0 '^updates 6 ' $train --batch 16 --shards 2 --sync-every 4 --updates 6 -o local.h5
expect 0 '^the same bits here over 6 entries' samebits replay local.h5 --data text.h5 --threads 2 --quiet
if command -v samebits-mpi >/dev/null && command -v mpiexec.hydra >/dev/null; then
    for n in 2 4 8; do
        expect 0 '^updates 6 ' timeout -s KILL 120 mpiexec.hydra -n $n samebits ${shards#samebits} -o r$n.h5
        expect 0 '^same bits over 6 entries' samebits diff s1.h5 r$n.h5
        expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 s1.h5 r$n.h5 eval
    done
fi

# ---- why two runs differ ----
expect 0 '^updates 6 ' $train --updates 6 --seed 2 -o seed2.h5
expect 1 '^first difference: update 1, batch$' samebits bisect whole.h5 seed2.h5 --data text.h5 --quiet
also '^the only setting that differs: seed'
expect 0 '^updates 6 ' $train --updates 6 --lr 0.011 -o lr.h5
expect 1 'the only setting that differs: lr' samebits bisect whole.h5 lr.h5 --data text.h5 --quiet

# ---- a transformer: the same, and what its shape must be ----
gpt="samebits train --model gpt --blocks 2 --heads 2 --width 16 --context 16 --dropout 0.1 --batch 8 --data text.h5 --quiet"
expect 0 '^updates 6 ' $gpt --updates 6 -o gpt.h5
expect 0 '^updates 4 ' $gpt --updates 4 -o gpt2.h5
expect 0 'continued from update 4' $gpt --updates 6 --threads 3 --isa plain -o gpt2.h5
expect 0 '^same bits over 6 entries' samebits diff gpt.h5 gpt2.h5
expect 0 '^the same bits here over 6 entries' samebits replay gpt.h5 --data text.h5 --threads 2 --quiet
expect 0 '^updates 6 ' $gpt --shards 8 --updates 6 -o gpt-s1.h5
if command -v samebits-mpi >/dev/null && command -v mpiexec.hydra >/dev/null; then
    for n in 2 4 8; do
        expect 0 '^updates 6 ' timeout -s KILL 120 mpiexec.hydra -n $n ${gpt} --shards 8 --updates 6 -o gpt-r$n.h5
        expect 0 '^same bits over 6 entries' samebits diff gpt-s1.h5 gpt-r$n.h5
    done
fi
expect 0 '^updates 6 ' $gpt --batch 16 --sync-every 2 --shards 2 --updates 6 -o gpt-local.h5
expect 0 '^the same bits here over 6 entries' samebits replay gpt-local.h5 --data text.h5 --quiet
expect 0 '^The king' samebits sample gpt-local.h5 --prompt 'The king' --tokens 9
expect 0 '^updates 6 ' $gpt --updates 6 --backend openblas -o gpt-blas.h5
expect 1 'the only setting that differs: backend ' samebits bisect gpt.h5 gpt-blas.h5 --data text.h5 --quiet
expect 0 '^n 5[0-9]+  loss ' samebits eval gpt.h5 --data text.h5
samebits sample gpt.h5 --tokens 30 --seed 2 >drawn
samebits sample gpt.h5 --tokens 30 --seed 2 --threads 2 --isa plain >again
same drawn again
expect 0 '^10749696 parameters$' samebits layers --model gpt
expect 0 'gpt_f8.h5: holds on native ' samebits check "$SB_SOURCE/tests/golden/learning/gpt_f8.h5"
expect 2 'heads|width' $gpt --heads 3 -o no.h5

# the recipe's limit of the gradient's norm is on record, and can be switched off
expect 0 '^updates 6 ' $gpt --updates 6 --max-norm 0 -o gpt-free.h5
expect 1 'max_norm +1 +\| +0$' samebits diff gpt.h5 gpt-free.h5
expect 0 '^updates 6 ' $gpt --updates 6 --max-norm 1 -o gpt-typed.h5
expect 0 '^same bits over 6 entries' samebits diff gpt.h5 gpt-typed.h5
expect 0 '^the same bits here over 6 entries' samebits replay gpt-free.h5 --data text.h5 --quiet

expect 0 '^1 run like whole\.h5, 592 held-out tokens$' samebits-report churn whole.h5

# ---- what is refused ----
samebits-data synth digits --images 20 --test 5 -o digits.h5 2>&1
expect 2 '^digits\.h5: holds images, but layers learns from text$' $train --data digits.h5 -o no.h5
expect 2 '^text\.h5: holds text, but lenet learns from images$' samebits train --model lenet --data text.h5 -o no.h5
expect 2 '^text\.h5: holds text, but prednet learns from video$' samebits train --data text.h5 -o no.h5
expect 2 '^--hold-out sets images aside' $train --hold-out 5 -o no.h5
for of_images in '--crop 2' '--flip on' '--cutout 3' '--normalise mean' '--brightness 0.1' '--contrast 0.1' '--noise 0.1' '--test-flip on'; do
    expect 2 "^${of_images% *} is for images, but text\\.h5 holds text$" $train $of_images -o no.h5
done
expect 0 '^updates 1 ' $train --crop 0 --flip off --normalise none --updates 1 -o plain.h5
sed 's/embedding 16 8/embedding 16 4000/' words.layers >far.layers
sed 's/embedding 16 8/embedding 16 150/' words.layers >near.layers
samebits-data synth text --characters 1000 -o short.h5 2>&1
expect 2 '^short\.h5: the data set has 900 tokens to learn from, not the 4001 of one window: choose a context of 899 or less$' \
    $train --data short.h5 --layers far.layers -o no.h5
expect 2 '^short\.h5: the data set has 900 tokens to learn from, not the 1001 of one window' $gpt --context 1000 --data short.h5 -o no.h5
expect 2 '^short\.h5: has no held-out window for validation' $train --data short.h5 --layers near.layers --validate-every 1 -o no.h5
expect 2 '^--early-stop on is for images' $train --early-stop on --validate-every 1 -o no.h5
expect 2 '^--prompt: byte 1 is of U\+00E9, which is not among the [0-9]+ characters' samebits sample long.h5 --prompt "$(printf '\303\251')"
expect 2 '^--prompt: byte 2 is no UTF-8$' samebits sample long.h5 --prompt "$(printf 'T\303')"
expect 2 "^samebits sample: 'T.*e' holds a line end or another control character$" samebits sample long.h5 --prompt "$(printf 'T\033e')"
expect 2 'holds a line end or another control character$' samebits sample "$(printf 'long\n.h5')"
lines=$(printf 'Anna:\nThe king')
samebits sample long.h5 --tokens 5 --prompt "$lines" >lines.out
samebits sample long.h5 --tokens 5 --prompt="$lines" >lines2.out
same lines.out lines2.out
[ "$(sed -n 1p lines.out)" = Anna: ] && sed -n 2p lines.out | grep -q '^The king' || { echo 'FAILED: a prompt of two lines'; exit 1; }
expect 2 "prompt wants a text, not ''" samebits sample long.h5 --prompt ''
expect 2 'temperature wants a number in \[0, 100\]' samebits sample long.h5 --temperature -1
expect 2 '^baselines are of videos; this holds text$' samebits-data baselines text.h5
expect 1 'diverged' $train --updates 40 --optimizer sgd --lr 100 -o diverged.h5
expect 0 '^[0-9]+,e,[0-9]+,[0-9]+,nan$' samebits eval diverged.h5 --data text.h5 --by-class
expect 2 '^text\.h5: is a text, and --frames is for networks that make images$' samebits eval long.h5 --data text.h5 --frames 1
expect 2 '^text\.h5: is a text, and --quality is for networks that make images$' samebits eval long.h5 --data text.h5 --quality
samebits train --model autoencoder --data digits.h5 --batch 10 --updates 2 --quiet -o images.h5 2>&1
expect 2 '^images\.h5: autoencoder learned from no text$' samebits sample images.h5
expect 2 '^--by-class is for networks that classify, and autoencoder is none$' samebits eval images.h5 --data digits.h5 --by-class
absent no.h5 no.h5.journal
