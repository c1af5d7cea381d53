/* The most fused multiply-adds an instruction set can do: nothing but chains in registers, as many as the micro-kernel
 * has accumulators. */
#ifndef SB_OPS_PEAK_H
#define SB_OPS_PEAK_H

#include "core/rows/isas.h"
#include "ops/real.h"

/* n steps of all chains on the calling thread. Returns the floating-point operations done, two for each fma; *sum is
 * what the chains came to, so that no compiler leaves them out. */
typedef double sb_peak(long n, sb_real *sum);

/* One for each instruction set; there are those that this program has kernels for. */
#define SB_PEAK(name) sb_peak sb_peak_##name;
SB_ISAS(SB_PEAK)
#undef SB_PEAK

#endif
