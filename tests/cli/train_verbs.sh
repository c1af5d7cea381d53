# The other verbs of samebits.
make_file video data.h5 20x12 60 1
make_file images images.h5 8 40 20 1

# ---- info ----
expect 0 '^  native ' samebits info
expect 0 '^  openblas ' samebits info
expect 0 '^  cpu +[^ ]' samebits info
expect 0 '^  compiler +(gcc|clang) [0-9]' samebits info
expect 0 "^  build_id +$(readelf -n "$SB_BUILD/bin/samebits" | sed -n 's/^ *Build ID: //p')$" samebits info
if readelf -lW "$SB_BUILD/bin/samebits" | grep -q INTERP; then
    expect 0 '^  build_id_libc.so.6 [0-9a-f]{40}$' samebits info # and every other library that is mapped
fi

# ---- check ----
golden=$SB_SOURCE/tests/golden/prednet_16x8_bprop4_f4.h5
expect 0 'holds on native \(plain, float32\), tolerance 1.7e-05' samebits check --isa plain "$golden"
expect 0 'holds on native \(plain, float32\), tolerance 5.4e-06' samebits check --isa plain --arithmetic direct "$golden"
expect 0 'holds on native \(plain, float32\), tolerance 5.0e-06' samebits check --isa plain --tolerance 5e-6 "$golden"
expect 1 'deviates by .*, more than 1.0e-0[89]' samebits check --tolerance 1e-9 "$golden"
expect 7 '^data.h5: not a golden file of samebits$' samebits check data.h5
expect 0 'holds on native \([a-z0-9]+, float64\), tolerance 3.2e-14' samebits-f64 check "${golden%4.h5}8.h5"

# ---- eval: of a finished run, and of a checkpoint ----
samebits train --data data.h5 --channels 3,5,7 --window 5 --updates 12 --quiet -o run.h5 >/dev/null
expect 0 '^n 59  loss 0\.[0-9]+  sd [0-9.e-]+$' samebits eval --data data.h5 run.h5
cp expect.out first.out
expect 0 '^n 59  loss' samebits eval --data data.h5 --threads 3 --isa plain run.h5
same expect.out first.out
expect 2 "^images.h5: holds images, but prednet learns from video$" samebits eval --data images.h5 run.h5
expect 0 '^3 predicted frames and the true frames in pictures$' \
    samebits eval --data data.h5 --first 4 --frames 3 -o pictures run.h5
[ "$(cd pictures && echo *)" = "$(echo 00000{4,5,6}_{predicted,true}.png)" ] ||
    { echo "FAILED: other pictures"; ls pictures; exit 1; }
expect 0 '^n 59  predicted  mse 0\.[0-9]*  psnr [0-9.]* dB  ssim [-0-9.]*$' samebits eval --data data.h5 --quality run.h5
expect 0 '^n 59  repeat-last  mse 0\.[0-9]*  psnr [0-9.]* dB  ssim 0\.[0-9]*$' samebits eval --data data.h5 --quality run.h5
expect 2 '^samebits eval: --frames or --quality, not both$' samebits eval --data data.h5 --quality --frames 3 run.h5
expect 2 '^data.h5: has frames 0 to 59, not 58 to 67$' \
    samebits eval --data data.h5 --first 58 --frames 10 -o pictures run.h5
expect 2 '^nowhere.h5: No such file or directory$' samebits eval --data data.h5 nowhere.h5
expect 2 '^data.h5: is a data set, not a finished run or checkpoint; samebits train --data reads it$' samebits eval --data data.h5 data.h5

samebits train --model autoencoder --data images.h5 --hidden 9 --batch 4 --epochs 2 --quiet -o auto.h5 >/dev/null
expect 0 '^n 20  loss 0\.[0-9]+  sd' samebits eval --data images.h5 auto.h5
expect 0 '^2 predicted frames' samebits eval --data images.h5 --first 0 --frames 2 -o pictures auto.h5

# ---- the autoencoder with other activations ----
make_file images digits.h5 12 40 20 3
forms="samebits train --data digits.h5 --model autoencoder --hidden 5 --updates 6 --quiet --chain-every 1
    --hidden-activation sigmoid --output-activation linear"
for batch in 1 4; do
    expect 0 '^updates 6 ' $forms --batch $batch -o sigmoid$batch.h5
    expect 0 '^updates 6 ' $forms --batch $batch --threads 3 --isa plain -o again$batch.h5
    expect 0 '^same bits over 6 entries' samebits diff sigmoid$batch.h5 again$batch.h5
    expect 0 '^the same bits here over 6 entries' samebits replay sigmoid$batch.h5 --data digits.h5 --backend cuda-on-cpu --quiet
done
expect 2 "sigmoid4.h5: holds a run with output_activation 'linear', not 'relu'" \
    samebits train --data digits.h5 --model autoencoder --hidden 5 --batch 4 --hidden-activation sigmoid --updates 9 -o sigmoid4.h5

# ---- and of several layers ----
deep='samebits train --data digits.h5 --model autoencoder --hidden 6,4,3 --hidden-activation tanh --quiet'
for batch in 1 4; do
    expect 0 '^updates 6 ' $deep --updates 6 --batch $batch --chain-every 1 -o deep$batch.h5
    expect 0 '^updates 3 ' $deep --updates 3 --batch $batch --chain-every 3 -o parts$batch.h5
    expect 0 'continued from update 3' $deep --updates 6 --batch $batch --chain-every 3 --threads 3 -o parts$batch.h5
    expect 0 '^same bits over 2 entries' samebits diff deep$batch.h5 parts$batch.h5
    expect 0 '^the same bits here over 6 entries' samebits replay deep$batch.h5 --data digits.h5 --backend cuda-on-cpu --quiet
done
expect 0 '^/param/encoder3/w$' list_h5 deep4.h5
expect 0 '^n 20  loss 0\.[0-9]+  sd' samebits eval --data digits.h5 deep4.h5
samebits eval --data digits.h5 deep4.h5 >loss.out
expect 0 '^n 20  predicted  mse 0\.[0-9]*  psnr [0-9.]* dB  ssim [-0-9.]*$' samebits eval --data digits.h5 --quality deep4.h5
awk '{ value[NR] = NR == 1 ? $4 : $5 } END { exit !(value[2] / value[1] > 0.998 && value[2] / value[1] < 1.002) }' loss.out expect.out ||
    { echo "FAILED: the error in 8 bits is not the loss of the test images"; cat loss.out expect.out; exit 1; }
make_file images untested.h5 12 40 0 3
expect 0 '^n 40  predicted  mse' samebits eval --data untested.h5 --quality deep4.h5
expect 2 "deep4.h5: holds a run with hidden '6,4,3', not '6,4'" $deep --hidden 6,4 --updates 9 --batch 4 -o deep4.h5

samebits train --data digits.h5 --model autoencoder --hidden 6 --hidden-activation tanh --quiet --updates 6 --batch 4 --chain-every 1 -o shallow.h5
if samebits bisect --data digits.h5 deep4.h5 shallow.h5 >said 2>&1; then echo "FAILED: other layers, exit code 0"; exit 1; fi
expect 0 '^operation 4 is one of another shape: dense_forward, outputs of layer 3 \(encoder2\) \| dense_forward, outputs$' cat said
expect 0 '^the only setting that differs: hidden \(6,4,3 \| 6\)$' cat said
