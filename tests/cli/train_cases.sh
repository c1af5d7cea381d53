# Shared by the tests of "same bits": small experiments of every kind, one line each: name, then options.
make_file video cases_48x32.h5 48x32 60 1
make_file video cases_20x12.h5 20x12 60 2 31
make_file images cases_images.h5 9 300 0 3
samebits-data synth text --characters 6000 -o cases_text.h5 >/dev/null 2>&1
samebits-data synth shapes --images 48 --test 10 --seed 1 -o cases_shapes.h5 2>/dev/null

cases() {
    cat <<END
prednet_48x32           --data cases_48x32.h5 --channels 3,8,16,32 --window 2 --arithmetic direct
prednet_48x32_winograd  --data cases_48x32.h5 --channels 3,8,16,32 --window 2 --arithmetic winograd
prednet_20x12_shared    --data cases_20x12.h5 --channels 3,16,50 --window 2 --target shared --arithmetic winograd
prednet_20x12           --data cases_20x12.h5 --channels 3,5,7 --window 5
prednet_one_layer       --data cases_20x12.h5 --channels 3 --window 5
autoencoder_batch_7     --model autoencoder --data cases_images.h5 --hidden 20 --batch 7
autoencoder_deep        --model autoencoder --data cases_images.h5 --hidden 20,12,5 --batch 7
autoencoder_shards      --model autoencoder --data cases_images.h5 --hidden 20 --batch 16 --shards 4
autoencoder_batch_1     --model autoencoder --data cases_images.h5 --hidden 33 --batch 1
gpt                     --model gpt --data cases_text.h5 --blocks 1 --heads 2 --width 40 --context 70 --batch 4 --dropout 0.1
gpt_shards              --model gpt --data cases_text.h5 --blocks 2 --heads 5 --width 20 --context 24 --batch 8 --shards 4 --tied off --activation gelutanh
END
}

# The same of the arithmetics that native alone has. Numbers of the network `faint` are close to 2^-63.
faint=conv-16-3_scale-0.0000001_scale-0.0000001_scale-0.00001_conv-16-3_scale-1000000_scale-1000000_scale-1000000_relu_pool-4_dense-classes
native_cases() {
    cat <<END
winograd_flush          --data cases_48x32.h5 --channels 3,8,16,32 --window 2 --arithmetic winograd-flush
winograd_flush_faint    --model layers --layers $faint --data cases_shapes.h5 --batch 20 --arithmetic winograd-flush
imitate_atomics         --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-atomics
imitate_atomics_draw_1  --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-atomics --draw 1
imitate_tf32            --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-tf32
imitate_flush           --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-flush
imitate_functions       --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-functions
imitate_unfused         --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-unfused
imitate_ties            --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-ties
imitate_gpu             --data cases_20x12.h5 --channels 3,5,7 --window 5 --arithmetic imitate-gpu
imitate_gpu_batch_7     --model autoencoder --data cases_images.h5 --hidden 20 --batch 7 --arithmetic imitate-gpu
imitate_gpu_batch_1     --model autoencoder --data cases_images.h5 --hidden 33 --batch 1 --arithmetic imitate-gpu
END
}

# Instruction sets that this CPU and this program have, best last.
instruction_sets() {
    local isa
    for isa in plain neon avx2 avx512; do
        if samebits step --data cases_20x12.h5 --channels 3 --window 2 --isa $isa >isa.out 2>&1; then
            echo $isa
        else
            echo "skipped: $(cat isa.out)" >&2
        fi
    done
}
