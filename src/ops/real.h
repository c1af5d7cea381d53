/* The number type of operations, networks and training. The trainer computes in float; the same sources built with
 * SB_REAL_IS_DOUBLE give `samebits-f64`, whose only purpose is to check gradients and to be the referee of the goldens.
 *
 * SB_FMA is one rounding. Nothing else may contract: every compiler of this project is told so.
 */
#ifndef SB_OPS_REAL_H
#define SB_OPS_REAL_H

#include <math.h>

#ifdef __CUDACC__
#define SB_HEART static __host__ __device__ inline
#else
#define SB_HEART static inline
#endif

#ifdef SB_REAL_IS_DOUBLE
typedef double sb_real;
#define SB_FMA(a, b, c) fma(a, b, c)
#define SB_SQRT(x)      sqrt(x)
#define SB_H5_REAL      SB_F64
#define SB_REAL_NAME    "float64"
#else
typedef float sb_real;
#define SB_FMA(a, b, c) fmaf(a, b, c)
#define SB_SQRT(x)      sqrtf(x)
#define SB_H5_REAL      SB_F32
#define SB_REAL_NAME    "float32"
#endif

#endif
