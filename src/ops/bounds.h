/* Address checks for whole tiles of chains. The address sanitizer's check of each number takes most of the time of a
 * sanitized training. So tiles are compiled without it, and each tile checks its memory once by these functions. In all
 * other builds they are empty.
 *
 * The checked range is from the lowest to the highest address, so an overrun is found to the byte. */
#pragma once

#include "ops/kernel_native.h"

#ifdef SB_TILES_UNSANITIZED
/* If one of `bytes` bytes is not allocated, print the sanitizer's report and end the program. */
void sb_bounds_check(const void *begin, size_t bytes);

static inline void sb_bounds_offsets(int n, const int32_t *offset, int32_t *lowest, int32_t *highest)
{
    *lowest = *highest = n > 0 ? offset[0] : 0;
    for (int k = 1; k < n; k++) {
        if (offset[k] < *lowest) *lowest = offset[k];
        if (offset[k] > *highest) *highest = offset[k];
    }
}

/* `width` numbers in each of n_rows rows. */
static inline void sb_bounds_rows(const sb_real *x, int n_rows, ptrdiff_t row, int width)
{
    sb_bounds_check(x, (size_t)((n_rows - 1) * row + width) * sizeof *x);
}

static inline void sb_bounds_stretch(int n_rows, int n_vecs, const sb_stretch *s, ptrdiff_t a_row)
{
    int32_t lowest, highest;
    if (s->n_k <= 0) return;
    sb_bounds_rows(s->b, s->n_k, s->b_row, n_vecs * SB_LANES);
    if (!s->a_offset) {
        sb_bounds_check(s->a, (size_t)((n_rows - 1) * a_row + (s->n_k - 1) * s->a_step + 1) * sizeof *s->a);
        return;
    }
    sb_bounds_check(s->a_offset, (size_t)s->n_k * sizeof *s->a_offset);
    sb_bounds_offsets(s->n_k, s->a_offset, &lowest, &highest);
    sb_bounds_rows(s->a + lowest, n_rows, a_row, highest - lowest + 1);
}

static inline void sb_bounds_tile(int n_rows, int n_vecs, int n_stretches, const sb_stretch *stretch, const sb_real *c,
                                  ptrdiff_t c_row)
{
    for (int i = 0; i < n_stretches; i++) sb_bounds_stretch(n_rows, n_vecs, &stretch[i], stretch[i].a_row);
    sb_bounds_rows(c, n_rows, c_row, n_vecs * SB_LANES);
}

static inline void sb_bounds_lines(int n_rows, int n_vecs, const sb_stretch *stretch, const sb_lines *lines,
                                   const sb_real *c, ptrdiff_t c_row)
{
    sb_stretch of_line = *stretch;
    for (int l = 0; l < lines->n; l++, of_line.a += lines->a_line, of_line.b += lines->b_line)
        sb_bounds_stretch(n_rows, n_vecs, &of_line, 1);
    sb_bounds_rows(c, n_rows, c_row, n_vecs * SB_LANES);
}

static inline void sb_bounds_term(int n_rows, int n_vecs, const sb_taps *t)
{
    int32_t lowest, highest;
    if (t->n_channels <= 0 || t->n_taps <= 0) return;
    const int last = t->n_channels - 1;
    sb_bounds_check(t->a_tap, (size_t)t->n_taps * sizeof *t->a_tap);
    sb_bounds_check(t->b_tap, (size_t)t->n_taps * sizeof *t->b_tap);
    sb_bounds_offsets(t->n_taps, t->a_tap, &lowest, &highest);
    sb_bounds_check(t->a + lowest, (size_t)(last * t->a_channel + highest - lowest + n_rows) * sizeof *t->a);
    sb_bounds_offsets(t->n_taps, t->b_tap, &lowest, &highest);
    sb_bounds_check(t->b + lowest, (size_t)(last * t->b_channel + highest - lowest + n_vecs * SB_LANES) * sizeof *t->b);
}

static inline void sb_bounds_taps(int n_rows, int n_vecs, int n_terms, const sb_taps *t, const sb_real *c,
                                  ptrdiff_t c_row)
{
    for (int i = 0; i < n_terms; i++) sb_bounds_term(n_rows, n_vecs, &t[i]);
    sb_bounds_rows(c, n_rows, c_row, n_vecs * SB_LANES);
}
#else
#define sb_bounds_tile(...)  ((void)0)
#define sb_bounds_lines(...) ((void)0)
#define sb_bounds_taps(...)  ((void)0)
#endif
