/* Max pools of the native backend, vectors of channels at a time: for PredNet, for networks of layers, and for the
 * imitation of a GPU that takes the last of equal numbers; and the gradient of the pool of networks of layers. */
#pragma once

#include "ops/ops.h"
#include "ops/simd.h"

#include <string.h>

typedef enum sb_pool_rule {
    SB_POOL_LARGEST,       /* the first of the largest numbers */
    SB_POOL_POSITIVE,      /* the same after a relu; its place is window_h * window_w where none is positive */
    SB_POOL_LAST_POSITIVE, /* in the same way, the last of equal positive numbers */
} sb_pool_rule;

/* The lanes in which v replaces the best so far. A NaN counts as the largest, so that it stays visible. */
static inline __attribute__((always_inline)) sb_mask sb_pool_takes(sb_pool_rule rule, sb_vec v, sb_vec best)
{
    sb_mask takes = (v > best) | (v != v);
    if (rule == SB_POOL_LAST_POSITIVE) takes |= (v == best) & (v > sb_vec_all(0));
    return takes;
}

/* One vector of `lanes` channels of one window, whose first pixel is at `corner`. Places are counted in numbers of the
 * vector's type, which holds 256 exactly. */
static inline __attribute__((always_inline)) void sb_pool_vector(sb_pool_rule rule, int window_h, int window_w,
                                                                 const sb_real *corner, size_t pixel, size_t row,
                                                                 int lanes, sb_real *largest, uint8_t *place)
{
    const bool from_zero = rule != SB_POOL_LARGEST;
    sb_vec best = from_zero ? sb_vec_all(0) : sb_vec_load_n(corner, lanes);
    sb_vec where = sb_vec_all(from_zero ? (sb_real)(window_h * window_w) : 0);
    for (int y = 0; y < window_h; y++)
        for (int x = 0; x < window_w; x++) {
            const sb_vec v = sb_vec_load_n(corner + y * row + x * pixel, lanes);
            const sb_mask takes = sb_pool_takes(rule, v, best);
            best = sb_vec_choose(takes, v, best);
            where = sb_vec_choose(takes, sb_vec_all((sb_real)(y * window_w + x)), where);
        }
    sb_vec_store_n(largest, best, lanes);
    sb_vec_store_bytes(place, where, lanes);
}

/* Of all channels of every window: a and choice from y, in the layout of native maps. */
static inline __attribute__((always_inline)) void sb_pool_windows(sb_pool_rule rule, int window_h, int window_w,
                                                                  const sb_tensor *y, sb_tensor *a, uint8_t *choice)
{
    const int n_c = a->c;
    const size_t pixel = (size_t)n_c, row = (size_t)y->w * pixel;
    const bool is_large = sb_is_large(sb_tensor_size(y));
#pragma omp for schedule(static)
    for (int i = 0; i < a->n * a->h; i++) {
        const sb_real *corner = sb_tensor_at(y, i / a->h).x + (size_t)(i % a->h) * window_h * row;
        if (is_large) sb_prefetch(corner + SB_PREFETCH_AHEAD * window_h * row, window_h * row);
        for (int at = 0; at < a->w; at++) {
            const size_t to = ((size_t)i * a->w + at) * n_c;
            for (int from = 0; from < n_c; from += SB_LANES) {
                const int c = sb_whole_at(from, n_c);
                const sb_real *first = corner + at * window_w * pixel + c;
                if (n_c >= SB_LANES)
                    sb_pool_vector(rule, window_h, window_w, first, pixel, row, SB_LANES, a->x + to + c,
                                   choice + to + c);
                else
                    sb_pool_vector(rule, window_h, window_w, first, pixel, row, n_c, a->x + to + c, choice + to + c);
            }
        }
    }
}

/* The pixels of dx below one window, whose first one is at `corner`: dy at its choice, zeros elsewhere. */
static inline __attribute__((always_inline)) void sb_unpool_window(int window_h, int window_w, int n_c, bool streamed,
                                                                   const sb_real *dy, const uint8_t *choice,
                                                                   sb_real *corner, size_t row)
{
    for (int from = 0; from < n_c; from += SB_LANES) {
        const int c = sb_whole_at(from, n_c), lanes = sb_lanes_at(c, n_c);
        const sb_vec v = sb_vec_load_n(dy + c, lanes), where = sb_vec_load_bytes(choice + c, lanes);
        for (int y = 0; y < window_h; y++)
            for (int x = 0; x < window_w; x++) {
                const sb_mask chosen = where == sb_vec_all((sb_real)(y * window_w + x));
                const sb_vec value = sb_vec_choose(chosen, v, sb_vec_all(0));
                sb_real *to = corner + y * row + (size_t)x * n_c + c;
                if (streamed)
                    sb_vec_stream(to, value);
                else
                    sb_vec_store_n(to, value, lanes);
            }
    }
}

/* dx, with zeros where no window is, from dy and choice, in the layout of native maps. More of it than caches hold is
 * stored past them. */
static inline __attribute__((always_inline)) void sb_unpool_windows(int window_h, int window_w, const sb_tensor *dy,
                                                                    const uint8_t *choice, sb_tensor *dx)
{
    enum { STREAMED_BYTES = 32 << 20 };
    const int n_c = dx->c, bands = (dx->h + window_h - 1) / window_h;
    const size_t row = (size_t)dx->w * n_c, covered = (size_t)dy->w * window_w * n_c;
    const bool streamed = sb_tensor_size(dx) * sizeof(sb_real) > STREAMED_BYTES && sb_vec_streams(dx->x, (size_t)n_c);
    const bool is_large = !streamed && sb_is_large(sb_tensor_size(dx));
#pragma omp for schedule(static) nowait
    for (int i = 0; i < dx->n * bands; i++) {
        const int y = i % bands, h = dx->h - y * window_h < window_h ? dx->h - y * window_h : window_h;
        const size_t from = ((size_t)(i / bands) * dy->h + y) * dy->w * n_c;
        sb_real *to = dx->x + ((size_t)(i / bands) * dx->h + (size_t)y * window_h) * row;
        const size_t zeros = y < dy->h ? covered : 0; /* from there on, in every row of the band */
        if (is_large) sb_prefetch(to + SB_PREFETCH_AHEAD * window_h * row, window_h * row);
        for (int x = 0; y < dy->h && x < dy->w; x++) {
            const size_t at = from + (size_t)x * n_c;
            sb_unpool_window(window_h, window_w, n_c, streamed, dy->x + at, choice + at,
                             to + (size_t)x * window_w * n_c, row);
        }
        for (int r = 0; r < h && zeros < row; r++) memset(to + r * row + zeros, 0, (row - zeros) * sizeof *to);
    }
    sb_stream_end();
#pragma omp barrier
}
