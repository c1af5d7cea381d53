# layers: the list of a network's layers, compared with the table of the publication's network.
samebits layers >prednet.csv 2>total.txt
expect 0 '^8298348 parameters$' cat total.txt
expect 0 '^name,kind,inputs,in_channels,out_channels,height,width,kernel,activation,parameters$' head -1 prednet.csv

# sum PATTERN COLUMN: over the rows whose name has the pattern
sum() { awk -F, -v name="$1" 'NR > 1 && $1 ~ name { n += $10 } END { print n }' "${2-prednet.csv}"; }
holds() { # WANTED GOT WHAT
    if [ "$1" != "$2" ]; then echo "FAILED: $3: wanted $1, got $2"; exit 1; fi
}
holds 8298348 "$(sum .)" "all parameters"
set -- '^conv_p0$' 84 '^lstm0/' 178968 '^conv_a1$' 2640 '^conv_p1$' 20784 '^lstm1/' 1106112 '^conv_a2$' 83040 \
    '^conv_p2$' 83040 '^lstm2/' 2004864 '^conv_a3$' 331968 '^conv_p3$' 331968 '^lstm3/' 4154880
while [ $# -gt 0 ]; do
    holds "$2" "$(sum "$1")" "$1"
    shift 2
done

# as the publication wires it: inputs, shapes, activations
row() { if ! grep -qxF -- "$1" prednet.csv; then echo "FAILED: no row $1"; cat prednet.csv; exit 1; fi; }
holds 43 "$(wc -l <prednet.csv)" "lines"
row 'error0,error,input conv_p0@t-1,6,6,120,160,,relu,0'
row 'conv_a1,convolution,error0,6,48,120,160,3x3,relu,2640'
row 'conv_a1/pooled,pooling,conv_a1,48,48,60,80,2x2,,0'
row 'error1,error,conv_a1/pooled conv_p1@t-1,96,96,60,80,,relu,0'
row 'lstm3/input,convlstm gate,error3 lstm3/h@t-1 lstm3/c@t-1,576,192,15,20,3x3,sigmoid,1053120'
row 'lstm0/candidate,convlstm gate,error0 lstm1/h/upsampled lstm0/h@t-1,57,3,120,160,3x3,tanh,1542'
row 'lstm2/h/upsampled,upsampling,lstm2/h,96,96,60,80,2x2,,0'
row 'lstm1/c,convlstm cell,lstm1/input lstm1/forget lstm1/candidate lstm1/c@t-1,192,48,60,80,,,0'
row 'conv_p3,convolution,lstm3/h,192,192,15,20,3x3,relu,331968'
row 'conv_p0,convolution,lstm0/h,3,3,120,160,3x3,clip,84'

# every input is a row
awk -F, 'NR > 1 { name[$1] = 1; inputs = inputs " " $3 } END { n = split(inputs, i, " ")
    for (k = 1; k <= n; k++) {
        sub(/@t-1$/, "", i[k])
        if (!(i[k] in name)) { print "FAILED: no row " i[k]; exit 1 }
    } }' prednet.csv

# other shapes, and the other network
expect 0 '^conv_a1,convolution,error0,6,8,20,24,3x3,relu,440$' samebits layers --channels 3,8 --size 24x20
expect 0 '^encoder,dense,input,784,64,1,1,,relu,50240$' samebits layers --model autoencoder
expect 0 '^decoder,dense,encoder,5,64,1,1,,relu,384$' samebits layers --model autoencoder --size 8x8 --hidden 5
expect 0 '^709 parameters$' samebits layers --model autoencoder --size 8x8 --hidden 5
expect 0 '^2283 parameters$' samebits layers --model autoencoder --size 8x8 --hidden 15,7,3
expect 0 '^decoder1,dense,encoder3,3,7,1,1,,relu,28$' samebits layers --model autoencoder --size 8x8 --hidden 15,7,3
expect 0 '^decoder3,dense,decoder2,15,64,1,1,,relu,1024$' samebits layers --model autoencoder --size 8x8 --hidden 15,7,3
for hidden in '' 0 6,0 6,,4 6, 65537 6.5 64x32 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1; do
    expect 2 "^samebits layers: --hidden wants at most 16 whole numbers in \[1, 65536\] with commas, not '$hidden'\$" \
        samebits layers --model autoencoder --hidden "$hidden"
done
expect 2 '^layer 2 \(encoder2\): 32768 units of 65536 numbers each have more than 1073741824 weights$' \
    samebits layers --model autoencoder --hidden 65536,32768
expect 2 '^frames of 21x20 do not divide by 2' samebits layers --channels 3,8 --size 21x20
expect 2 "^samebits layers: --model wants one of prednet\|autoencoder\|mlp\|lenet\|layers\|gpt\|resnet9, not .lstm.$" samebits layers --model lstm

# networks of layers
expect 0 '^92234 parameters$' samebits layers --model mlp --size 14x14
expect 0 '^10770816 parameters$' samebits layers --model gpt --classes 65
expect 0 '^10795776 parameters$' samebits layers --model gpt --classes 65 --tied off
expect 0 '^block2_qkv/attention,attention,block2_qkv,192,64,1,32,,,0$' samebits layers --model gpt --blocks 2 --heads 2 --width 64 --context 32
expect 0 '^block1_expand,pointwise,block1_norm2,64,256,1,32,,gelu,16640$' samebits layers --model gpt --blocks 2 --heads 2 --width 64 --context 32
expect 0 '^pointwise2,tied pointwise,pointwise1/attention,8,10,1,4,,,0$' samebits layers --model layers --layers embedding-8-4_pointwise-24_attention-2_pointwise-tied
expect 2 '^gpt: --heads 5 does not divide --width 384$' samebits layers --model gpt --heads 5
expect 2 '^layer 3 \(attention\): 3 heads do not divide the width 8$' samebits layers --model layers --layers embedding-8-4_pointwise-24_attention-3_pointwise-tied
expect 2 '^layer 2 \(attention\): it reads one row of positions, three times the width, not 8 channels of 4x1$' samebits layers --model layers --layers embedding-8-4_attention-2_pointwise-tied
expect 2 '^layer 2 \(embedding1\): it reads tokens, so it must be the first layer$' samebits layers --model layers --layers relu_embedding-8-4_pointwise-tied
expect 2 '^layer 2 \(pointwise1\): it has either a number of units, or .classes., or .tied.$' samebits layers --model layers --layers embedding-8-4_pointwise-8-tied
expect 2 '^layer 3 \(pointwise2\): it is tied to no embedding of the width 24 in the first layer$' samebits layers --model layers --layers embedding-8-4_pointwise-24_pointwise-tied
expect 2 '^layer 3 \(pointwise2\): layer 2 is tied to the embedding, and only one can be$' samebits layers --model layers --classes 8 --layers embedding-8-4_pointwise-tied_pointwise-tied

# ---- what the network does not have ----
expect 2 '^--channels: model lenet has no channels; model prednet has it$' samebits layers --model lenet --channels 3,4
expect 2 '^--hidden: model prednet has no hidden; model autoencoder has it$' samebits layers --hidden 4
expect 2 '^--colors: model prednet has frames of 3 colors$' samebits layers --colors 1
expect 2 '^--colors: model prednet has frames of 3 colors$' samebits layers --colours 1
expect 2 '^--classes: model autoencoder has no classes$' samebits layers --model autoencoder --classes 4
