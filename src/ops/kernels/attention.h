/* Kernels of attention, as written in ops/attention/attention.h; the CPU twin is attention_native.c. Maps are planes
 * [n][c][T]. */
#pragma once

#include "ops/attention/attention.h"
#include "ops/kernels/kernel.h"

/* x [n][3 width][T]; y, dy [n][width][T]; dx as x. */
typedef struct sb_attention_maps {
    sb_attention attention;
    const sb_real *x, *dy;
    sb_real *y, *dx, *means; /* means: D of each row */
    int context;
} sb_attention_maps;

/* A head of a sample: channel 0 of q, k, v and of y; channels have the distance T. */
typedef struct sb_attention_head {
    const sb_real *q, *k, *v;
    sb_attention_row *row;
    long y; /* the first element in y, dy */
    long x; /* the first element of q in x, dx */
    int depth;
    sb_real factor;
} sb_attention_head;

SB_HOST_DEVICE sb_attention_head sb_attention_head_of(const sb_attention_maps *maps, int number)
{
    const sb_attention *a = &maps->attention;
    const int depth = a->width / a->heads, sample = number / a->heads, head = number % a->heads, width = a->width;
    const long x = ((long)sample * 3 * width + (long)head * depth) * maps->context;
    const long y = ((long)sample * width + (long)head * depth) * maps->context, part = (long)width * maps->context;
    const sb_attention_head h = {maps->x + x,
                                 maps->x + x + part,
                                 maps->x + x + 2 * part,
                                 (sb_attention_row *)a->statistics + (long)number * maps->context,
                                 y,
                                 x,
                                 depth,
                                 sb_attention_factor(depth)};
    return h;
}

/* The chain over the channels of two positions. */
SB_HOST_DEVICE sb_real sb_attention_chain(const sb_real *a, const sb_real *b, int depth, int context)
{
    sb_real sum = 0;
    for (int c = 0; c < depth; c++) sum = SB_FMA(a[(long)c * context], b[(long)c * context], sum);
    return sum;
}

/* One row: its largest score, and the inverse of the sum of the terms. */
typedef struct sb_attention_rows_args {
    long n;
    sb_attention_maps maps;
} sb_attention_rows_args;

SB_HOST_DEVICE void sb_attention_rows_each(const sb_attention_rows_args *k, long at)
{
    const int context = k->maps.context, i = (int)at % context;
    const sb_attention_head h = sb_attention_head_of(&k->maps, (int)at / context);
    sb_real lane[SB_ORDER_LANES] = {0}, largest = -INFINITY;
    for (int j = 0; j <= i; j++) {
        const sb_real z = h.factor * sb_attention_chain(h.q + i, h.k + j, h.depth, context);
        largest = z > largest ? z : largest;
    }
    for (int j = 0; j <= i; j++)
        lane[j % SB_ORDER_LANES] +=
            sb_attention_term(sb_attention_chain(h.q + i, h.k + j, h.depth, context), h.factor, largest);
    h.row[i].largest = largest;
    h.row[i].inverse = SB_DIVIDE((sb_real)1, sb_attention_join(lane));
}

/* One element of y */
typedef struct sb_attention_rows_args sb_attention_values_args;

SB_HOST_DEVICE void sb_attention_values_each(const sb_attention_values_args *k, long at)
{
    const int context = k->maps.context, i = (int)at % context, channel = (int)at / context;
    const int depth = k->maps.attention.width / k->maps.attention.heads;
    const sb_attention_head h = sb_attention_head_of(&k->maps, channel / depth);
    const sb_real *v = h.v + (long)(channel % depth) * context;
    sb_real sum = 0;
    for (int j = 0; j <= i; j++) {
        const sb_real chain = sb_attention_chain(h.q + i, h.k + j, h.depth, context);
        sum = SB_FMA(sb_attention_term(chain, h.factor, h.row[i].largest), v[j], sum);
    }
    k->maps.y[at] = h.row[i].inverse * (sum + 0);
}

/* D of one row */
typedef struct sb_attention_rows_args sb_attention_means_args;

SB_HOST_DEVICE void sb_attention_means_each(const sb_attention_means_args *k, long at)
{
    const int context = k->maps.context;
    const sb_attention_head h = sb_attention_head_of(&k->maps, (int)at / context);
    const long first = h.y + at % context;
    sb_real lane[SB_ORDER_LANES] = {0};
    for (int c = 0; c < h.depth; c++) {
        const long place = first + (long)c * context;
        lane[c % SB_ORDER_LANES] = SB_FMA(k->maps.dy[place], k->maps.y[place], lane[c % SB_ORDER_LANES]);
    }
    k->maps.means[at] = sb_attention_join(lane);
}

/* p_ij and s_ij of a head */
typedef struct sb_attention_score {
    sb_real p, s;
} sb_attention_score;

SB_HOST_DEVICE sb_attention_score sb_attention_score_of(const sb_attention_maps *maps, const sb_attention_head *h,
                                                        int i, int j)
{
    const int context = maps->context;
    const sb_real chain = sb_attention_chain(h->q + i, h->k + j, h->depth, context);
    const sb_real dp = sb_attention_chain(maps->dy + h->y + i, h->v + j, h->depth, context);
    const long rows = h->row - (sb_attention_row *)maps->attention.statistics;
    sb_attention_score score;
    score.p = sb_attention_term(chain, h->factor, h->row[i].largest) * h->row[i].inverse;
    score.s = score.p * (dp - maps->means[rows + i]);
    return score;
}

/* One element of dq, and the same of dk and dv */
typedef struct sb_attention_rows_args sb_attention_gradients_args;

SB_HOST_DEVICE void sb_attention_gradients_each(const sb_attention_gradients_args *k, long at)
{
    const int context = k->maps.context, t = (int)at % context, channel = (int)at / context;
    const int depth = k->maps.attention.width / k->maps.attention.heads;
    const sb_attention_head h = sb_attention_head_of(&k->maps, channel / depth);
    const long c = (long)(channel % depth) * context, part = (long)k->maps.attention.width * context;
    sb_real dq = 0, dk = 0, dv = 0;
    for (int j = 0; j <= t; j++) dq = SB_FMA(sb_attention_score_of(&k->maps, &h, t, j).s, h.k[c + j], dq);
    for (int i = t; i < context; i++) {
        const sb_attention_score score = sb_attention_score_of(&k->maps, &h, i, t);
        dk = SB_FMA(score.s, h.q[c + i], dk);
        dv = SB_FMA(score.p, k->maps.dy[h.y + c + i], dv);
    }
    sb_real *to = k->maps.dx + h.x + c + t;
    to[0] = h.factor * (dq + 0), to[part] = h.factor * (dk + 0), to[2 * part] = dv + 0;
}
