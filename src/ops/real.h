/* The number type of operations, networks and training. The trainer computes in float; the same sources built with
 * SB_REAL_IS_DOUBLE give `samebits-f64`, whose only purpose is to check gradients and to be the referee of the goldens.
 *
 * SB_FMA is one rounding. Nothing else may contract: every compiler of this project is told so. Two variants for the
 * imitations (ops/imitate/elementwise.c) compile these operations again: with SB_UNFUSED it is two roundings, and with
 * SB_DEVICE_FUNCTIONS division, root and the functions of math.h are as far off as a GPU's. SB_FUSED is one rounding in
 * every variant.
 */
#ifndef SB_OPS_REAL_H
#define SB_OPS_REAL_H

#include <float.h>
#include <math.h>

#if FLT_EVAL_METHOD != 0
#error "this compiler computes expressions of float in double (on s390x without -fexcess-precision=fast): other bits"
#endif

#ifdef __CUDACC__
#define SB_HOST_DEVICE static __host__ __device__ inline
#else
#define SB_HOST_DEVICE static inline
#endif

#ifdef SB_REAL_IS_DOUBLE
typedef double sb_real;
#define SB_FUSED(a, b, c) fma(a, b, c)
#define SB_H5_REAL        SB_F64
#define SB_REAL_NAME      "float64"
#else
typedef float sb_real;
#define SB_FUSED(a, b, c) fmaf(a, b, c)
#define SB_H5_REAL        SB_F32
#define SB_REAL_NAME      "float32"
#endif

#ifdef SB_UNFUSED
#define SB_FMA(a, b, c) ((a) * (b) + (c))
#else
#define SB_FMA(a, b, c) SB_FUSED(a, b, c)
#endif

#ifdef SB_DEVICE_FUNCTIONS
#define SB_SQRT(x)      sb_device_sqrt(x)
#define SB_DIVIDE(a, b) sb_device_divide(a, b)
#elif defined(SB_REAL_IS_DOUBLE)
#define SB_SQRT(x)      sqrt(x)
#define SB_DIVIDE(a, b) ((a) / (b))
#else
#define SB_SQRT(x)      sqrtf(x)
#define SB_DIVIDE(a, b) ((a) / (b))
#endif

#endif
