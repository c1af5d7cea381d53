#!/bin/sh
# No kernel keeps anything in local memory, neither spilled registers nor arrays that it indexes: a device would read it
# back in the middle of the arithmetic. Arguments: nvcc, the folder src.
# exit: 0 holds, 1 not, 77 no nvcc here
set -eu
nvcc=$1 src=$2
[ -x "$nvcc" ] || { echo "no nvcc here: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# assembled ARCHITECTURE SOURCE: the assembler's words about each kernel
assembled()
{
    "$nvcc" -std=c++17 -O3 "-arch=$1" --fmad=false -prec-div=true -prec-sqrt=true -ftz=false -I"$src" \
        -Xptxas -v -cubin "$2" -o "$work/cubin" 2>&1
}

# in_memory: of these words, the kernels with local memory
in_memory()
{
    awk '/Function properties for/ { kernel = $NF }
        /bytes stack frame/ && ($1 > 0 || $5 > 0 || $9 > 0) { print kernel ": " $0 }'
}

failed=0
for architecture in sm_75 sm_90; do
    assembled $architecture "$src/ops/kernels/kernels_cuda.cu" >"$work/words"
    kernels=$(grep -c 'bytes stack frame' "$work/words") || { echo "$architecture: nothing said of any kernel"; exit 1; }
    in_memory <"$work/words" >"$work/found"
    sed "s/^/$architecture: /" "$work/found"
    [ -s "$work/found" ] && failed=1
    echo "$architecture: $kernels kernels"
done
# The search can find something: an array that is indexed by an argument cannot be kept in registers.
cat >"$work/indexed.cu" <<'END'
extern "C" __global__ void indexed(float *y, int at)
{
    float kept[64];
    for (int i = 0; i < 64; i++) kept[i] = 2 * y[i] + i;
    kept[at] = 1;
    for (int i = 0; i < 64; i++) y[i] = kept[(at + i) % 64];
}
END
assembled sm_90 "$work/indexed.cu" >"$work/words"
in_memory <"$work/words" | grep -q indexed || { echo "an indexed array was not found: the search is blind"; failed=1; }
[ "$failed" -eq 0 ] && echo "nothing in local memory"
exit "$failed"
