# The same hashes on the CPU that valgrind imitates, which executes every instruction in software. It knows no AVX-512.
if ! command -v valgrind >/dev/null; then echo "skipped: no valgrind here"; exit 77; fi
. "$SB_SOURCE/tests/cli/train_cases.sh"
imitated() {
    valgrind -q --tool=none "$SB_BUILD/bin/samebits" "$@"
}
while read -r name options; do
    hash=$(awk -v name="$name" '$1 == name { print $2 }' "$SB_SOURCE/tests/golden/step_hashes")
    expect 0 "^$hash\$" imitated step $options --windows 3 --isa avx2 --threads 1 --verify "$hash"
done < <(cases | grep -E '^(prednet_48x32_winograd|prednet_20x12|autoencoder_batch_1) ')
expect 0 "native's kernels here: avx2" imitated info
