# What clang -O3 compiles gives the bits of this build. Here clang compiles what a training on native computes with: the
# kernels of AVX2 or NEON, or where the CPU has neither the plain ones; the other objects are this build's. SB_CLANG=whole (make test-clang): clang
# builds the whole trainer, with the kernels of plain and AVX-512, networks and training loop, and trains by the imitations, too.
# Linked against shared libraries: clang's OpenMP has no archive on Debian.
if ! command -v clang >/dev/null; then echo "skipped: no clang here"; exit 77; fi
if ! echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o openmp 2>openmp.out; then
    echo "skipped: clang has no OpenMP here: $(head -1 openmp.out)"
    exit 77
fi

whole_trainer() {
    local generator=
    if command -v ninja >/dev/null; then generator="-G Ninja"; fi
    cmake -S "$SB_SOURCE" -B "$SB_BUILD/clang" $generator -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Clang \
        -DCMAKE_C_FLAGS_CLANG=-O3 -DSB_STATIC=OFF -DSB_CUDA=OFF || return
    cmake --build "$SB_BUILD/clang" --target samebits || return
    cp "$SB_BUILD/clang/bin/samebits" by_clang
}

# The build's own commands with clang in the compiler's place, and then its link with the new objects in front.
computing_part() {
    local compiler command link object n=0
    local objects='src/CMakeFiles/sb_ops_f32_'$part'\.dir/[^/ ]*ops/((attention|conv|conv/winograd|dense|norm|optimizer|point|token)/)?[a-z0-9_]*\.c\.o'
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$SB_BUILD/CMakeCache.txt")
    (cd "$SB_BUILD" && ninja -t commands bin/samebits) >all
    link=$(grep -F -- ' -o bin/samebits ' all)
    link="clang ${link#*"$compiler "}"
    link=${link/ -static / }
    while read -r command; do
        object=$(sed 's/.* -o \([^ ]*\) -c .*/\1/' <<<"$command")
        n=$((n + 1))
        command=$(sed -E 's/ -M[DTF] [^ ]*\.o(\.d)?//g; s/ -MD//; s/ -g1?//' <<<"clang -w ${command#*"$compiler "}")
        (cd "$SB_BUILD" && eval "${command/ -o $object / -o $test_folder/$n.o }") || return
    done < <(grep -E -- " -o $objects -c " all)
    [ $n -gt 20 ] || { echo "only $n objects were found"; return 1; }
    (cd "$SB_BUILD" && eval "${link/ -o bin\/samebits / $test_folder/*.o -o $test_folder/by_clang }")
}

. "$SB_SOURCE/tests/cli/train_cases.sh"
sets=$(instruction_sets)
if [ "${SB_CLANG-}" = whole ]; then
    build=whole_trainer
else
    build=computing_part part=plain
    for isa in avx2 neon; do case $sets in *$isa*) part=$isa ;; esac; done
    sets=$part
fi
$build >build.out 2>&1 || { tail -20 build.out; exit 1; }

expect 0 "native's kernels here" ./by_clang info
readelf -p .comment by_clang | grep -q clang
while read -r name options; do
    hash=$(samebits step $options --windows 2)
    for isa in $sets; do
        expect 0 "^$hash\$" ./by_clang step $options --windows 2 --isa $isa --threads 2 --verify "$hash"
    done
done < <(cases; [ "${SB_CLANG-}" != whole ] || native_cases)
