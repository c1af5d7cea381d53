/* Products of the form `winograd` with very few tiles, where making U takes longer than multiplying it: a vector of columns at
 * a time, U of some steps is made in registers, multiplied there with all tiles, and not stored. */
#include "ops/conv/winograd/conv_winograd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    STEPS = 8,        /* of the chains, between which sums stay in registers */
    HALVES = 6 * 3,   /* G g of a 3x3 kernel */
    TAPS_EARLY = 2048 /* elements of taps that are asked for early */
};

/* half[k] = G g of n_k rows of taps; U is half[k] G^T. */
ALWAYS_INLINE void make_halves(const sb_real *taps, int n_k, sb_vec (*half)[HALVES])
{
    for (int k = 0; k < n_k; k++, taps += TAPS * SB_LANES) {
        sb_vec g[TAPS];
        UNROLL_POINTS
        for (int tap = 0; tap < TAPS; tap++) {
            g[tap] = sb_vec_load(taps + tap * SB_LANES);
            __builtin_prefetch(taps + TAPS_EARLY + tap * SB_LANES, 0, 2);
        }
        UNROLL_POINTS
        for (int x = 0; x < 3; x++) winograd_weight(g + x, 3, half[k] + x, 3);
    }
}

/* Points a and b of one row of points, b < 0: a alone: sum[point][t] goes on over n_k steps of U's row times v[point][t]. v
 * and sum: of the row's first point; of tiles three have one address, and what is between them is added to it. */
ALWAYS_INLINE void add_pair(int n_tiles, int a, int b, int n_k, const sb_vec (*half)[HALVES], const sb_real *v,
                            size_t point, ptrdiff_t row, sb_vec *sum)
{
    enum { THREES = (VERY_FEW_TILES + 2) / 3 };
    const int n = b < 0 ? 1 : 2, at[2] = {a, b};
    sb_vec s[2][VERY_FEW_TILES];
    const sb_real *three[2][THREES];
    UNROLL_POINTS
    for (int i = 0; i < n; i++) {
        UNROLL_POINTS
        for (int t = 0; t < n_tiles; t++) {
            s[i][t] = sum[at[i] * n_tiles + t];
            if (t % 3 == 0) three[i][t / 3] = v + at[i] * point + t * row;
        }
    }
    for (int k = 0; k < n_k; k++) {
        sb_vec u[6];
        winograd_weight(half[k], 1, u, 1);
        UNROLL_POINTS
        for (int t = 0; t < n_tiles; t++) {
            UNROLL_POINTS
            for (int i = 0; i < n; i++)
                s[i][t] = sb_vec_fma(sb_vec_all(three[i][t / 3][t % 3 * row + k]), u[at[i]], s[i][t]);
        }
    }
    UNROLL_POINTS
    for (int i = 0; i < n; i++) {
        UNROLL_POINTS
        for (int t = 0; t < n_tiles; t++) sum[at[i] * n_tiles + t] = s[i][t];
    }
}

/* All points go on over n_k steps. */
ALWAYS_INLINE void add_steps(int n_tiles, bool upsampled, int n_k, const sb_vec (*half)[HALVES], const sb_real *v,
                             size_t point, ptrdiff_t row, sb_vec *sum)
{
    for (int i = 0; i < 6; i++) {
        if (upsampled && SB_WINOGRAD_SKIPS(6 * i)) continue;
        const sb_vec(*of_row)[HALVES] = (const sb_vec(*)[HALVES])(half[0] + 3 * i);
        const sb_real *v_row = v + 6 * i * point;
        sb_vec *to = sum + (size_t)6 * i * n_tiles;
        add_pair(n_tiles, 0, 5, n_k, of_row, v_row, point, row, to);
        add_pair(n_tiles, 3, 4, n_k, of_row, v_row, point, row, to);
        if (upsampled)
            add_pair(n_tiles, 1, -1, n_k, of_row, v_row, point, row, to);
        else
            add_pair(n_tiles, 1, 2, n_k, of_row, v_row, point, row, to);
    }
}

/* One vector of columns of all points. n_tiles is a constant wherever this is expanded. */
ALWAYS_INLINE void vector_product(int n_tiles, int n_terms, const sb_term *term, bool backward, int first, int n,
                                  sb_real *product)
{
    sb_vec sum[POINTS * VERY_FEW_TILES], half[STEPS][HALVES];
    for (int p = 0; p < POINTS * n_tiles; p++) sum[p] = sb_vec_all(0);
    for (int i = 0; i < n_terms; i++) {
        const sb_conv *conv = term[i].conv;
        const int n_k = backward ? sb_conv_outputs(&conv->shape) : conv->shape.in,
                  row = operand_row(&conv->shape, backward ? sb_whole_vectors(n_k) : n_k);
        const size_t point = point_stride(&conv->shape, row);
        const sb_real *v = term[i].operand, *taps = taps_of_block(conv, n_k, first);
        for (int k = 0, steps; k < n_k; k += steps, v += steps, taps += steps * TAPS * SB_LANES) {
            steps = n_k - k < STEPS ? n_k - k : STEPS;
            make_halves(taps, steps, half);
            add_steps(n_tiles, conv->shape.upsampled, steps, half, v, point, row, sum);
        }
    }
    const int padded = sb_whole_vectors(n);
    const size_t point = point_stride(&term[0].conv->shape, padded);
    for (int p = 0; p < POINTS; p++)
        for (int t = 0; t < n_tiles; t++)
            sb_vec_store(product + p * point + (size_t)t * padded + first, sum[p * n_tiles + t]);
}

void SB_NATIVE(sb_winograd_product_of_very_few)(int n_terms, const sb_term *term, bool backward, int n, sb_real *to)
{
    const int n_tiles = tiles(&term[0].conv->shape);
#define PRODUCT(n_)                                                                                                    \
    case n_:                                                                                                           \
        vector_product(n_, n_terms, term, backward, first, n, to);                                                     \
        break;
#pragma omp for schedule(dynamic)
    for (int first = 0; first < n; first += SB_LANES) {
        switch (n_tiles) {
            EACH_VERY_FEW(PRODUCT)
        }
    }
#undef PRODUCT
}
