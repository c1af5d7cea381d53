# The hashes that every machine finds (golden/step_hashes), found by native-cuda's kernels walked by the CPU, and on a
# device where there is one; and what is said where there is none.
. "$SB_SOURCE/tests/cli/train_cases.sh"
backends=cuda-on-cpu
if samebits info | grep -qE '^  native-cuda +absent'; then
    for backend in native-cuda cublas cudnn; do
        for verb in train step; do
            expect 4 "backend $backend cannot run here: (this program was built without CUDA|no CUDA device)" \
                samebits $verb --backend $backend --data cases_20x12.h5 --channels 3 \
                $([ $verb = step ] || echo -o run.h5)
        done
        expect 4 "backend $backend cannot run here: " \
            samebits check --tolerance 5e-6 --backend $backend "$SB_SOURCE/tests/golden/prednet_16x8_bprop4_f4.h5"
    done
    absent run.h5
    echo "skipped on a device: $(samebits info | grep -E '^  native-cuda')"
else
    backends="$backends native-cuda"
fi
for backend in $backends; do
    while read -r name options; do
        hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
        expect 0 "^$hash\$" samebits step $options --windows 3 --backend $backend --verify "$hash"
    done < <(cases)
done

# With branches, weight products are in parts and so are the products of some gates.
while read -r name options; do
    hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
    SAMEBITS_CUDA_BRANCHES=1 expect 0 "^$hash\$" samebits step $options --windows 3 --backend cuda-on-cpu
done < <(cases | grep prednet)

# Newer forms of kernels compute the same chains.
while read -r name options; do
    hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
    for form in PIXELS TRANSFORMS; do
        expect 0 "^$hash\$" env SAMEBITS_CUDA_$form=1 samebits step $options --windows 3 --backend cuda-on-cpu
    done
done < <(cases | grep prednet)

# With chunks by the bytes of their operands, and batch norm by rows.
while read -r options; do
    hash=$(samebits step $options --data cases_shapes.h5 --windows 3)
    SAMEBITS_CUDA_CHUNKS=1 SAMEBITS_CUDA_NORMS=1 \
        expect 0 "^$hash\$" samebits step $options --data cases_shapes.h5 --windows 3 --backend cuda-on-cpu
done <<END
--model resnet9 --widths 16,16,16,16 --batch 20 --groups 4 --arithmetic winograd
--model resnet9 --widths 4,6,8,8 --batch 20 --rung 4 --arithmetic direct
--model resnet9 --widths 4,6,8,8 --batch 12 --groups 2 --whiten on --shards 2
--model lenet --widths 4,6,12 --batch 17 --normalise mean
--model mlp --batch 9
END

# A trace has the same operations in all backends, and so the chunks of all.
traced='--model layers --layers conv-16-3_norm_relu_residual_conv-16-3_end_conv-20-3_pool-2_norm_conv-8-5_dense-classes --batch 40 --update 1'
traced="$traced --arithmetic winograd --data cases_shapes.h5"
samebits trace $traced -o native.h5 2>&1
SAMEBITS_CUDA_CHUNKS=1 SAMEBITS_CUDA_NORMS=1 samebits trace $traced --backend cuda-on-cpu -o walked_trace.h5 2>&1
expect 0 'same bits' samebits bisect native.h5 walked_trace.h5

# Other tiles of the products have the same bits: those of the table, and one by its name.
while read -r name options; do
    hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
    for tiles in 1 64x64; do
        SAMEBITS_CUDA_TILES=$tiles expect 0 "^$hash\$" samebits step $options --windows 3 --backend cuda-on-cpu
    done
done < <(cases | grep winograd)
SAMEBITS_CUDA_TILES=65x64 expect 2 'native-cuda: opening: SAMEBITS_CUDA_TILES=65x64: no tile has this name; ' \
    samebits step --data cases_20x12.h5 --channels 3 --backend cuda-on-cpu

# A value that is misspelled is not taken for 1.
for switch in SYNC DEPENDENT_LAUNCH BRANCHES TILES PIXELS TRANSFORMS CHUNKS NORMS; do
    expect 2 "native-cuda: opening: SAMEBITS_CUDA_$switch=off: " \
        env SAMEBITS_CUDA_$switch=off samebits step --data cases_20x12.h5 --channels 3 --backend cuda-on-cpu
done
for switch in FRAMES INPUTS; do
    expect 2 "SAMEBITS_CUDNN_$switch=yes: must be 0 or 1" \
        env SAMEBITS_CUDNN_$switch=yes samebits step --data cases_20x12.h5 --channels 3 --backend cuda-on-cpu
done
expect 2 'SAMEBITS_CUDA_BRANCHES=prioritys: must be 0, 1 or priorities' \
    env SAMEBITS_CUDA_BRANCHES=prioritys samebits step --data cases_20x12.h5 --channels 3 --backend cuda-on-cpu

# All newer forms together.
forms=$(printf 'SAMEBITS_CUDA_%s=1 ' BRANCHES TILES PIXELS TRANSFORMS CHUNKS NORMS)
while read -r name options; do
    hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
    expect 0 "^$hash\$" env $forms samebits step $options --windows 3 --backend cuda-on-cpu
done < <(cases)

# A run that is stopped and goes on has the bits of native's whole one.
base="--data cases_20x12.h5 --channels 3,5,7 --window 5 --quiet"
samebits train $base --updates 4 -o whole.h5
samebits train $base --updates 2 --backend cuda-on-cpu -o walked.h5
samebits train $base --updates 4 --backend cuda-on-cpu -o walked.h5
expect 0 'same bits' samebits diff whole.h5 walked.h5

# What built the device code is a fact of a program that has some.
if ! samebits info | grep -q 'built without CUDA'; then
    expect 0 '^  cuda_compiler +nvcc [0-9]+\.[0-9]+' samebits info
    expect 0 '^  cuda_architectures [0-9]' samebits info
    expect 0 '^  cuda_flags +--fmad=false ' samebits info
fi
