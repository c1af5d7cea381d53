/* The most fused multiply-adds an instruction set can do: nothing but chains in registers, as many as the micro-kernel
 * has accumulators. */
#ifndef SB_OPS_PEAK_H
#define SB_OPS_PEAK_H

#include "ops/real.h"

/* n steps of all chains on the calling thread. Returns the floating-point operations done, two for each fma; *sum is
 * what the chains came to, so that no compiler leaves them out. */
typedef double sb_peak(long n, sb_real *sum);

/* One per instruction set, as in ops/simd.h; avx2 and avx512 exist where SB_HAVE_X86_KERNELS says so. */
sb_peak sb_peak_plain, sb_peak_avx2, sb_peak_avx512;

#endif
