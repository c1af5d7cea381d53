# One hash of all weights after three updates, on every instruction set of this CPU and any number of threads (more than
# it has cores, too); and it is the hash that every other machine found (golden/step_hashes).
. "$SB_SOURCE/tests/cli/train_cases.sh"
unset OMP_WAIT_POLICY # here threads wait as the program chooses
sets=$(instruction_sets)
if [ "${SB_TEST_SLOW-}" ]; then numbers=7; else numbers='1 2 3 7'; fi # of threads
best=${sets##*$'\n'}
while read -r name options; do
    hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
    case "${SB_TEST_SLOW-} $name" in # a sanitizer sees plain where no other test has it, in the shapes of each model
    1\ prednet_20x12* | 1\ autoencoder_deep) some=$sets ;;
    1*) some=$best ;;
    *) some=$sets ;;
    esac
    for isa in $some; do
        for threads in $([ $isa = "$best" ] && echo $numbers || echo 2); do
            expect 0 "^$hash\$" samebits step $options --windows 3 --isa $isa --threads $threads --verify "$hash"
        done
    done
done < <(cases; native_cases)

# The check can fail: another seed, another target, one window more.
base="--data cases_20x12.h5 --channels 3,5,7 --window 5"
hash=$(samebits step $base --windows 3)
expect 1 "have the hash [0-9a-f]{32}, not $hash" samebits step $base --windows 3 --seed 2 --verify "$hash"
expect 1 "not $hash" samebits step $base --windows 3 --target shared --verify "$hash"
expect 1 "not $hash" samebits step $base --windows 4 --verify "$hash"
expect 1 "not 0123" samebits step $base --windows 3 --verify 0123

# Updates whose gradient is kept for the chain give the bits of those whose gradient is not.
one="--model autoencoder --data cases_images.h5 --hidden 33 --batch 1"
hash=$(samebits step $one --windows 50)
expect 0 "weights $hash" samebits train $one --updates 50 --chain-every 1 -o kept.h5 --quiet
expect 0 "weights $hash" samebits train $one --updates 50 --chain-every 50 --threads 2 -o dropped.h5 --quiet
expect 0 "same bits over 1 entry, up to update 50" samebits diff kept.h5 dropped.h5

# A window of one frame has one target, so that copy and shared are the same training; its losses are numbers from the
# first update on, and each frame but the first of a sequence is predicted once in an epoch.
for backend in "native --arithmetic direct" "native --arithmetic winograd --threads 3" openblas cuda-on-cpu; do
    for target in copy shared; do
        samebits train --data cases_48x32.h5 --channels 3,8,16,32 --window 1 --updates 4 --chain-every 1 --quiet \
            --backend $backend --target $target -o one_$target.h5 >one_$target.out
    done
    expect 0 '^updates 4  loss 0\.[0-9]+  window 0\.[0-9]+ ' cat one_copy.out
    same one_copy.out one_shared.out
    expect 0 'same bits over 4 entries, up to update 4' samebits diff one_copy.h5 one_shared.h5
    rm one_*.h5
done
expect 0 '^updates 1  loss 0\.[0-9]+  window 0\.[0-9]+ ' samebits train $base --window 1 --updates 1 --quiet -o first.h5
expect 0 '^updates 58  loss 0\.[0-9]+ ' samebits train $base --window 1 --epochs 1 --quiet -o epoch.h5 # 60 frames, 2 sequences

# openblas repeats its own bits with one number of threads; that others differ is what it is there to show.
blas="--data cases_48x32.h5 --channels 3,8,16,32 --window 4 --windows 3 --backend openblas"
hash=$(samebits step $blas)
expect 0 "^$hash\$" samebits step $blas --verify "$hash"
# Where there are more threads than CPUs they wait asleep; that does not change what they compute.
if command -v taskset >/dev/null; then
    expect 0 "^$(samebits step $blas --threads 2)\$" taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" \
        samebits step $blas --threads 2
fi
