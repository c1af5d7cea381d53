# A network of one's own, from a file of layers: it trains, goes on, is repeated and evaluated, is part of what a run is,
# goes through a matrix, and what is wrong with a file is told with its line.
samebits-data synth shapes --images 96 --test 20 --seed 1 -o shapes.h5 2>&1
cat >own.layers <<'END'
# a block, a residual, and the logits
conv 8 3 bias
norm
relu

pool 2
residual
    conv 8 3
    norm 4 frozen
    celu 0.3
end
conv 12 5 valid
gelu
pool all
dense 16
tanh
dense classes plain
scale 0.5
END
line=conv-8-3-bias_norm_relu_pool-2_residual_conv-8-3_norm-4-frozen_celu-0.3_end_conv-12-5-valid_gelu_pool-all_dense-16_tanh_dense-classes-plain_scale-0.5
train="samebits train --data shapes.h5 --model layers --batch 32 --quiet --chain-every 1"

expect 0 "^layers +$line$" $train --layers own.layers --dry-run -o no.h5
expect 0 '^updates 6 ' $train --layers own.layers --epochs 2 -o own.h5
expect 0 '^updates 4 ' $train --layers own.layers --updates 4 -o again.h5
cp own.layers moved.layers
sed -i 's/conv 12 5/conv 10 5/' own.layers
expect 2 'again.h5: holds a run with layers' $train --layers own.layers --updates 6 -o again.h5
expect 0 'continued from update 4' $train --layers moved.layers --threads 3 --isa plain --updates 6 -o again.h5
expect 0 '^same bits over 6 entries' samebits diff own.h5 again.h5
expect 0 '^updates 6 ' $train --layers $line --updates 6 -o line.h5
rm ./*.layers
expect 0 '^same bits over 6 entries' samebits diff own.h5 line.h5
expect 0 '^the same bits here over 6 entries' samebits replay own.h5 --data shapes.h5 --quiet
expect 0 '^n 20  loss .* correct [0-9]+$' samebits eval own.h5 --data shapes.h5
expect 0 'holds, 6 updates' samebits verify own.h5
expect 0 '^3592 parameters$' samebits layers --model layers --layers $line --size 32x32 --colors 3

# ---- strided, depthwise, dilated and grouped convolutions, layer norm, group norm, dropout: same bits on threads, instruction
# sets and a walked GPU, in one process and in parts; what another seed, or another update, keeps is something else ----
cat >new.layers <<'END'
conv 8 5 stride 2 bias
layernorm
silu
conv 8 3 depthwise
groupnorm 4
gelu
dropout 0.2
residual
    conv 8 3 groups 2 dilation 2
    layernorm
end
averagepool 2
conv 12 3 stride 2 valid
averagepool all
dropout 0.5
dense classes
END
new="$train --layers new.layers --epochs 2"
expect 0 '^updates 6 ' $new -o new.h5
for other in '--isa plain --threads 3' '--backend cuda-on-cpu'; do
    expect 0 '^updates 6 ' $new $other -o other.h5
    expect 0 '^same bits over 6 entries' samebits diff new.h5 other.h5
    rm other.h5
done
expect 0 '^updates 6 ' $new --backend openblas -o blas.h5
expect 0 '^updates 4 ' $train --layers new.layers --updates 4 -o resumed.h5
expect 0 'continued from update 4' $train --layers new.layers --updates 6 -o resumed.h5
expect 0 '^same bits over 6 entries' samebits diff new.h5 resumed.h5
expect 0 '^the same bits here over 6 entries' samebits replay new.h5 --data shapes.h5 --quiet
expect 0 '^n 20  loss ' samebits eval new.h5 --data shapes.h5
expect 0 '^updates 6 ' $new --shards 4 -o parts.h5
expect 0 '^updates 6 ' $new --shards 4 --threads 2 -o parts2.h5
expect 0 '^same bits over 6 entries' samebits diff parts.h5 parts2.h5
expect 2 '^new.layers:1: layer 1 \(conv1\): this arithmetic imitates convolutions of stride 1' \
    $train --layers new.layers --arithmetic imitate-unfused -o no.h5
sed -i 's/dropout 0.2/scale 1/; s/dropout 0.5/scale 1/' new.layers
expect 0 '^updates 1 ' $train --layers new.layers --updates 1 -o kept.h5
expect 1 'differ' samebits diff new.h5 kept.h5
expect 0 '^conv2,convolution,layernorm1,8,8,16,16,3x3,,72$' samebits layers --model layers \
    --layers conv-8-5-stride-2-bias_layernorm_silu_conv-8-3-depthwise_pool-all_dense-classes --size 32x32 --colors 3
rm new.layers

# ---- through a matrix: what a cell is has the network in it, not the file ----
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >own.yaml <<'END'
hardware: hardware.yaml
data: [{name: shapes, make: synth shapes --images 96 --test 20 --seed 1}]
defaults: {model: layers, data: shapes, backend: native, hardware: any, batch: 32, updates: 2, target: copy}
studies:
  - {name: one, seeds: 1, options: {layers: small.layers}}
  - {name: other, seeds: 1, options: {layers: sub/wide.layers}}
END
mkdir sub
printf 'conv 4 3\nrelu\npool 8\ndense classes\n' >small.layers
printf 'conv 8 3 # wider\nrelu\npool 8\ndense classes\n' >sub/wide.layers
expect 0 'run: 2 complete' samebits-matrix run -f own.yaml --data data
expect 0 '2 of 2 cells' samebits-matrix collect -f own.yaml --data data -o out
grep -q '^one/.*,conv-4-3_relu_pool-8_dense-classes,' out/cells.csv
grep -q '^other/.*,conv-8-3_relu_pool-8_dense-classes,' out/cells.csv
printf 'conv  4 3\n\nrelu\npool 8\ndense classes # the same\n' >small.layers
expect 0 'complete +2' samebits-matrix status -f own.yaml --data data
printf 'conv 5 3\nrelu\npool 8\ndense classes\n' >small.layers
expect 3 'stale +1' samebits-matrix status -f own.yaml --data data
printf 'conv 5\n' >small.layers
expect 2 '^small.layers:1: conv wants two numbers' samebits-matrix list -f own.yaml
rm small.layers
expect 2 '^small.layers: ' samebits-matrix list -f own.yaml

# ---- what is wrong ----
# ---- the same network from whatever editor: a mark of UTF-8, line ends with CR, a comment in another language ----
network='conv 4 3\nnorm\nrelu\npool 2\ndense classes\n'
printf "$network" >plain.layers
printf "\xef\xbb\xbf$network" >marked.layers
printf "${network//\\n/\\r\\n}" >crlf.layers
printf "# r\xc3\xa9seau d\xe2\x80\x99essai \xe7\xbd\x91\xe7\xbb\x9c\n$network" >comment.layers
printf "# r\xe9seau, in Latin-1\n$network# no line end at the end" >latin.layers
samebits layers --model layers --layers plain.layers --size 32x32 --colors 3 >plain.txt 2>&1
grep -q '^[0-9]* parameters$' plain.txt
for form in marked crlf comment latin; do
    expect 0 ' parameters$' samebits layers --model layers --layers $form.layers --size 32x32 --colors 3
    same plain.txt expect.out
done

wrong() { # WANTED LINES: a file of these lines
    printf "$2" >bad.layers
    expect 2 "^bad.layers:$1" $train --layers bad.layers -o no.h5
}
wrong '1: no layer is called .convolution.; there are conv, ' 'convolution 4 3\n'
wrong '2: conv wants two numbers \(channels and kernel\), not 1' 'relu\nconv 4\n'
wrong '1: after pool only numbers and all can follow, not .every.' 'pool every\n'
wrong '2: layer 2 \(max_pool\): windows of 8x8 do not fit a map of 4x4' 'pool 8\npool 8\ndense classes\n'
wrong '1: layer 1 \(conv1\): the number of channels wants a whole number in \[1, 4096\], not 0' 'conv 0 3\n'
wrong '4: layer 3 \(residual_end\): it adds a map of 3 channels of 32x32 to one of 4 channels' 'residual\n# x\nconv 4 3\nend\ndense classes\n'
wrong '1: layer 1 \(residual\): it does not end' 'residual\nrelu\n'
wrong '3: layer 3 \(dense2\): it is the last and gives 9 numbers for each sample, not one for each of 10 classes' 'dense 4\nrelu\ndense 9\n'
wrong '2: layer 2 \(norm1\): a batch of 32 cannot be divided into 5 groups' 'conv 4 3\nnorm 5\npool 8\ndense classes\n'
wrong '1: after conv only numbers and valid\|bias\|stride N' 'conv 4 3 stride\n'
wrong '1: after conv only numbers' 'conv 4 3 stride valid\n'
wrong '1: layer 1 \(conv1\): the stride wants a whole number in \[1, 16\], not 0' 'conv 4 3 stride 0\n'
wrong '2: layer 2 \(conv2\): 3 groups do not divide 4 to 6 channels' 'conv 4 3\nconv 6 3 groups 3\n'
wrong '1: layer 1 \(groupnorm1\): 2 groups do not divide 3 channels' 'groupnorm 2\ndense classes\n'
wrong '1: layer 1 \(dropout\): the rate wants a number in \[0, 1\), not 1' 'dropout 1\n'
wrong '1: layer 1 \(max_pool\): a pool has either' 'pool\n'
wrong ' has no layers' '# nothing\n'
wrong '1: holds a control character \(byte 10\)' 'conv 4 3 \x01\n'
wrong '2: holds a control character' 'relu\n# \x1b[31m\n'
wrong "2: '.+' \(U\+00E9\) is in no word of a layer; comments begin with #" 'relu\nr\xc3\xa9seau\n'
wrong "1: '.+' \(U\+00A0\) is in no word of a layer" 'conv\xc2\xa04 3\n'
wrong "1: byte 2 is not in UTF-8: perhaps in Latin-1; 'iconv -f ISO-8859-1 " 'r\xe9seau\n'
wrong " not in UTF-8: in UTF-16; 'iconv -f UTF-16 -t UTF-8 FILE >NEW' converts it" '\xff\xfer\0e\0l\0u\0'
wrong '1: no layer has words so long' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'
for ((i = 0; i < 121; i++)); do echo relu; done >bad.layers
expect 2 '^bad.layers:121: more than 120 layers' $train --layers bad.layers -o no.h5
expect 2 'none.layers' $train --layers none.layers -o no.h5
expect 2 '^--layers wants a file NAME.layers, or a network in one line, not .conv.' $train --layers conv -o no.h5
expect 2 '^--model layers wants --layers FILE' $train -o no.h5
expect 2 '^--layers: model lenet has no layers; model layers has it$' \
    samebits train --data shapes.h5 --model lenet --layers own.layers -o no.h5
absent no.h5 no.h5.journal
