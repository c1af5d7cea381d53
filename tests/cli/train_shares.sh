# OpenBLAS's shares of threads, computed one after the other, have the bits of the threads: by each kernel type that this CPU
# can run, as test_openblas_shares shows it of the CPU's own.
grep -q '^flags.* sse4_2' /proc/cpuinfo 2>/dev/null || { echo 'skipped: no x86-64 CPU with SSE4.2'; exit 77; }
kernels='Prescott Nehalem'
if grep -q '^flags.* avx ' /proc/cpuinfo; then kernels+=' Sandybridge'; fi
if grep -q '^flags.* avx2 ' /proc/cpuinfo; then kernels+=' Haswell Zen'; fi
if grep -q '^flags.* avx512vl' /proc/cpuinfo; then kernels+=' SkylakeX'; fi
for kernel in $kernels; do
    expect 0 "^$kernel: one thread gives other bits in [1-9][0-9]* products" env OPENBLAS_CORETYPE=$kernel "$SB_BUILD/bin/test_openblas_shares"
done
