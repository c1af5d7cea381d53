#include "ops/kernel_native.h"

#include "ops/bounds.h"

#include <assert.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* Keeps the compiler from deriving one pointer from the other: a chain of additions would be longer than the
 * arithmetic. */
#define OPAQUE(pointer) __asm__("" : "+r"(pointer))

/* How far ahead rows of b are asked for: about the time that memory takes. */
enum { PREFETCH_ROWS = 64 };

/* n_rows and n_vecs are constants wherever these are expanded, so that the accumulators stay in registers. */

enum { THREES = (SB_TILE_ROWS + 2) / 3 };

/* Where every third row of a begins: a base and once or twice the step is what an address can hold. */
ALWAYS_INLINE void find_rows(int n_rows, const sb_real *a, ptrdiff_t a_row, const sb_real *three[THREES])
{
    UNROLL
    for (int t = 0; 3 * t < n_rows; t++) {
        three[t] = a + 3 * t * a_row;
        OPAQUE(three[t]);
    }
}

/* The sums of a tile: from 0, or from what c holds. */
ALWAYS_INLINE void start_sums(int n_rows, int n_vecs, sb_kernel_start start, const sb_real *c, ptrdiff_t c_row,
                              sb_vec (*sum)[SB_TILE_VECS])
{
    UNROLL
    for (int m = 0; m < n_rows; m++) {
        UNROLL
        for (int j = 0; j < n_vecs; j++)
            sum[m][j] = start == SB_GO_ON ? sb_vec_load(c + m * c_row + j * SB_LANES) : sb_vec_all(0);
    }
}

ALWAYS_INLINE void store_sums(int n_rows, int n_vecs, sb_vec (*sum)[SB_TILE_VECS], sb_real *c, ptrdiff_t c_row)
{
    UNROLL
    for (int m = 0; m < n_rows; m++) {
        UNROLL
        for (int j = 0; j < n_vecs; j++) sb_vec_store(c + m * c_row + j * SB_LANES, sum[m][j]);
    }
}

/* One step of every chain whose numbers of a lie side by side. */
ALWAYS_INLINE void add_row(int n_rows, int n_vecs, const sb_real *a, const sb_real *b, sb_vec (*sum)[SB_TILE_VECS])
{
    sb_vec b_k[SB_TILE_VECS];
    UNROLL
    for (int j = 0; j < n_vecs; j++) b_k[j] = sb_vec_load(b + j * SB_LANES);
    UNROLL
    for (int m = 0; m < n_rows; m++) {
        const sb_vec a_mk = sb_vec_all(a[m]);
        UNROLL
        for (int j = 0; j < n_vecs; j++) sum[m][j] = sb_vec_fma(a_mk, b_k[j], sum[m][j]);
    }
}

/* One step of every chain: n_rows numbers of a, with the stride a_row, each times n_vecs vectors of b. Prefetches from
 * b + ahead. */
ALWAYS_INLINE void add_products(int n_rows, int n_vecs, const sb_real *const *three, ptrdiff_t a_row, const sb_real *b,
                                ptrdiff_t ahead, sb_vec (*sum)[SB_TILE_VECS])
{
    sb_vec b_k[SB_TILE_VECS];
    UNROLL
    for (int j = 0; j < n_vecs; j++) {
        b_k[j] = sb_vec_load(b + j * SB_LANES);
        if (j % SB_PREFETCH_VECS == 0) __builtin_prefetch(b + ahead + j * SB_LANES);
    }
    UNROLL
    for (int m = 0; m < n_rows; m++) {
        const sb_vec a_mk = sb_vec_all(three[m / 3][m % 3 * a_row]);
        UNROLL
        for (int j = 0; j < n_vecs; j++) sum[m][j] = sb_vec_fma(a_mk, b_k[j], sum[m][j]);
    }
}

/* Steps whose factors lie where a table says. */
ALWAYS_INLINE void add_by_table(int n_rows, int n_vecs, const sb_stretch *s, sb_vec (*sum)[SB_TILE_VECS])
{
    const sb_real *b = s->b, *three[THREES];
    const ptrdiff_t a_row = s->a_row;
    for (int k = 0; k < s->n_k; k++, b += s->b_row) {
        find_rows(n_rows, s->a + s->a_offset[k], a_row, three);
        add_products(n_rows, n_vecs, three, a_row, b, PREFETCH_ROWS * s->b_row, sum);
    }
}

/* Steps whose factors have the stride a_step: one addition computes the next addresses for three rows, and additions
 * alternate with the arithmetic. */
ALWAYS_INLINE void add_by_steps(int n_rows, int n_vecs, const sb_stretch *s, sb_vec (*sum)[SB_TILE_VECS])
{
    const sb_real *b = s->b, *three[THREES];
    const ptrdiff_t a_row = s->a_row, a_step = s->a_step;
    find_rows(n_rows, s->a, a_row, three);
    for (int k = 0; k < s->n_k; k++, b += s->b_row) {
        add_products(n_rows, n_vecs, three, a_row, b, PREFETCH_ROWS * s->b_row, sum);
        UNROLL
        for (int t = 0; 3 * t < n_rows; t++) {
            three[t] += a_step;
            OPAQUE(three[t]);
        }
    }
}

ALWAYS_INLINE void chains(int n_rows, int n_vecs, int n_stretches, const sb_stretch *stretch, sb_kernel_start start,
                          sb_real *c, ptrdiff_t c_row)
{
    sb_vec sum[SB_TILE_ROWS][SB_TILE_VECS];
    start_sums(n_rows, n_vecs, start, c, c_row, sum);
    for (const sb_stretch *s = stretch; s < stretch + n_stretches; s++)
        if (s->a_offset)
            add_by_table(n_rows, n_vecs, s, sum);
        else
            add_by_steps(n_rows, n_vecs, s, sum);
    store_sums(n_rows, n_vecs, sum, c, c_row);
}

/* As above, for chains of n_k steps over the lines. What a line's sums wait for, the chains of the next do not. */
ALWAYS_INLINE void lines_of(int n_rows, int n_vecs, const sb_stretch *s, const sb_lines *lines, sb_real *c,
                            ptrdiff_t c_row)
{
    for (int l = 0; l < lines->n; l++) {
        sb_vec sum[SB_TILE_ROWS][SB_TILE_VECS];
        const sb_real *a = s->a + l * lines->a_line, *b = s->b + l * lines->b_line;
        UNROLL
        for (int m = 0; m < n_rows; m++) {
            UNROLL
            for (int j = 0; j < n_vecs; j++) sum[m][j] = sb_vec_all(0);
        }
        for (int k = 0; k < s->n_k; k++, a += s->a_step, b += s->b_row) add_row(n_rows, n_vecs, a, b, sum);
        UNROLL
        for (int m = 0; m < n_rows; m++) {
            UNROLL
            for (int j = 0; j < n_vecs; j++) {
                sb_real *total = c + m * c_row + j * SB_LANES;
                sb_vec_store(total, sb_vec_load(total) + sum[m][j]);
            }
        }
    }
}

/* As above, for the taps of every channel. */
ALWAYS_INLINE void taps_of(int n_rows, int n_vecs, int n_terms, const sb_taps *taps, sb_kernel_start start, sb_real *c,
                           ptrdiff_t c_row)
{
    sb_vec sum[SB_TILE_ROWS][SB_TILE_VECS];
    start_sums(n_rows, n_vecs, start, c, c_row, sum);
    for (const sb_taps *t = taps; t < taps + n_terms; t++)
        for (int channel = 0; channel < t->n_channels; channel++) {
            const sb_real *a_channel = t->a + channel * t->a_channel, *b_channel = t->b + channel * t->b_channel;
            for (int tap = 0; tap < t->n_taps; tap++)
                add_row(n_rows, n_vecs, a_channel + t->a_tap[tap], b_channel + t->b_tap[tap], sum);
        }
    store_sums(n_rows, n_vecs, sum, c, c_row);
}

/* `tile` of n_rows rows and n_vecs vectors, both constants in each of its expansions; the rest are its arguments. */
#define VECS(n)                                                                                                        \
    case n:                                                                                                            \
        TILE(N_ROWS, n);                                                                                               \
        return;
#define ROWS(n)                                                                                                        \
    case n: {                                                                                                          \
        enum { N_ROWS = n };                                                                                           \
        switch (n_vecs) {                                                                                              \
            SB_EACH_TILE_VECS(VECS)                                                                                    \
        }                                                                                                              \
        break;                                                                                                         \
    }
#define EACH_TILE()                                                                                                    \
    switch (n_rows) {                                                                                                  \
        SB_EACH_TILE_ROWS(ROWS)                                                                                        \
    }                                                                                                                  \
    assert(!"1 to SB_TILE_ROWS rows of 1 to SB_TILE_VECS vectors")

void SB_KERNEL(int n_rows, int n_vecs, int n_stretches, const sb_stretch *stretch, sb_kernel_start start, sb_real *c,
               ptrdiff_t c_row)
{
    sb_bounds_tile(n_rows, n_vecs, n_stretches, stretch, c, c_row);
#define TILE(rows, vecs) chains(rows, vecs, n_stretches, stretch, start, c, c_row)
    EACH_TILE();
#undef TILE
}

void SB_NATIVE(sb_kernel_lines)(int n_rows, int n_vecs, const sb_stretch *stretch, const sb_lines *lines, sb_real *c,
                                ptrdiff_t c_row)
{
    sb_bounds_lines(n_rows, n_vecs, stretch, lines, c, c_row);
#define TILE(rows, vecs) lines_of(rows, vecs, stretch, lines, c, c_row)
    EACH_TILE();
#undef TILE
}

void SB_NATIVE(sb_kernel_taps)(int n_rows, int n_vecs, int n_terms, const sb_taps *taps, sb_kernel_start start,
                               sb_real *c, ptrdiff_t c_row)
{
    sb_bounds_taps(n_rows, n_vecs, n_terms, taps, c, c_row);
#define TILE(rows, vecs) taps_of(rows, vecs, n_terms, taps, start, c, c_row)
    EACH_TILE();
#undef TILE
}
