# One small file of each kind that the programs write and later believe, in sealed/; its kind is in its name.
mkdir -p sealed
make_file images digits.h5 6 24 6 1
samebits-data synth walk --size 16x16 --frames 12 -o sealed/data.h5 >/dev/null 2>&1
auto="--model autoencoder --data digits.h5 --hidden 2 --batch 4 --quiet"
samebits train $auto --updates 4 -o sealed/run.h5 >/dev/null
small="--data sealed/data.h5 --channels 3,4 --window 4"
samebits trace $small --update 1 -o sealed/trace.h5 >/dev/null
# a checkpoint, as an interrupted training leaves it
samebits train $auto --updates 1000000 --checkpoint-every 50 -o sealed/checkpoint.h5 >/dev/null 2>&1 &
trainer=$!
while [ ! -s sealed/checkpoint.h5 ] && kill -0 $trainer 2>/dev/null; do sleep 0.02; done
kill -TERM $trainer
wait $trainer || true
fake_results tables --settings 1 --seeds 2 --updates 8
samebits-report export -i tables -o sealed/results.tar.gz >/dev/null 2>&1
mkdir -p made/samebits-bundle/bin
echo '#!/bin/sh' >made/samebits-bundle/bin/samebits
(cd made/samebits-bundle && sha256sum bin/samebits >MANIFEST)
tar -C made -cf sealed/bundle.tar samebits-bundle
make_file frame sealed/bundle.tar bundle
