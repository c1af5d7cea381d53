/* The number type of operations, networks and training. The trainer computes in float. The same sources built with
 * SB_REAL_IS_DOUBLE give `samebits-f64`, which only checks gradients and serves as the reference implementation of the
 * golden files.
 *
 * SB_FMA rounds once. No other expression may be contracted: the build sets the compilers' options so. The imitations
 * compile these operations again (ops/imitate/elementwise.c), in two variants. With SB_UNFUSED, SB_FMA rounds twice.
 * With SB_DEVICE_FUNCTIONS, division, square root and the functions of math.h have the errors of a GPU's. SB_FUSED
 * rounds once in every variant.
 */
#pragma once

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
