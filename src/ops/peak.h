/* The peak rate of fused multiply-adds of an instruction set: chains in registers alone, as many as the micro-kernel
 * has accumulators. */
#pragma once

#include "core/rows/isas.h"
#include "ops/real.h"

/* Run n steps of all chains on the calling thread. Returns the number of floating-point operations, two for each fma.
 * *sum is the result of the chains, so that no compiler removes them. */
typedef double sb_peak(long n, sb_real *sum);

/* One function for each instruction set for which this program has kernels. */
#define SB_PEAK(name) sb_peak sb_peak_##name;
SB_ISAS(SB_PEAK)
#undef SB_PEAK
