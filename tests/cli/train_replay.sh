# replay: does this machine repeat a recorded run, link by link; with another backend, thread count or instruction set.
make_file video data.h5 20x12 60 1
make_file video other.h5 20x12 60 2
make_file images digits.h5 12 60 20 3
train() { samebits train --quiet --updates 6 "$@" >/dev/null; }
train --data data.h5 --channels 3,16,5 --window 5 -o native.h5
train --data data.h5 --channels 3,16,5 --window 5 --arithmetic direct --target shared --seed 4 --ulp 3 --lr 0.002 \
    -o direct.h5
train --data data.h5 --channels 3,16,5 --window 5 --backend openblas --blas-kernel Prescott --threads 2 -o blas.h5
train --data digits.h5 --model autoencoder --batch 7 --hidden 5 --chain-every 4 -o digits-run.h5

for run in native direct blas; do
    expect 0 '^the same bits here over 6 entries, up to update 6$' samebits replay $run.h5 --data data.h5 --quiet
done
expect 0 '^the same bits here over 2 entries, up to update 6$' samebits replay digits-run.h5 --data digits.h5 --quiet
expect 0 '^the same bits here over 6 entries' samebits replay native.h5 --data data.h5 --threads 3 --isa plain
expect 0 '^the same bits here over 6 entries' samebits replay native.h5 --data data.h5 --backend cuda-on-cpu --quiet
expect 0 '^the same bits here over 2 entries, up to update 2$' \
    samebits replay native.h5 --data data.h5 --updates 2 --quiet

# ---- other bits: where, and what is different ----
expect 1 '^first difference: update 1, gradient$' samebits replay native.h5 --data data.h5 --backend openblas --quiet
also '^  kernels +[a-z0-9]+ \| [A-Za-z0-9]+$'
also '^native.h5: other bits here, from update 1 on \(gradient\)$'

make_file foreign native.h5 foreign.h5 4
expect 1 '^first difference: update 4, gradient$' samebits replay foreign.h5 --data data.h5 --quiet
also '^  cpu +of another machine \| '

# ---- a run without its weights: replayed, compared and verified like the run; nothing else is made of it ----
samebits chain direct.h5 -o chain.h5 --every 4
if [ "$(stat -c %s chain.h5)" -ge "$(stat -c %s direct.h5)" ]; then echo "FAILED: chain.h5 is not smaller"; exit 1; fi
expect 0 '^the same bits here over 2 entries, up to update 6$' samebits replay chain.h5 --data data.h5 --quiet
expect 0 '^same bits over 2 entries, up to update 6$' samebits diff chain.h5 direct.h5
expect 1 '^first entry of the chain that differs: 4; recorded losses differ from update 1$' samebits diff chain.h5 native.h5
also '^  differs first in that entry: gradient$'
also '^chain.h5 and native.h5: first entry of the chain that differs: 4; recorded losses differ from update 1$'
expect 0 '^chain.h5: run without its weights: holds, 6 updates, weights [0-9a-f]{32}$' samebits verify chain.h5
samebits chain direct.h5 -o again.h5 --every 4
same chain.h5 again.h5
samebits-data synth digits --images 64 --test 20 --seed 1 -o written.h5 2>&1
samebits train --data written.h5 --model mlp --batch 32 --widths 8 --optimizer lars --lr 0.1 --epochs 2 \
    --validate-every 1 --quiet -o validated.h5 >/dev/null
samebits chain validated.h5 -o validated-chain.h5 --every 1
tables() { list_h5 "$1" validation | grep -E '^/(validation|trust|input)'; } # what a run has, its chain file has
tables validated.h5 >run.tables
tables validated-chain.h5 >chain.tables
same run.tables chain.tables
[ "$(grep -cE '^/(validation/correct|validation n|trust/ratio|input/wait)$' chain.tables)" = 4 ]
expect 0 '^validated-chain.h5: run without its weights: holds' samebits verify validated-chain.h5
expect 1 '^first entry of the chain that differs: 4; recorded losses differ from update [1-4]$' \
    samebits replay chain.h5 --data data.h5 --backend openblas --quiet
also '^chain.h5: other bits here, by update 4 '
expect 2 '^chain.h5: is a run without its weights, not a finished run or checkpoint; samebits diff and replay read it$' samebits eval chain.h5 --data data.h5
expect 2 '^chain.h5: is a run without its weights, not a finished run or checkpoint; samebits diff and replay read it$' samebits chain chain.h5 -o x.h5
expect 2 '^data.h5: is a data set, not ' samebits chain data.h5 -o x.h5
expect 2 '^samebits chain: wants -o FILE: output file ' samebits chain direct.h5

# ---- no output takes the place of what it is made from, under whatever name ----
cp direct.h5 kept.h5
cp data.h5 kept-data.h5
ln -s direct.h5 linked.h5
ln data.h5 second.h5
for name in direct.h5 linked.h5 ./direct.h5; do
    expect 2 "^$name: the same file as the input direct.h5; name another output\$" samebits chain direct.h5 -o $name
done
for verb in trace gradients; do
    for name in data.h5 second.h5; do
        expect 2 "^$name: the same file as the input data.h5; name another output\$" \
            samebits $verb --data data.h5 --channels 3,5 --window 5 -o $name
    done
done
same direct.h5 kept.h5
same data.h5 kept-data.h5
absent x.h5 x.h5.part

# ---- wrong inputs ----
expect 2 "^native.h5: learned from 'waves' \(digest [0-9a-f]{32}\), and other.h5 is another data set" \
    samebits replay native.h5 --data other.h5
expect 2 "^native.h5: learned from 'waves' \(digest [0-9a-f]{32}\); name its file with --data$" samebits replay native.h5
expect 2 '^nowhere.h5: No such file' samebits replay nowhere.h5 --data data.h5
expect 2 '^data.h5: is a data set, not a finished run or checkpoint or run without its weights; ' samebits replay data.h5 --data data.h5
expect 5 '^digits-run.h5: has no entry of the hash chain among so few updates$' \
    samebits replay digits-run.h5 --data digits.h5 --updates 3
expect 2 "^unknown backend 'gpu' \(see 'samebits info'\)$" samebits replay native.h5 --data data.h5 --backend gpu
