#include "ops/kernel_native.h"

#include <assert.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* n_rows and n_vecs are constants wherever this is expanded, so that the accumulators stay in registers. */
ALWAYS_INLINE void chains(int n_rows, int n_vecs, int n_k, const sb_real *a, ptrdiff_t a_row, const int32_t *a_offset,
                          const sb_real *b, ptrdiff_t b_row, sb_real *tile)
{
    sb_vec sum[SB_TILE_ROWS][SB_TILE_VECS];
    UNROLL for (int m = 0; m < n_rows; m++) UNROLL for (int j = 0; j < n_vecs; j++) sum[m][j] =
        sb_vec_load(tile + (m * n_vecs + j) * SB_LANES);
    for (int k = 0; k < n_k; k++, b += b_row) {
        const sb_real *a_k = a + a_offset[k];
        sb_vec b_k[SB_TILE_VECS];
        UNROLL for (int j = 0; j < n_vecs; j++) b_k[j] = sb_vec_load(b + j * SB_LANES);
        UNROLL for (int m = 0; m < n_rows; m++)
        {
            sb_vec a_mk = sb_vec_all(a_k[m * a_row]);
            UNROLL for (int j = 0; j < n_vecs; j++) sum[m][j] = sb_vec_fma(a_mk, b_k[j], sum[m][j]);
        }
    }
    UNROLL for (int m = 0; m < n_rows; m++) UNROLL for (int j = 0; j < n_vecs; j++)
        sb_vec_store(tile + (m * n_vecs + j) * SB_LANES, sum[m][j]);
}

ALWAYS_INLINE void choose_vecs(int n_rows, int n_vecs, int n_k, const sb_real *a, ptrdiff_t a_row,
                               const int32_t *a_offset, const sb_real *b, ptrdiff_t b_row, sb_real *tile)
{
    switch (n_vecs) {
    case 1:
        chains(n_rows, 1, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 2:
        chains(n_rows, 2, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 3:
        chains(n_rows, 3, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    }
    assert(!"1 to SB_TILE_VECS vectors");
}

void SB_NATIVE(sb_kernel)(int n_rows, int n_vecs, int n_k, const sb_real *a, ptrdiff_t a_row, const int32_t *a_offset,
                          const sb_real *b, ptrdiff_t b_row, sb_real *tile)
{
    switch (n_rows) {
    case 1:
        choose_vecs(1, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 2:
        choose_vecs(2, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
#if !defined(SB_REAL_IS_DOUBLE) && defined(__AVX2__)
    case 3:
        choose_vecs(3, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 4:
        choose_vecs(4, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
#endif
#if !defined(SB_REAL_IS_DOUBLE) && defined(__AVX512F__)
    case 5:
        choose_vecs(5, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 6:
        choose_vecs(6, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 7:
        choose_vecs(7, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
    case 8:
        choose_vecs(8, n_vecs, n_k, a, a_row, a_offset, b, b_row, tile);
        return;
#endif
    }
    assert(!"1 to SB_TILE_ROWS rows");
}
