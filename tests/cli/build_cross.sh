# The arithmetic alone, cross-compiled and run by qemu-user, has the bits of this machine: kernels of each instruction set,
# functions, random numbers, sketches, and hashes also where numbers begin with their most significant byte. The whole trainer:
# make test-arm64, test-riscv64, test-s390x.
compile() { # OUTPUT COMPILER ISA FLAGS...
    "$2" -o "$1" -std=c17 -O2 -Werror $SB_EXACT -DSB_ISA="$3" "${@:4}" -isystem include -I"$SB_SOURCE/src" "$SB_SOURCE/tests/cross/heart.c" \
        "$SB_SOURCE"/src/ops/kernel_native.c "$SB_SOURCE"/src/core/{hash,hash_avx2,random,sketch}.c -lm
}
unset COMPILER_PATH # where somebody keeps a linker for this machine
# The two libraries of it are headers, for every machine the same.
mkdir include
ln -s /usr/include/xxhash.h /usr/include/Random123 include/

compile here "${CC:-cc}" plain
expect 0 '^product [0-9a-f]{32}$' ./here
cp expect.out here.out
expect 0 '^4$' grep -c ' [0-9a-f]*$' here.out

n=0
for row in "aarch64 plain" "aarch64 neon -DSB_NEON" "riscv64 plain" "s390x plain -fexcess-precision=fast"; do
    read -r cpu isa flags <<<"$row"
    if ! command -v $cpu-linux-gnu-gcc >/dev/null || ! emulator=$(command -v qemu-$cpu || command -v qemu-$cpu-static); then
        echo "skipped: no $cpu-linux-gnu-gcc or no qemu-$cpu here"
        continue
    fi
    compile $cpu-$isa $cpu-linux-gnu-gcc $isa $flags -static
    expect 0 '^product' "$emulator" ./$cpu-$isa
    same here.out expect.out
    n=$((n + 1))
done

# A compiler that would compute float in double is refused. That for s390x did so before gcc 13.
if command -v s390x-linux-gnu-gcc >/dev/null && [ "$(s390x-linux-gnu-gcc -dumpversion)" -lt 13 ]; then
    expect 1 'computes expressions of float in double' compile wide s390x-linux-gnu-gcc plain -static
fi
if [ $n -lt 4 ]; then echo "skipped: $n of 4 other machines could be tried"; exit 77; fi
