#!/bin/sh
# Device code holds the fused multiply-adds that are written, no others: kernels without one in their source have none
# in their PTX, and nothing is approximate or flushes small numbers. Made for a device that starts a kernel while the one
# before it runs, every kernel waits for that one before it touches memory. Arguments: nvcc, the folder src.
# exit: 0 holds, 1 not, 77 no nvcc here
set -eu
nvcc=$1 src=$2
[ -x "$nvcc" ] || { echo "no nvcc here: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ptx() # SOURCE OUTPUT flags...
{
    source=$1 output=$2
    shift 2
    "$nvcc" -std=c++17 -O3 "$@" -I"$src" -ptx "$source" -o "$output"
}

fused() # PTX KERNEL: its fused multiply-adds of numbers
{
    awk -v kernel="$2_kernel" '/\.entry/ { here = index($0, kernel) } here && /(fma|mad)\.[a-z.]*f(32|64)/ { n++ }
        END { print n + 0 }' "$1"
}

flags="--fmad=false -prec-div=true -prec-sqrt=true -ftz=false"
ptx "$src/ops/kernels/kernels_cuda.cu" "$work/exact" $flags
failed=0
for kernel in sb_error_forward sb_error_backward sb_pool_forward sb_pool_backward sb_output_forward sb_output_backward \
              sb_relu_backward sb_bias_gradient sb_add_rows sb_border sb_border_rows sb_pack_forward sb_pack_backward \
              sb_add_blocks sb_spread_bias sb_columns sb_fold; do
    grep -q "\.entry.*${kernel}_kernel" "$work/exact" || { echo "$kernel: not in the device code"; failed=1; }
    n=$(fused "$work/exact" "$kernel")
    [ "$n" -eq 0 ] || { echo "$kernel: $n fused multiply-adds that nobody wrote"; failed=1; }
done
if grep -nE '\.approx|\.ftz|\.full\.' "$work/exact" | head -3 | grep .; then
    echo "approximate or flushing instructions"
    failed=1
fi
# The search can find something: allowed to contract, the compiler does.
echo 'extern "C" __global__ void probe_kernel(float *y) { y[0] = y[0] * y[1] + y[2]; }' >"$work/probe.cu"
ptx "$work/probe.cu" "$work/exact" $flags
ptx "$work/probe.cu" "$work/contracted" --fmad=true
exact=$(fused "$work/exact" probe) contracted=$(fused "$work/contracted" probe)
[ "$exact" -eq 0 ] && [ "$contracted" -eq 1 ] ||
    { echo "probe: $contracted contracted, $exact exact: the search is blind"; failed=1; }

# early PTX: kernels that touch memory, or leave out the wait, before they waited; then the number of all kernels
early()
{
    awk '/^[ \t]*(\.visible )?\.entry/ { kernel = $0; waited = 0; n++ }
        /griddepcontrol\.wait/ { waited = 1 }
        /^[ \t]*(@!?%[a-z0-9]+[ \t]+)?((ldu|atom|red|cp|ldmatrix|prefetch|tex|suld|sust)\.|(ld|st)\.([a-z0-9.]*(global|shared|generic)|[vfbsu]))/ \
            { if (!waited) print "before its turn: " kernel ": " $0 }
        /^}/ { if (kernel != "" && !waited) print "never waits: " kernel; kernel = "" }
        END { print n + 0 " kernels" }' "$1"
}

ptx "$src/ops/kernels/kernels_cuda.cu" "$work/waiting" -arch=compute_90 $flags
early "$work/waiting" >"$work/early"
sed '$d' "$work/early" | grep . && failed=1
[ "$(tail -n 1 "$work/early")" = "$(grep -c '\.entry' "$work/waiting") kernels" ] || { echo "not all kernels were seen"; failed=1; }
ptx "$src/ops/kernels/kernels_cuda.cu" "$work/ordered" -arch=compute_80 $flags
if grep -q griddepcontrol "$work/ordered"; then echo "an older device is asked to wait"; failed=1; fi
# The search can find something: the same code without its waits, and with them behind the first access.
grep -v 'griddepcontrol\.wait' "$work/waiting" >"$work/rash"
[ "$(early "$work/rash" | grep -c 'never waits')" = "$(grep -c '\.entry' "$work/rash")" ] && early "$work/rash" | grep -q 'before its turn' ||
    { echo "kernels that do not wait were not found: the search is blind"; failed=1; }
for access in 'ld.global.f32 %f1, [%rd1];' '@%p1 ld.global.f32 %f1, [%rd1];' '@!%p1 ld.global.f32 %f1, [%rd1];' '@%p1 ld.f32 %f1, [%rd1];' \
    'st.volatile.global.u32 [%rd1], %r1;' 'cp.async.ca.shared.global [%r1], [%rd1], 4;' 'ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1];' \
    'atom.global.add.u32 %r1, [%rd1], 1;' 'prefetch.global.L2 [%rd1];' 'ldu.global.f32 %f1, [%rd1];'; do
    printf '.visible .entry rash(\n\tld.param.u64 %%rd1, [p];\n\t%s\n\tgriddepcontrol.wait;\n}\n' "$access" >"$work/one"
    early "$work/one" | grep -q 'before its turn' || { echo "$access: not seen"; failed=1; }
done
[ "$failed" -eq 0 ] && echo "no contraction that is not written, no access before its turn"
exit "$failed"
