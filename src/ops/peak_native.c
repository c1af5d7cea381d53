#include "ops/peak.h"

#include "ops/simd.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

enum { CHAINS = SB_TILE_ROWS * SB_TILE_VECS };

/* x = x / 2 + 1 runs to 2: nothing overflows, nothing is denormal. */
double SB_NATIVE(sb_peak)(long n, sb_real *sum)
{
    const sb_vec half = sb_vec_all((sb_real)0.5), one = sb_vec_all(1);
    sb_vec x[CHAINS];
    UNROLL
    for (int i = 0; i < CHAINS; i++) x[i] = sb_vec_all((sb_real)i);
    for (long k = 0; k < n; k++) {
        UNROLL
        for (int i = 0; i < CHAINS; i++) x[i] = sb_vec_fma(x[i], half, one);
    }
    sb_real lane[SB_LANES];
    for (int i = 1; i < CHAINS; i++) x[0] = x[0] + x[i];
    sb_vec_store(lane, x[0]);
    *sum = lane[0];
    return 2.0 * CHAINS * SB_LANES * (double)n;
}
