# Training without gradients: the same bits from any number of threads and instruction set, after an interruption, a kill
# and again; the best loss never rises; where parents differ; what is refused.
samebits-data synth digits --images 300 --test 40 --seed 1 -o digits.h5 2>&1
evolve="samebits evolve --data digits.h5 --model mlp --widths 16,8 --batch 60 --population 16 --truncation 4 --sigma 0.02
    --noise-table 20000 --quiet"
step=${evolve#samebits evolve}
hash() { grep '^weights'; }

# ---- bits ----
expect 0 '^generations 8 of 16  loss ' $evolve --generations 8 -o whole.h5
also '^test images 40  right '
hash=$(hash <expect.out)
for how in '--threads 2' '--threads 3 --isa plain' '--backend cuda-on-cpu'; do
    rm -f how.h5
    expect 0 "^$hash\$" $evolve $how --generations 8 -o how.h5
done
expect 0 'holds' samebits verify whole.h5
expect 0 '^n 40  loss ' samebits eval whole.h5 --data digits.h5
# the same by the name of train, as a matrix file has it, and as one hash
expect 0 '^generations 8 of 16  loss ' samebits train --search deep-ga ${evolve#samebits evolve} --updates 8 -o train.h5
expect 0 '^same bits over 8 entries' samebits diff whole.h5 train.h5
expect 0 '^nothing differs in config' samebits diff whole.h5 train.h5
expect 0 "^${hash#weights }\$" samebits step --search deep-ga ${step%--quiet} --windows 8

# ---- where two runs choose other parents; a run repeated, and without its weights ----
expect 0 '^same parents in 8 generations, up to generation 7$' samebits diff whole.h5 train.h5
expect 0 '^generations 8 ' $evolve --sigma 0.1 --generations 8 -o other.h5
expect 1 '^first difference: update 2, parents$' samebits diff whole.h5 other.h5
also '^first other parents: generation 1, [1-4] of them$'
also '^  loss of the last one chosen: 2\.[0-9]+ against 2\.[0-9]+$'
also '^  gap to the first refused: '
expect 1 '"first_other_parents": 1,' samebits diff --json whole.h5 other.h5
also '"same_parents": false'
expect 0 '"same_parents": true' samebits diff --json whole.h5 train.h5
expect 0 '^the same bits here over 8 entries' samebits replay whole.h5 --data digits.h5 --quiet --threads 2
samebits chain whole.h5 -o chain.h5
expect 0 '^same parents in 8 generations' samebits diff whole.h5 chain.h5

# ---- going on: after three generations, killed at any moment, stopped ----
expect 0 '^generations 3 ' $evolve --generations 3 -o again.h5
expect 0 'again.h5: continued from generation 3$' $evolve --generations 8 --threads 2 -o again.h5
expect 0 '^same bits over 8 entries' samebits diff whole.h5 again.h5
for backend in cuda-on-cpu openblas; do # weights that are rebuilt are the live ones there, too, or it would not go on
    expect 0 '^generations 3 ' $evolve --backend $backend --generations 3 -o on.h5
    expect 0 'on.h5: continued from generation 3$' $evolve --backend $backend --generations 8 -o on.h5
    [ $backend = openblas ] || expect 0 '^same bits over 8 entries' samebits diff whole.h5 on.h5
    rm on.h5
done
if [ "${SB_TEST_SLOW-}" ]; then n=100; else n=400; fi
long="$evolve --generations $n --checkpoint-every 50"
expect 0 "^generations $n " $long -o long.h5
hash=$(hash <expect.out)
for delay in 0.05 0.1 0.2; do
    $long -o killed.h5 >/dev/null 2>&1 &
    sleep $delay
    kill -KILL $! 2>/dev/null || true
    wait $! || true
    expect 0 "^$hash\$" $long --threads 2 -o killed.h5
    expect 0 '^same bits over [14]00 entries' samebits diff long.h5 killed.h5
    absent killed.h5.part killed.h5.journal
    rm killed.h5
done
$evolve --generations 100000 -o stopped.h5 >stopped.out 2>&1 &
while [ ! -s stopped.h5.journal ] && kill -0 $!; do sleep 0.01; done
kill -TERM $!
got=0
wait $! || got=$?
[ $got = 143 ] || { echo "FAILED: stopped with $got"; cat stopped.out; exit 1; }
grep -q 'stopped after update [0-9]* of 100000; the same command continues from there' stopped.out
expect 0 'holds' samebits verify stopped.h5
expect 0 '^same bits over' samebits diff long.h5 stopped.h5

# ---- random search, what is fresh, and other networks ----
expect 2 '^--truncation: search random-search has no truncation; search deep-ga has it$' $evolve --search random-search -o no.h5
random="${evolve/--truncation 4 --sigma 0.02} --search random-search"
expect 0 '^generations 8 of 16' $random --generations 8 -o random.h5
expect 0 '^generations 3 of 16' $random --generations 3 -o some.h5
expect 0 'continued from generation 3' $random --generations 8 -o some.h5
expect 0 '^same bits over 8 entries' samebits diff random.h5 some.h5
fresh="$evolve --hold-out 60 --elite fresh --fitness-batch fresh"
expect 0 '^generations 6 ' $fresh --generations 6 -o fresh.h5
expect 0 '^generations 3 ' $fresh --generations 3 --threads 2 -o part.h5
expect 0 'continued from generation 3' $fresh --generations 6 --threads 2 -o part.h5
expect 0 '^same bits over 6 entries' samebits diff fresh.h5 part.h5
expect 0 '^generations 3 ' ${fresh/--truncation 4 --sigma 0.02} --search random-search --generations 3 -o fresh_random.h5
samebits-data synth shapes --images 64 --test 16 --seed 1 -o shapes.h5 2>&1
small="--population 4 --truncation 2 --noise-table 20000 --generations 2 --quiet"
for rung in 0 9; do
    expect 0 '^generations 2 ' samebits evolve --data shapes.h5 --model resnet9 --rung $rung --widths 4,6,6,8 --batch 16 $small -o r$rung.h5
    expect 0 '^generations 2 ' samebits evolve --data shapes.h5 --model resnet9 --rung $rung --widths 4,6,6,8 --batch 16 $small --threads 2 -o s$rung.h5
    expect 0 '^same bits over 2 entries' samebits diff r$rung.h5 s$rung.h5
done
expect 0 '^generations 2 ' samebits evolve --data digits.h5 --model lenet --widths 4,5,6 --batch 20 $small -o lenet.h5
printf '%s\n' 'conv 4 3' relu 'pool 4' 'dense 10' >own.layers
expect 0 '^generations 2 ' samebits evolve --data digits.h5 --layers own.layers --model layers --batch 20 $small -o own.h5

# ---- refused, with a sentence that says what to do ----
expect 2 '^--truncation 17 parents cannot be chosen from --population 16; choose at most that number' $evolve --truncation 17 -o no.h5
expect 2 "--sigma wants a number in \[1e-06, 10\], not '0'" $evolve --sigma 0 -o no.h5
expect 2 '^--noise-table 1000: the network has 3378 weights, .* choose at least this number' $evolve --noise-table 1000 -o no.h5
expect 2 '^--elite fresh chooses by images that are held out: add --hold-out' $evolve --elite fresh -o no.h5
expect 2 '^--fitness-batch fresh: .*hold images out' $evolve --fitness-batch fresh -o no.h5
expect 2 '^--population: search gradient has no population; searches deep-ga and random-search have it$' $evolve --search gradient -o no.h5
expect 2 '^--lr: search deep-ga has no lr; search gradient has it$' $evolve --lr 0.1 -o no.h5
expect 2 '^digits.h5: holds images, but prednet learns from video$' samebits evolve --data digits.h5 -o no.h5
expect 2 'is for networks that classify: .*; not autoencoder' samebits evolve --data digits.h5 --model autoencoder -o no.h5
expect 2 'choose --shards 1' $evolve --shards 2 -o no.h5
expect 2 'leave it out' $evolve --ulp 1 -o no.h5
expect 2 'early-stop is for training by gradients' $evolve --hold-out 60 --early-stop on --validate-every 1 -o no.h5
expect 2 "whole.h5: holds a run with sigma '0.02.*', not '0.0[23]" $evolve --sigma 0.03 --generations 9 -o whole.h5
expect 2 'finds weights without gradients: its operations are not traced$' samebits trace --search deep-ga ${step%--quiet} -o no.h5
absent no.h5
