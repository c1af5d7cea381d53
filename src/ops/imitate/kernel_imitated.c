/* The tile of chains of kernel_native.c with its terms in any order, fused or not. */
#include "ops/imitate/kernels.h"

#include <assert.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

ALWAYS_INLINE sb_vec add_product(bool fused, sb_vec a, sb_vec b, sb_vec sum)
{
    if (fused) return sb_vec_fma(a, b, sum);
    return a * b + sum;
}

/* fused, n_rows and n_vecs are constants wherever this is expanded, so that the sums stay in registers. */
ALWAYS_INLINE void chains(bool fused, int n_rows, int n_vecs, const sb_stretch *stretch, uint32_t n,
                          const sb_place *place, sb_real *c, ptrdiff_t c_row)
{
    sb_vec sum[SB_TILE_ROWS][SB_TILE_VECS];
    UNROLL
    for (int m = 0; m < n_rows; m++) {
        UNROLL
        for (int j = 0; j < n_vecs; j++) sum[m][j] = sb_vec_all(0);
    }
    for (const sb_place *at = place; at < place + n; at++) {
        const sb_stretch *s = &stretch[at->stretch];
        const sb_real *a = s->a + sb_stretch_at(s, at->k), *b = s->b + at->k * s->b_row;
        const ptrdiff_t a_row = s->a_row;
        sb_vec b_k[SB_TILE_VECS];
        UNROLL
        for (int j = 0; j < n_vecs; j++) b_k[j] = sb_vec_load(b + j * SB_LANES);
        UNROLL
        for (int m = 0; m < n_rows; m++) {
            const sb_vec a_mk = sb_vec_all(a[m * a_row]);
            UNROLL
            for (int j = 0; j < n_vecs; j++) sum[m][j] = add_product(fused, a_mk, b_k[j], sum[m][j]);
        }
    }
    UNROLL
    for (int m = 0; m < n_rows; m++) {
        UNROLL
        for (int j = 0; j < n_vecs; j++) sb_vec_store(c + m * c_row + j * SB_LANES, sum[m][j]);
    }
}

ALWAYS_INLINE void choose(int n_rows, bool fused, int n_vecs, const sb_stretch *stretch, uint32_t n,
                          const sb_place *place, sb_real *c, ptrdiff_t c_row)
{
    switch (n_vecs) {
#define VECS(vecs)                                                                                                     \
    case vecs:                                                                                                         \
        if (fused)                                                                                                     \
            chains(true, n_rows, vecs, stretch, n, place, c, c_row);                                                   \
        else                                                                                                           \
            chains(false, n_rows, vecs, stretch, n, place, c, c_row);                                                  \
        return;
        SB_EACH_TILE_VECS(VECS)
#undef VECS
    }
    assert(!"1 to SB_TILE_VECS vectors");
}

void SB_NATIVE(sb_ordered_kernel)(bool fused, int n_rows, int n_vecs, const sb_stretch *stretch, uint32_t n,
                                  const sb_place *place, sb_real *c, ptrdiff_t c_row)
{
    switch (n_rows) {
#define ROWS(rows)                                                                                                     \
    case rows:                                                                                                         \
        choose(rows, fused, n_vecs, stretch, n, place, c, c_row);                                                      \
        return;
        SB_EACH_TILE_ROWS(ROWS)
#undef ROWS
    }
    assert(!"1 to SB_TILE_ROWS rows");
}
