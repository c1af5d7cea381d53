/* The two ceilings of a machine at a number of threads. */
#ifndef SB_INSPECT_BENCH_CEILING_H
#define SB_INSPECT_BENCH_CEILING_H

#include "core/status.h"

/* Fused multiply-adds in registers on so many threads at once: GFLOP/s of all of them together, for about so many
 * seconds. isa: one that this CPU has. */
double sb_ceiling_peak(const char *isa, int threads, double seconds);

/* OpenBLAS's product of two size x size matrices, repeated for about so many seconds: their GFLOP/s. The environment
 * variable OPENBLAS_CORETYPE decides with which kernels. */
sb_status sb_ceiling_gemm(int size, int threads, double seconds, double *gflops);

#endif
