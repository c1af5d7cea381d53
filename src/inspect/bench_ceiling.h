/* The two ceilings of a machine at a number of threads. */
#ifndef SB_INSPECT_BENCH_CEILING_H
#define SB_INSPECT_BENCH_CEILING_H

#include "core/status.h"

enum { SB_GEMM_SIZE = 2048 };

/* Fused multiply-adds in registers on so many threads at once: GFLOP/s of all of them together, for about so many
 * seconds. isa: one that this CPU has. */
double sb_ceiling_peak(const char *isa, int threads, double seconds);

/* OpenBLAS's product of two size x size matrices, repeated for about so many seconds: *gflops, and the kernel type
 * that computed it (environment variable OPENBLAS_CORETYPE), valid for the life of the process. */
sb_status sb_ceiling_gemm(int size, int threads, double seconds, double *gflops);

#endif
