# The trainer built by another compiler or at another level of optimisation (SB_VARIANT_COMPILER, SB_VARIANT_LEVEL)
# gives the bits of this build. Linked against shared libraries: clang's OpenMP has no archive on Debian.
compiler=$SB_VARIANT_COMPILER level=$SB_VARIANT_LEVEL
build=$SB_BUILD/variant/$compiler$level
if ! command -v "$compiler" >/dev/null; then echo "skipped: no $compiler here"; exit 77; fi
if ! echo 'int main(void) { return 0; }' | "$compiler" -fopenmp -x c - -o openmp 2>openmp.out; then
    echo "skipped: $compiler has no OpenMP here: $(head -1 openmp.out)"
    exit 77
fi
generator=
if command -v ninja >/dev/null; then generator="-G Ninja"; fi
cmake -S "$SB_SOURCE" -B "$build" $generator -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Variant \
    -DCMAKE_C_FLAGS_VARIANT="$level" -DSB_STATIC=OFF -DSB_CUDA=OFF >build.out 2>&1 &&
    cmake --build "$build" --target samebits --parallel 1 >>build.out 2>&1 || { tail -20 build.out; exit 1; }

. "$SB_SOURCE/tests/cli/train_cases.sh"
sets=$(instruction_sets)
expect 0 "compiler +$compiler" "$build/bin/samebits" info
while read -r name options; do
    hash=$(samebits step $options --windows 2)
    for isa in $sets; do
        expect 0 "^$hash\$" "$build/bin/samebits" step $options --windows 2 --isa $isa --threads 2 --verify "$hash"
    done
done < <(cases; imitated_cases)
