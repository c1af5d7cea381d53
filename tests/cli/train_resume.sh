# A run that was killed, stopped or given more updates goes on with the bits of one that never was: in weights, in the
# hash chain and in the sketches.
if [ "${SB_TEST_SLOW-}" ]; then size=24x16; else size=48x32; fi # so that the delays below fall into the training
make_file video data.h5 $size 200 1
make_file video other.h5 $size 200 2
train="samebits train --data data.h5 --channels 3,8,16 --window 20 --quiet"

weights() { samebits train --data data.h5 --channels 3,8,16 --window 20 --quiet "$@" 2>/dev/null | grep '^weights'; }

expect 0 "^updates 6 .*" $train --updates 6 -o full.h5
hash=$(weights --updates 6 -o full.h5)
make_file sketches full.h5 >full.sketches

# gone_on FILE UPDATES...: FILE is a run now that differs from full.h5 in nothing that counts
gone_on() {
    expect 0 "^same bits over 6 entries, up to update 6\$" samebits diff full.h5 "$1"
    if [ "$(weights --updates 6 -o "$1")" != "$hash" ]; then echo "FAILED: $1 has other weights"; exit 1; fi
    make_file sketches "$1" >gone_on.sketches
    same full.sketches gone_on.sketches
    absent "$1.part" "$1.journal"
}

# ---- 3 updates, killed after the checkpoint, 3 more ----
for attempt in 1 2 3 4 5; do # where the machine is so busy that the run is over before the kill, once more
    rm -f killed.h5*
    $train --updates 6 --checkpoint-every 3 -o killed.h5 >killed.out 2>&1 &
    while [ ! -e killed.h5 ] && kill -0 $!; do sleep 0.01; done
    kill -KILL $! || true
    wait $! || true
    [ -e killed.h5.journal ] && break
done
expect 5 '^killed.h5: not finished; ' samebits chain killed.h5 -o chain.h5
absent chain.h5
expect 0 "killed.h5: continued from update 3\$" $train --updates 6 --checkpoint-every 3 -o killed.h5
gone_on killed.h5

# ---- killed at any moment, most of them inside a checkpoint ----
if [ "${SB_TEST_SLOW-}" ]; then delays='0.06 0.15 0.3'; else delays='0.03 0.06 0.1 0.15 0.2 0.3'; fi
for delay in $delays; do
    $train --updates 6 --checkpoint-every 1 -o moment.h5 >/dev/null 2>&1 &
    sleep $delay
    kill -KILL $! 2>/dev/null || true
    wait $! || true
    if [ -e moment.h5 ]; then expect 0 "^same bits over" samebits diff full.h5 moment.h5; fi
    expect 0 "^$hash\$" $train --updates 6 --checkpoint-every 1 -o moment.h5 --threads 2
    gone_on moment.h5
    rm moment.h5
done

# ---- again and again, without any checkpoint but the last ----
for delay in 0.05 0.1 0.15; do
    $train --updates 6 -o often.h5 >/dev/null 2>&1 &
    sleep $delay
    kill -KILL $! 2>/dev/null || true
    wait $! || true
done
expect 0 "^$hash\$" $train --updates 6 -o often.h5
gone_on often.h5

# ---- a journal record with changed bytes does not count, nor what follows it ----
$train --updates 6 -o journal.h5 >/dev/null 2>&1 &
while [ ! -s journal.h5.journal ] && kill -0 $!; do sleep 0.01; done
kill -KILL $! 2>/dev/null || true
wait $! || true
if [ -s journal.h5.journal ]; then
    printf 'XXXX' | dd of=journal.h5.journal bs=1 seek=20 conv=notrunc 2>/dev/null
fi
expect 0 "^$hash\$" $train --updates 6 -o journal.h5
gone_on journal.h5

# ---- killed before its first checkpoint, then started with other options: the old journal is not of this run ----
for attempt in 1 2 3 4 5; do
    rm -f other.h5.run*
    $train --updates 6 --seed 2 -o other.h5.run >/dev/null 2>&1 &
    while [ ! -s other.h5.run.journal ] && kill -0 $!; do sleep 0.01; done
    kill -KILL $! 2>/dev/null || true
    wait $! || true
    [ -s other.h5.run.journal ] && break
done
cp other.h5.run.journal other.journal
expect 0 "^other.h5.run: an interrupted run with other options or data is set aside, and training starts from the beginning$" \
    $train --updates 6 -o other.h5.run
gone_on other.h5.run
same other.journal other.h5.run.journal.old

# ---- finished, and then more ----
expect 0 "full.h5: finished before, nothing to do" $train --updates 6 -o full.h5
expect 0 "full.h5: finished before, nothing to do" $train --updates 6 -o full.h5
expect 2 "^full.h5: this run has 6 updates, and 3 are asked for; train the shorter run into another file" $train --updates 3 -o full.h5
expect 0 "^updates 3 " $train --updates 3 -o longer.h5
expect 0 "longer.h5: continued from update 3\$" $train --updates 6 -o longer.h5
gone_on longer.h5

# ---- another experiment in the same file ----
refused() { # NAME FOUND ASKED options...
    local name=$1 found=$2 asked=$3
    shift 3
    expect 2 "^longer.h5: holds a run with $name '$found', not '$asked'; choose another -o or remove it\$" \
        $train --updates 6 -o longer.h5 "$@"
}
cp longer.h5 longer.before
refused seed 1 2 --seed 2
refused target copy shared --target shared
refused lr 0.001.* 0.002.* --lr 0.002
refused window 20 10 --window 10
refused channels 3,8,16 3,8 --channels 3,8
refused arithmetic winograd direct --arithmetic direct
refused backend native openblas --backend openblas
refused data_digest '[0-9a-f]+' '[0-9a-f]+' --data other.h5
same longer.h5 longer.before
absent longer.h5.part longer.h5.journal
