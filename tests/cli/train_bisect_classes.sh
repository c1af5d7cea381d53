# bisect of networks that classify: the operation between two rungs, two seeds, two backends, and two networks of one's own.
samebits-data synth shapes --images 48 --test 10 --seed 1 -o shapes.h5 2>&1
train() { samebits train --data shapes.h5 --model resnet9 --widths 4,4,4,4 --batch 16 --quiet --chain-every 1 --updates 2 "$@" >/dev/null; }
bisect() { samebits bisect "$@" --data shapes.h5 --quiet; }
for rung in 2 3 4 5 6 7; do train --rung $rung --lr 0.4 --lr-knots 0,1,3 -o rung$rung.h5; done
train --rung 4 --lr 0.4 --lr-knots 0,1,3 --seed 2 -o seed2.h5
train --rung 4 --lr 0.4 --lr-knots 0,1,3 --backend openblas --blas-kernel Prescott -o blas.h5

# ---- two rungs: the operation in which the trick is, and its settings, each tried alone ----
expect 1 ' is number [0-9]+: cross_entropy_forward, ' bisect rung2.h5 rung3.h5
also '^  reads  smoothing +1  1 of 1 differ, by 0.2 at most'
also '^the only setting that differs: smoothing \(0 \| 0\.2[0-9]*\)$'
expect 1 ' is number [0-9]+: norm_forward, outputs of layer 2 \(prep/bn\)$' bisect rung3.h5 rung4.h5
also '^the only setting that differs: activation \(relu \| celu\)$'
expect 1 '^operation [0-9]+ is one of another shape: norm_forward, outputs of layer 2 \(prep/bn\) ' bisect rung4.h5 rung5.h5
also '^the only setting that differs: groups \(1 \| 16\)$'
expect 1 '^operation [0-9]+ is ' bisect rung5.h5 rung6.h5
also '^norm_scale +learned \| frozen '
expect 1 '^operation [0-9]+ is ' bisect rung6.h5 rung7.h5
also '^the only setting that differs: whiten \(off \| on\)$|^whiten alone makes the difference|^whiten +off \| on '

# ---- two seeds, two backends ----
expect 1 '^first difference: update 1, batch$' bisect rung4.h5 seed2.h5
also ' is number 1: conv_begin, prep/conv_w$'
also '^its inputs already differ, and no earlier operation wrote them'
also '^the only setting that differs: seed \(1 \| 2\)$'
expect 1 ' is number [0-9]+: conv_' bisect rung4.h5 blas.h5
also '^the same numbers went in and others came out'
also '^the only setting that differs: backend '

# ---- two networks of one's own, and two that have no operation in common ----
own="samebits train --data shapes.h5 --model layers --batch 16 --quiet --chain-every 1 --updates 1"
$own --layers conv-4-3_relu_pool-8_dense-classes -o relu.h5 >said
$own --layers conv-4-3_gelu_pool-8_dense-classes -o gelu.h5 >said
expect 1 ' is number [0-9]+: activation_forward, ' bisect relu.h5 gelu.h5
also '^the only setting that differs: layers '
expect 2 "^relu.h5 and rung2.h5: not the same network: model is 'layers' and 'resnet9'$" bisect relu.h5 rung2.h5
