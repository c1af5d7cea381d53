# The trainer of another architecture (SB_CROSS: arm64, riscv64 or s390x), run by qemu-user, beside this machine's: the
# recorded hashes, the golden files, runs begun on one and finished on the other, and what diff and bisect say of the two.
#
#     SB_CROSS=arm64 tests/cli/run.sh tests/cross/check.sh build/cpu
. "$SB_SOURCE/tests/cli/train_cases.sh"
case $SB_CROSS in
    arm64) cpu=aarch64 sets="plain neon" ;;
    riscv64) cpu=riscv64 sets=plain ;;
    s390x) cpu=s390x sets=plain ;;
esac
program=$SB_SOURCE/build/$SB_CROSS/bin/samebits
emulator=$(command -v qemu-$cpu || command -v qemu-$cpu-static) || { echo "skipped: no qemu-$cpu here"; exit 77; }
[ -x "$program" ] || { echo "skipped: no $program here"; exit 77; }
other=("$emulator" "$program")
unset OMP_WAIT_POLICY # threads wait as the program chooses, which starts itself again for it, also below the emulator
expect 0 "^  architecture +$cpu\$" "${other[@]}" info
also "^  cpu +emulated by $(basename "$emulator")\$" # not the CPU that the emulator runs on, by which runs are told apart
if [ $cpu = aarch64 ]; then also '^  native.s kernels here: neon$'; fi

# ---- one hash: of each case on every instruction set, and on two threads ----
hash_of() { awk -v name="$1" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes"; }
while read -r name options; do
    hash=$(hash_of "$name")
    for isa in $sets; do
        expect 0 "^$hash\$" "${other[@]}" step $options --windows 3 --isa $isa --verify "$hash"
    done
    expect 0 "^$hash\$" "${other[@]}" step $options --windows 3 --threads 2 --verify "$hash"
done < <(cases)
while read -r name options; do
    case $cpu-$name in
        aarch64-* | *-winograd_flush* | *-imitate_[aftu]*s | *-imitate_*_draw_1 | *-imitate_tf32 | *-imitate_unfused)
            expect 0 "^$(hash_of "$name")\$" "${other[@]}" step $options --windows 3 --threads 2 ;;
        *) expect 4 'no mode in which subnormal numbers are zero$' "${other[@]}" step $options --windows 3 ;;
    esac
done < <(native_cases)
expect 1 'have the hash [0-9a-f]{32}, not 0123' "${other[@]}" step --data cases_20x12.h5 --channels 3 --window 2 --verify 0123

# ---- the values of the study's library ----
for arithmetic in direct winograd; do
    expect 0 'prednet.*: holds on native' "${other[@]}" check --arithmetic $arithmetic "$SB_SOURCE"/tests/golden/*_f4.h5
    also 'autoencoder.*: holds on native'
done

# ---- a run of each: the same links, and files that both read ----
net="--data cases_20x12.h5 --channels 3,5,16 --window 5"
train="train $net --quiet"
expect 0 '^weights ' samebits $train --updates 6 -o here.h5
weights=$(grep '^weights' expect.out)
expect 0 "^$weights\$" "${other[@]}" $train --updates 6 -o there.h5
samebits $train --updates 6 --target shared -o shared.h5 >/dev/null
samebits diff here.h5 shared.h5 >shared.diff || true
for reader in samebits "${other[*]}"; do
    expect 0 '^same bits over 6 entries, up to update 6$' $reader diff here.h5 there.h5
    expect 0 '^there.h5: run: holds, 6 updates' $reader verify here.h5 there.h5
    $reader diff here.h5 shared.h5 >expect.out || true
    same shared.diff expect.out
done

# ---- a language model: PyTorch's values, the same made text, weights and texts ----
expect 0 'gpt_f8.h5: holds on native ' "${other[@]}" check "$SB_SOURCE/tests/golden/learning/gpt_f8.h5"
gpt="train --model gpt --blocks 2 --heads 3 --width 24 --context 40 --batch 4 --updates 12 --quiet"
expect 0 '^weights ' samebits $gpt -o here.gpt.h5
of_gpt=$(grep '^weights' expect.out)
samebits sample here.gpt.h5 --tokens 50 >here.gpt.text
for isa in $sets; do
    expect 0 "^$of_gpt\$" "${other[@]}" $gpt --isa $isa --threads 2 -o $isa.gpt.h5
    expect 0 '^same bits over 12 entries, up to update 12$' samebits diff here.gpt.h5 $isa.gpt.h5
    "${other[@]}" sample $isa.gpt.h5 --isa $isa --tokens 50 >$isa.gpt.text
    same here.gpt.text $isa.gpt.text
done

# ---- begun on one and finished on the other: from a finished run, and from a journal alone ----
hand_over() { # NAME FROM TO
    expect 0 '^updates 3 ' $2 $train --updates 3 -o "$1.h5"
    expect 0 "^$1.h5: continued from update 3\$" $3 $train --updates 6 -o "$1.h5"
    also "^$weights\$"
    expect 0 '^same bits over 6 entries, up to update 6$' samebits diff here.h5 "$1.h5"
    for attempt in 1 2 3 4 5; do # where the run is over before the kill, once more
        rm -f "$1-killed.h5"*
        $2 $train --updates 200 -o "$1-killed.h5" >/dev/null 2>&1 &
        while [ ! -s "$1-killed.h5.journal" ] && kill -0 $!; do :; done
        kill -KILL $! || true
        wait $! || true
        [ -s "$1-killed.h5.journal" ] && break
    done
    expect 0 'journal: holds, [1-9][0-9]* record' $3 verify "$1-killed.h5.journal"
    expect 0 '^updates 3 ' $3 $train --updates 3 -o "$1-killed.h5"
    expect 0 '^same bits over 3 entries, up to update 3$' samebits diff here.h5 "$1-killed.h5"
}
hand_over to_there samebits "${other[*]}"
hand_over to_here "${other[*]}" samebits

# ---- where they part, from files alone: native does not; OpenBLAS has kernels of its own on each CPU ----
samebits trace $net -o here.trace.h5
"${other[@]}" trace $net -o there.trace.h5
"${other[@]}" trace $net --target shared -o shared.trace.h5
samebits trace $net --backend openblas --blas-kernel Prescott -o here.blas.h5
"${other[@]}" trace $net --backend openblas -o there.blas.h5
samebits $train --backend openblas --blas-kernel Prescott --updates 2 -o here.openblas.h5 >/dev/null
"${other[@]}" $train --backend openblas --updates 2 -o there.openblas.h5 >/dev/null
for reader in samebits "${other[*]}"; do
    expect 0 'same bits' $reader bisect here.trace.h5 there.trace.h5
    expect 1 'loss_backward, gradient of P' $reader bisect here.trace.h5 shared.trace.h5
    expect 1 ': conv_forward, ' $reader bisect here.blas.h5 there.blas.h5
    also '^the same numbers went in and others came out'
    expect 1 '^first difference: update 1, gradient$' $reader diff here.openblas.h5 there.openblas.h5
done

# ---- what NEON's kernels save: instructions of one window, counted, on one thread ----
# instructions ISA N ARITHMETIC: of the start and N windows. The last count is the program's: processes of its own come before
instructions() {
    OMP_WAIT_POLICY=passive "$emulator" -plugin ./instructions.so -d plugin "$program" step --data cases_48x32.h5 --window 2 \
        --channels 3,16,32 --arithmetic "$3" --isa "$1" --windows "$2" 2>&1 | sed -n 's/^instructions //p' | tail -n 1
}
if [ $cpu = aarch64 ]; then
    "${CC:-cc}" -shared -fPIC -o instructions.so "$SB_SOURCE/tests/cross/instructions.c"
    for arithmetic in direct winograd; do
        for isa in plain neon; do
            declare "of_$isa=$(($(instructions $isa 2 $arithmetic) - $(instructions $isa 1 $arithmetic)))"
        done
        echo "$arithmetic: $of_plain instructions of plain, $of_neon of neon, $((100 * of_plain / of_neon)) %"
        [ $of_plain -gt $((of_neon * 17 / 10)) ] # about twice as many: gcc keeps the vectors of plain in the same registers
    done
fi

if [ $cpu = aarch64 ]; then # a kernel type is chosen by name; those with SVE want a CPU that has it
    for kernel in ARMV8 NEOVERSEN1; do
        expect 0 '^updates 1 ' "${other[@]}" $train --backend openblas --blas-kernel $kernel --updates 1 -o $kernel.h5
    done
    expect 4 "^OpenBLAS's kernel type 'NEOVERSEV1' needs SVE, which this CPU has not$" \
        "$emulator" -cpu cortex-a72 "$program" $train --backend openblas --blas-kernel NEOVERSEV1 --updates 1 -o v1.h5
    expect 0 '^updates 1 ' "$emulator" -cpu max,sve256=on "$program" $train --backend openblas --blas-kernel NEOVERSEV1 \
        --updates 1 -o v1.h5
fi
expect 2 "^OpenBLAS has no kernel type 'Sandwich' that runs on this CPU" \
    "${other[@]}" step $net --backend openblas --blas-kernel Sandwich
