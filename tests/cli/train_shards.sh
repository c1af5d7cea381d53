# A batch in shards: another order of the same sum, that threads, instruction sets, backends in the written order and
# interruptions do not change; what does not divide the batch is refused with what does.
make_file images data.h5 8 64 5 1
make_file video video.h5 16x16 40 1
train="samebits train --data data.h5 --model autoencoder --hidden 8 --batch 8 --quiet --chain-every 1"

expect 0 '^ +--shards N .*\[1\]' samebits train --help
for n in 1 2 4 8; do
    expect 0 '^updates 10 ' $train --shards $n --updates 10 -o s$n.h5
    if [ "${SB_TEST_SLOW-}" ] && [ $n != 4 ]; then continue; fi
    expect 0 '^updates 4 ' $train --shards $n --updates 4 -o again.h5
    expect 0 'continued from update 4' $train --shards $n --updates 10 --threads 3 --isa plain -o again.h5
    expect 0 '^same bits over 10 entries' samebits diff s$n.h5 again.h5
    expect 0 '^the same bits here over 10 entries' samebits replay s$n.h5 --data data.h5 --quiet
    expect 0 '^the same bits here over 10 entries' samebits replay s$n.h5 --data data.h5 --backend cuda-on-cpu --quiet
    expect 0 'holds' samebits verify s$n.h5
    rm again.h5
done
expect 0 '^updates 10 ' $train --updates 10 -o none.h5
expect 0 '^same bits over 10 entries' samebits diff s1.h5 none.h5 # one shard is the default
expect 1 'shards +1 +\| +4' samebits diff s1.h5 s4.h5
expect 1 'first difference: update 1, batch' samebits diff s2.h5 s4.h5 # the hash of the shards' hashes
expect 1 'the only setting that differs: shards .2 . 8.' samebits bisect s2.h5 s8.h5 --data data.h5 --quiet

expect 2 '^--shards 3 does not divide a batch of 8 as it must: choose 1, 2, 4 or 8$' $train --shards 3 -o no.h5
expect 2 '^--shards 16 does not divide a batch of 8 as it must: choose 1, 2, 4 or 8$' $train --shards 16 -o no.h5
expect 2 "^samebits train: --shards wants a whole number in \[1, 16\], not '32'" $train --shards 32 -o no.h5
expect 2 '^--shards 2 does not divide a batch of 1 as it must: choose 1$' \
    samebits train --data video.h5 --channels 3,4 --window 5 --shards 2 -o no.h5
expect 2 '^the data set has 1 sequence, and a batch wants 2 side by side$' \
    samebits train --data video.h5 --channels 3,4 --window 5 --batch 2 -o no.h5
absent no.h5
expect 2 "s4.h5: holds a run with shards '4', not '2'" $train --shards 2 --updates 12 -o s4.h5

# ---- PredNet: sequences side by side are the samples of its batch; the last one is left over ----
samebits-data synth walk --size 24x16 --frames 90 --sequences 9 --seed 1 -o walks.h5 2>/dev/null
walks="samebits train --data walks.h5 --channels 3,4 --window 3 --batch 4 --quiet"
expect 0 '^updates 9 ' $walks --updates 9 -o w1.h5 # three windows of four sequences, of four others, of the first again
expect 0 '^updates 9 ' $walks --shards 2 --updates 9 -o w2.h5
expect 0 '^updates 5 ' $walks --shards 2 --updates 5 -o half.h5
expect 0 'continued from update 5' $walks --shards 2 --updates 9 --threads 2 -o half.h5
expect 0 '^same bits over 9 entries' samebits diff w2.h5 half.h5
expect 1 'first difference: update 1, batch' samebits diff w1.h5 w2.h5
expect 0 '^the same bits here over 9 entries' samebits replay w2.h5 --data walks.h5 --quiet
expect 0 'holds' samebits verify w2.h5
expect 0 '^n 81  loss ' samebits eval w2.h5 --data walks.h5
make_file video uneven.h5 16x16 40 1 18
expect 2 '^sequence 1 has 7 windows, and sequence 0, which would be in the same batch, 6: ' \
    samebits train --data uneven.h5 --channels 3,4 --window 3 --batch 2 -o no.h5
expect 2 'of one sequence at a time' samebits gradients --data walks.h5 --channels 3,4 --window 3 --batch 4 --updates 2 -o no.csv
