# The trainer built by clang -O3 gives the bits of this build. Linked against shared libraries: clang's OpenMP has no archive
# on Debian.
build=$SB_BUILD/clang
if ! command -v clang >/dev/null; then echo "skipped: no clang here"; exit 77; fi
if ! echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o openmp 2>openmp.out; then
    echo "skipped: clang has no OpenMP here: $(head -1 openmp.out)"
    exit 77
fi
generator=
if command -v ninja >/dev/null; then generator="-G Ninja"; fi
cmake -S "$SB_SOURCE" -B "$build" $generator -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Clang \
    -DCMAKE_C_FLAGS_CLANG=-O3 -DSB_STATIC=OFF -DSB_CUDA=OFF >build.out 2>&1 &&
    cmake --build "$build" --target samebits --parallel 1 >>build.out 2>&1 || { tail -20 build.out; exit 1; }

. "$SB_SOURCE/tests/cli/train_cases.sh"
sets=$(instruction_sets)
expect 0 "compiler +clang" "$build/bin/samebits" info
while read -r name options; do
    hash=$(samebits step $options --windows 2)
    for isa in $sets; do
        expect 0 "^$hash\$" "$build/bin/samebits" step $options --windows 2 --isa $isa --threads 2 --verify "$hash"
    done
done < <(cases; imitated_cases)
