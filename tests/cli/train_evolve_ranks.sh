# Several processes share the individuals of a generation: the run file of one process, but for what names the ranks;
# ended with another number of them, stopped, and what is refused.
samebits-data synth digits --images 300 --test 40 --seed 1 -o digits.h5 2>&1
options="--data digits.h5 --model mlp --widths 16,8 --batch 60 --population 19 --truncation 4 --sigma 0.02 --noise-table 20000
    --quiet"
expect 2 "^--ranks 2: started as 1 process" samebits evolve $options --ranks 2 -o no.h5
command -v samebits-mpi >/dev/null || { echo 'skipped: built without MPI'; exit 77; }
command -v mpiexec.hydra >/dev/null || { echo 'skipped: no mpiexec.hydra'; exit 77; }
ranks() { timeout -s KILL 120 mpiexec.hydra -n "$1" samebits evolve $options "${@:2}"; } # R ARGUMENT...

# ---- the same bits, of a population that no number of ranks divides; 16 ranks have 2, and the last ones none ----
expect 0 '^generations 8 of 19 ' samebits evolve $options --generations 8 -o one.h5
hash=$(grep '^weights' <expect.out)
for n in 2 4 16; do
    expect 0 "^$hash\$" ranks $n --generations 8 --threads $((n == 2 ? 2 : 1)) -o r$n.h5
    [ "$(grep -c '^weights' <expect.out)" = 1 ]
    expect 0 '^same bits over 8 entries' samebits diff one.h5 r$n.h5
    also '^same parents in 8 generations'
    also "^  ranks +1 \| $n\$"
    expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 one.h5 r$n.h5 eval evolution
    expect 0 '^/exchange/seconds$' list_h5 r$n.h5
done
expect 0 'holds' samebits verify r4.h5
expect 0 '^the same bits here over 8 entries' samebits replay r4.h5 --data digits.h5 --quiet --threads 2

expect 0 '^generations 4 ' ranks 2 --backend cuda-on-cpu --generations 4 -o device.h5
expect 0 'continued from generation 4' ranks 4 --backend cuda-on-cpu --generations 8 -o device.h5
expect 0 '^same bits over 8 entries' samebits diff one.h5 device.h5

# ---- what the elite is chosen by, validation, and the library, one individual after the other by all threads ----
deep=$options random=${options/--truncation 4 --sigma 0.02}
for how in '--search random-search' '--hold-out 60 --elite fresh --fitness-batch fresh --validate-every 1' '--backend openblas'; do
    rm -f a.h5 b.h5
    case $how in *random-search) options=$random ;; *) options=$deep ;; esac
    expect 0 '^generations 6 ' samebits evolve $options $how --generations 6 -o a.h5
    expect 0 '^generations 6 ' ranks 2 $how --generations 6 -o b.h5
    expect 0 '^same bits over 6 entries' samebits diff a.h5 b.h5
    expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 a.h5 b.h5 eval evolution
done
samebits-data synth shapes --images 64 --test 16 --seed 1 -o shapes.h5 2>&1
small="--data shapes.h5 --model resnet9 --rung 9 --widths 4,6,6,8 --batch 16 --population 4 --truncation 2 --generations 2"
expect 0 '^generations 2 ' samebits evolve $small --noise-table 20000 --quiet -o s1.h5
expect 0 '^generations 2 ' timeout -s KILL 120 mpiexec.hydra -n 2 samebits evolve $small --noise-table 20000 --quiet -o s2.h5
expect 0 '^same bits over 2 entries' samebits diff s1.h5 s2.h5
expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 s1.h5 s2.h5 eval state

# ---- another number of ranks goes on ----
expect 0 '^generations 3 ' ranks 4 --generations 3 -o other.h5
expect 0 'continued from generation 3' ranks 2 --generations 5 -o other.h5
expect 0 'continued from generation 5' samebits evolve $options --generations 6 -o other.h5
expect 0 'continued from generation 6' ranks 2 --generations 8 -o other.h5
expect 0 '^same bits over 8 entries' samebits diff one.h5 other.h5
expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 one.h5 other.h5 evolution
expect 0 'finished before, nothing to do' ranks 4 --generations 8 -o other.h5
options=$random
expect 0 '^generations 3 ' ranks 2 --search random-search --generations 3 -o random.h5
expect 0 'continued from generation 3' ranks 4 --search random-search --generations 6 -o random.h5
expect 0 '^generations 6 ' samebits evolve $options --search random-search --generations 6 -o random1.h5
expect 0 '^same bits over 6 entries' samebits diff random1.h5 random.h5
options=$deep

# ---- stopped, most probably within a generation; one process goes on, with the bits of ranks that were not stopped ----
ranks 2 --generations 100000 -o asked.h5 >stopped.out 2>&1 &
until [ -s asked.h5.journal ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
for process in /proc/[0-9]*; do # one rank alone is asked to stop
    [ "$(readlink "$process/exe")" = "$(command -v samebits-mpi)" ] || continue
    if tr '\0' ' ' <"$process/cmdline" 2>/dev/null | grep -q -- '-o asked.h5 '; then kill -TERM "${process##*/}"; break; fi
done
wait $! || true
grep -q 'stopped after update [0-9]* of 100000; the same command continues from there' stopped.out ||
    { echo 'FAILED: not stopped'; cat stopped.out; exit 1; }
expect 0 'holds' samebits verify asked.h5
done_before=$(sed -n 's/.*stopped after update \([0-9]*\) of.*/\1/p' stopped.out)
expect 0 "continued from generation $done_before\$" samebits evolve $options --generations $((done_before + 2)) -o asked.h5
expect 0 "^generations $((done_before + 2)) " samebits evolve $options --generations $((done_before + 2)) -o whole.h5
expect 0 '^same bits over' samebits diff whole.h5 asked.h5

# ---- refused, in one sentence ----
expect 2 '^started as 3 ranks, and training is shared by 1, 2, 4, 8 or 16$' ranks 3 --generations 3 -o no.h5
expect 2 '^--search deep-ga has no gradients to add up: choose --shards 1$' ranks 2 --shards 2 --generations 3 -o no.h5
[ "$(wc -l <expect.out)" = 1 ]
expect 2 '^--truncation 20 parents cannot be chosen from --population 19' ranks 2 --truncation 20 -o no.h5
[ "$(wc -l <expect.out)" = 1 ]
expect 2 "^rank 1 of 2 .* has sigma '0\.5', and rank 0 has sigma '0\.02'" timeout -s KILL 60 mpiexec.hydra \
    -n 1 samebits evolve $options -o no.h5 : -n 1 samebits evolve $options --sigma 0.5 -o no.h5
absent no.h5
