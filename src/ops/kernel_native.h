/* The one inner loop of the native backend: a tile of chains. */
#pragma once

#include "ops/simd.h"

#include <stddef.h>
#include <stdint.h>

#define SB_KERNEL SB_NATIVE(sb_kernel)

typedef enum sb_kernel_start { SB_FROM_ZERO, SB_GO_ON } sb_kernel_start;

/* One stretch of the chains of a tile: k = 0 .. n_k - 1 of  a[m * a_row + a_at(k)] * b[k * b_row + j], where a_at(k) is
 * a_offset[k], or k * a_step where there is no such table. */
typedef struct sb_stretch {
    int n_k;
    const sb_real *a;
    ptrdiff_t a_row, a_step;
    const int32_t *a_offset;
    const sb_real *b;
    ptrdiff_t b_row;
} sb_stretch;

static inline ptrdiff_t sb_stretch_at(const sb_stretch *s, int k)
{
    return s->a_offset ? s->a_offset[k] : k * s->a_step;
}

enum { SB_STRETCHES_MAX = 8 };

/* For each row m < n_rows (1 .. SB_TILE_ROWS) and column j < n_vecs * SB_LANES (n_vecs 1 .. SB_TILE_VECS):
 * c[m * c_row + j] = chain over the stretches in their order, starting from 0 or going on from what c holds. */
void SB_KERNEL(int n_rows, int n_vecs, int n_stretches, const sb_stretch *stretch, sb_kernel_start start, sb_real *c,
               ptrdiff_t c_row);

/* Rows of a map, each with its own sum: a[k] and b[k] of line l are `a_line` and `b_line` elements after the previous
 * line's. */
typedef struct sb_lines {
    int n;
    ptrdiff_t a_line, b_line;
} sb_lines;

/* The same tile, for adjacent rows (a_row 1) and without a table: c[m * c_row + j] += for each line, in their
 * order: its chain from 0. */
void SB_NATIVE(sb_kernel_lines)(int n_rows, int n_vecs, const sb_stretch *stretch, const sb_lines *lines, sb_real *c,
                                ptrdiff_t c_row);

/* Chains over channels and, for each, the taps: step (channel, tap) is a[channel * a_channel + a_tap[tap] + m] times
 * b[channel * b_channel + b_tap[tap] + j]. */
typedef struct sb_taps {
    int n_channels, n_taps;
    const sb_real *a;
    ptrdiff_t a_channel;
    const int32_t *a_tap;
    const sb_real *b;
    ptrdiff_t b_channel;
    const int32_t *b_tap;
} sb_taps;

/* The same tile: c[m * c_row + j] = chain over n_terms of those in their order, starting from 0 or going on from what c
 * holds. */
void SB_NATIVE(sb_kernel_taps)(int n_rows, int n_vecs, int n_terms, const sb_taps *taps, sb_kernel_start start,
                               sb_real *c, ptrdiff_t c_row);
