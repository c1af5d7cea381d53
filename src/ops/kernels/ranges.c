#include "ops/kernels/ranges.h"

void sb_ranges_add(sb_ranges *ranges, const void *at, size_t n_bytes, bool is_read, bool is_written)
{
    if (!at || n_bytes == 0) return;
    assert(ranges->n < SB_RANGES_MAX);
    ranges->range[ranges->n++] = (sb_range){at, n_bytes, is_read, is_written};
}

/* -- sizes, in elements -- */

static long of_maps(const sb_domain_maps *m)
{
    return (long)m->samples * m->channels * m->h * m->w;
}

/* One map with its border of `direct`. */
static long padded(int h, int w)
{
    return (long)(h + 2) * (w + 2);
}

static long small_input(const sb_small_conv *s)
{
    return (long)s->samples * s->in * s->in_h * s->in_w;
}

static long small_output(const sb_small_conv *s)
{
    return (long)s->samples * s->out * s->h * s->w;
}

static long small_weights(const sb_small_conv *s)
{
    return (long)s->out * (s->in / s->groups) * s->kernel * s->kernel;
}

/* Sets of a layer norm or group norm, in numbers. */
static long sets_of(const sb_group_norm *norm, const sb_group_norm_maps *maps)
{
    return sb_group_norm_sets(norm, maps->samples, maps->h * maps->w) * 4;
}

static long elements_of(const sb_group_norm *norm, const sb_group_norm_maps *maps)
{
    return (long)maps->samples * norm->c * maps->h * maps->w;
}

static long norm_elements(const sb_norm *norm, const sb_norm_maps *maps)
{
    return (long)maps->samples * norm->c * maps->h * maps->w;
}

static long rows_of_attention(const sb_attention_maps *maps)
{
    return (long)maps->samples * maps->attention.heads * maps->context;
}

static long elements_of_attention(const sb_attention_maps *maps)
{
    return (long)maps->samples * maps->attention.width * maps->context;
}

/* Of one product of all pairs of a position and one that is not after it. */
static double flop_of_attention(const sb_attention_maps *maps)
{
    return (double)elements_of_attention(maps) * (maps->context + 1.0);
}

/* ---- rows ---- */

/* ROW(kernel, ranges): READS, WRITES and UPDATES (both) name the first element and the number of elements. A pointer
 * that is NULL has no range. WRITES_OR_UPDATES: the old values are read only if the condition is true. */
#define READS(x, count)                        sb_ranges_add(to, (x), sizeof *(x) * (size_t)(count), true, false);
#define WRITES(x, count)                       sb_ranges_add(to, (x), sizeof *(x) * (size_t)(count), false, true);
#define UPDATES(x, count)                      sb_ranges_add(to, (x), sizeof *(x) * (size_t)(count), true, true);
#define WRITES_OR_UPDATES(condition, x, count) sb_ranges_add(to, (x), sizeof *(x) * (size_t)(count), (condition), true);
#define ROW(name, ...)                                                                                                 \
    static void name##_ranges(const name##_args *k, sb_ranges *to)                                                     \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
/* for kernels with the same arguments */
#define ROW_AS(name, other)                                                                                            \
    static void name##_ranges(const name##_args *k, sb_ranges *to)                                                     \
    {                                                                                                                  \
        other##_ranges(k, to);                                                                                         \
    }

/* clang-format off */

/* point.h */
ROW(sb_frame_load, READS(k->frame, k->n) WRITES(k->x, k->n))
ROW(sb_image_load, const long size = (long)k->store.c * k->store.h * k->store.w;
    READS(k->store.bytes, k->store.n * size) READS(k->store.table, (k->store.per_element ? size : k->store.c) * 256)
    READS(k->choice, k->n / size) WRITES(k->x, k->n))
ROW(sb_error_forward, READS(k->a, k->n) READS(k->p, k->n) WRITES(k->e, 2 * k->n))
ROW(sb_error_backward, READS(k->e, 2 * k->n) READS(k->de, 2 * k->n) WRITES(k->da, k->n) WRITES(k->dp, k->n))
ROW(sb_pool_forward, READS(k->y, 4 * k->n) WRITES(k->a, k->n) WRITES(k->choice, k->n))
ROW(sb_pool_backward, READS(k->da, k->n) READS(k->choice, k->n) WRITES(k->dy, 4 * k->n))
ROW(sb_output_forward, UPDATES(k->p, k->n))
ROW(sb_output_backward, READS(k->p, k->n) UPDATES(k->dp, k->n))
ROW(sb_relu_backward, READS(k->y, k->n) UPDATES(k->dy, k->n))
ROW(sb_sum, READS(k->a, k->n) READS(k->b, k->n) WRITES(k->y, k->n))
ROW(sb_average, READS(k->x, k->n) UPDATES(k->e, k->n))
ROW(sb_mutate, READS(k->noise, k->n) READS(k->x, k->n) WRITES(k->y, k->n))
ROW(sb_lstm_forward, UPDATES(k->gates, 4 * k->n) READS(k->peephole, 3 * k->sample) READS(k->c_old, k->n)
    WRITES(k->c, k->n) WRITES(k->h, k->n))
ROW(sb_lstm_backward, const long n = k->samples * k->n;
    UPDATES(k->gates, 4 * n) READS(k->peephole, 3 * k->n) READS(k->c_old, n) READS(k->c, n) READS(k->dh, n)
    UPDATES(k->dc, n) UPDATES(k->dpeephole, 3 * k->n))

/* small.h */
ROW(sb_small_forward, READS(k->x, small_input(&k->conv)) READS(k->weight, small_weights(&k->conv))
    READS(k->bias, k->conv.out) WRITES_OR_UPDATES(k->goes_on, k->y, k->n))
ROW(sb_small_data_gradient, READS(k->dy, small_output(&k->conv)) READS(k->weight, small_weights(&k->conv))
    WRITES_OR_UPDATES(k->goes_on, k->dx, k->n))
ROW(sb_small_weight_gradient, READS(k->x, small_input(&k->conv)) READS(k->dy, small_output(&k->conv))
    UPDATES(k->dw, k->n))

/* dense.h */
ROW(sb_dense_forward, READS(k->x, k->n / k->out * k->in) READS(k->weight, (long)k->out * k->in) READS(k->bias, k->out)
    WRITES_OR_UPDATES(k->summed, k->y, k->n) to->flop = k->summed ? 0 : 2.0 * (double)k->n * k->in;)
ROW(sb_dense_data_gradient, READS(k->dy, k->n / k->in * k->out) READS(k->weight, (long)k->out * k->in)
    WRITES(k->dx, k->n) to->flop = 2.0 * (double)k->n * k->out;)
ROW(sb_dense_weight_gradient, READS(k->x, (long)k->batch * k->in) READS(k->dy, (long)k->batch * k->out)
    WRITES(k->dw, k->n) to->flop = 2.0 * (double)k->n * k->batch;)
ROW(sb_dense_bias_gradient, READS(k->dy, k->batch * k->n) WRITES(k->db, k->n))
ROW(sb_dense_learn, READS(k->x, k->in) READS(k->dy, k->n / k->in) READS(k->rates, 1) UPDATES(k->block.weight, k->n)
    UPDATES(k->block.state[0], k->n) UPDATES(k->block.state[1], k->n))

/* direct.h */
ROW(sb_border, const long map = (long)(k->h >> k->shrink) * (k->w >> k->shrink) * k->channels * k->samples;
    READS(k->a, map / 2) READS(k->p, map / 2) sb_ranges_add(to, k->x, sizeof *k->x * (size_t)map, !k->a, k->a);
    WRITES(k->to, (k->h + 2L * k->border) * (k->w + 2L * k->border) * k->channels * k->samples))
ROW_AS(sb_border_rows, sb_border)
ROW(sb_pack_forward, READS(k->weight, k->n) WRITES(k->to, k->n))
ROW(sb_pack_backward, READS(k->weight, k->n) WRITES(k->to, k->n))
ROW(sb_add_blocks, READS(k->up, 4 * k->n) UPDATES(k->dx, k->n))
ROW(sb_copy_rows, const long last = k->n / k->columns - 1;
    READS(k->from, last * k->from_pitch + k->columns) WRITES(k->to, last * k->to_pitch + k->columns))
ROW(sb_spread_bias, READS(k->bias, k->channels) WRITES(k->y, k->n))
ROW(sb_columns, const long channels = k->n / ((long)k->h * k->w * k->kernel * k->kernel);
    READS(k->x, channels * (k->in_h >> k->shrink) * (k->in_w >> k->shrink)) WRITES(k->to, k->n))
ROW(sb_fold, const long channels = k->n / ((long)(k->in_h >> k->shrink) * (k->in_w >> k->shrink));
    READS(k->columns, channels * k->kernel * k->kernel * k->h * k->w) UPDATES(k->dx, k->n))

/* domain.h */
ROW(sb_domain_weight, READS(k->weight, (long)k->in * k->out * 9) WRITES(k->u, SB_POINTS * k->n))
ROW(sb_domain_weight_end, READS(k->du, SB_POINTS * k->n) WRITES(k->dw, 9 * k->n))
ROW(sb_domain_input, const long x = of_maps(&k->maps) >> 2 * k->shrink;
    READS(k->a, x / 2) READS(k->p, x / 2) sb_ranges_add(to, k->x, sizeof *k->x * (size_t)x, !k->a, k->a);
    WRITES(k->v, SB_POINTS * k->n))
ROW(sb_domain_gradient, const long dy = of_maps(&k->maps);
    READS(k->p, dy) READS(k->da, dy / 4) READS(k->choice, dy / 4)
    sb_ranges_add(to, k->dy, sizeof *k->dy * (size_t)dy, !k->da, k->p || k->da);
    WRITES(k->m, (long)SB_POINTS * k->maps.channels * sb_domain_pitch(sb_domain_row(&k->maps)))
    UPDATES(k->db, k->maps.channels))
ROW(sb_domain_output, const long y = of_maps(&k->maps);
    READS(k->m, SB_POINTS * k->n) READS(k->bias, k->maps.channels) WRITES(k->y, y) WRITES(k->a, y / 4)
    WRITES(k->choice, y / 4))
ROW(sb_domain_adjoint, READS(k->v, SB_POINTS * k->n)
    WRITES_OR_UPDATES(k->fold, k->dx, of_maps(&k->maps) >> 2 * k->fold))

/* domain_transforms.h, domain_cell.h */
ROW_AS(sb_tiles_input, sb_domain_input)
ROW_AS(sb_tiles_gradient, sb_domain_gradient)
ROW_AS(sb_tiles_output, sb_domain_output)
ROW_AS(sb_tiles_adjoint, sb_domain_adjoint)
ROW(sb_tiles_cell, const long c = of_maps(&k->maps);
    READS(k->m, SB_POINTS * SB_CELL_GATES * k->n) READS(k->bias, SB_CELL_GATES * k->maps.channels)
    WRITES(k->gates, SB_CELL_GATES * c) READS(k->peephole, 3 * c / k->maps.samples) READS(k->c_old, c) WRITES(k->c, c)
    WRITES(k->h, c))

/* product.h */
ROW(sb_product_large,
    for (int i = 0; i < k->n_parts; i++) {
        READS(k->part[i].a, (long)k->part[i].n_k * k->m) READS(k->part[i].b, (long)k->part[i].n_k / 9 * k->channel)
        to->flop += 2.0 * k->part[i].n_k * k->m * k->n;
    }
    READS(k->start, k->m) WRITES(k->c, (long)k->m * k->n))
ROW_AS(sb_product_medium, sb_product_large)
ROW_AS(sb_product_thin, sb_product_large)
ROW_AS(sb_product_pixels, sb_product_large)
ROW(sb_product_weights, const long sums = (long)k->m * k->n;
    for (int f = 0; f < k->n_frames; f++) {
        READS(k->a[f], (k->m - 1L) * k->channel + padded(k->h, k->w))
        READS(k->b[f], (k->n / 9 - 1L) * k->channel + padded(k->h, k->w))
    }
    if (k->rows) WRITES(k->rows, k->n_frames * k->h * sums) else UPDATES(k->c, sums)
    to->flop = 2.0 * (double)sums * k->n_frames * k->h * k->w;)
ROW_AS(sb_product_weights_thin, sb_product_weights)

/* domain_product.h */
static void domain_ranges(const sb_domain_product_args *k, sb_ranges *to)
{
    const long a_row = sb_domain_pitch(k->m), b_row = sb_domain_pitch(k->n);
    for (int i = 0; i < k->n_parts; i++) {
        READS(k->part[i].a, SB_POINTS * k->part[i].n_k * a_row) READS(k->part[i].b, SB_POINTS * k->part[i].n_k * b_row)
        to->flop += 2.0 * (k->part[i].skip ? SB_POINTS_KEPT : SB_POINTS) * k->part[i].n_k * k->m * k->n;
    }
    WRITES_OR_UPDATES(k->adds, k->c, SB_POINTS * k->m * b_row)
}

static void domain_weight_ranges(const sb_domain_weight_product_args *k, sb_ranges *to)
{
    const long row = sb_domain_pitch(k->tiles);
    for (int f = 0; f < k->n_frames; f++) {
        READS(k->a[f], SB_POINTS * k->m * row) READS(k->b[f], SB_POINTS * k->n * row)
    }
    UPDATES(k->c, (long)SB_POINTS * k->m * k->n)
    to->flop = 2.0 * (k->skip ? SB_POINTS_KEPT : SB_POINTS) * k->m * k->n * k->tiles * k->n_frames;
}

#define DOMAIN_ROW(X, name, ...)        ROW(sb_product_domain_##name, domain_ranges(k, to);)
#define DOMAIN_WEIGHT_ROW(X, name, ...) ROW(sb_product_weights_##name, domain_weight_ranges(k, to);)
SB_DOMAIN_FORWARD_TILES(DOMAIN_ROW, )
SB_DOMAIN_WEIGHT_TILES(DOMAIN_WEIGHT_ROW, )
ROW(sb_product_weights_domain, domain_weight_ranges(k, to);)

/* reduce.h */
ROW(sb_loss_forward, const long n = (long)k->samples * k->c * k->h * k->w;
    READS(k->p, n) READS(k->y, n) WRITES(k->loss, 1))
ROW(sb_loss_backward, READS(k->p, k->n) READS(k->y, k->n) WRITES_OR_UPDATES(k->add, k->dp, k->n))
ROW(sb_bias_gradient, READS(k->dy, (long)k->samples * k->channels * k->h * k->w) UPDATES(k->db, k->channels))
ROW(sb_add_rows, READS(k->part, k->rows * k->n) UPDATES(k->total, k->n))
ROW(sb_norm_lanes, READS(k->g, k->size) WRITES(k->lane, k->n))
ROW(sb_norm_join, READS(k->lane, SB_ORDER_LANES * k->n) WRITES(k->sum, k->n))
ROW(sb_norm_total, READS(k->sum, k->blocks * k->n) WRITES(k->norm2, k->n))

/* layer.h */
ROW(sb_activation_forward, READS(k->x, k->n) WRITES(k->y, k->n))
ROW(sb_activation_backward, READS(k->x, k->n) READS(k->dy, k->n) WRITES(k->dx, k->n))
ROW(sb_logit_scale, READS(k->x, k->n) WRITES(k->y, k->n))
ROW(sb_max_pool_forward, READS(k->x, k->n / (k->h * k->w) * k->in_h * k->in_w) WRITES(k->y, k->n)
    WRITES(k->choice, k->n))
ROW(sb_max_pool_backward, const long dy = k->n / (k->h * k->w) * k->out_h * k->out_w;
    READS(k->dy, dy) READS(k->choice, dy) WRITES(k->dx, k->n))
ROW(sb_average_pool_forward, READS(k->x, k->n / (k->h * k->w) * k->in_h * k->in_w) WRITES(k->y, k->n))
ROW(sb_average_pool_backward, READS(k->dy, k->n / (k->h * k->w) * k->out_h * k->out_w) WRITES(k->dx, k->n))
ROW(sb_dropout, READS(k->dropout.update, 1) READS(k->x, k->n) WRITES(k->y, k->n))
ROW(sb_cross_entropy_forward, READS(k->z, k->n * k->classes) READS(k->label, k->n) WRITES(k->loss, k->n)
    WRITES(k->entropy, k->n) WRITES(k->predicted, k->n))
ROW(sb_cross_entropy_total, READS(k->label, k->samples) READS(k->predicted, k->samples) READS(k->loss, k->samples)
    READS(k->entropy, k->samples) WRITES(k->total, 3))
ROW(sb_cross_entropy_backward, READS(k->z, k->n * k->classes) READS(k->label, k->n) WRITES(k->dz, k->n * k->classes))

/* token.h */
ROW(sb_embedding_forward, const sb_embedding *e = &k->embedding;
    READS(e->table, (long)e->vocabulary * e->width) READS(e->position, (long)k->context * e->width)
    READS(k->tokens, k->n / ((long)k->context * e->width) * (k->context + 1)) WRITES(k->y, k->n))
ROW(sb_embedding_backward, const sb_embedding *e = &k->embedding;
    READS(k->dy, (long)k->samples * e->width * k->context) READS(k->tokens, (long)k->samples * (k->context + 1))
    WRITES_OR_UPDATES(e->adds_to_table, e->table_grad, (long)e->vocabulary * e->width)
    WRITES(e->position_grad, (long)k->context * e->width))
ROW(sb_token_loss_forward, READS(k->z, k->n * k->vocabulary) READS(k->tokens, k->n / k->context * (k->context + 1))
    WRITES(k->loss, k->n) WRITES(k->entropy, k->n) WRITES(k->predicted, k->n))
ROW(sb_token_loss_backward, READS(k->z, k->n * k->vocabulary) READS(k->tokens, k->n / k->context * (k->context + 1))
    WRITES(k->dz, k->n * k->vocabulary))
ROW(sb_token_total, const long n = (long)k->samples * k->context;
    READS(k->tokens, n + k->samples) READS(k->predicted, n) READS(k->loss, n) READS(k->entropy, n) WRITES(k->total, 3))

/* attention.h, attention_gradient.h; statistics: two numbers for each row, one of each kernel. Both kernels of the
 * gradient write a part of dx. */
ROW(sb_attention_largest, READS(k->x, 3 * elements_of_attention(k))
    UPDATES(k->attention.statistics, 2 * rows_of_attention(k)) to->flop = flop_of_attention(k);)
ROW(sb_attention_values, READS(k->x, 3 * elements_of_attention(k))
    UPDATES(k->attention.statistics, 2 * rows_of_attention(k)) WRITES(k->y, elements_of_attention(k))
    to->flop = 2 * flop_of_attention(k);)
ROW(sb_attention_means, const long y = elements_of_attention(&k->maps);
    READS(k->maps.dy, y) READS(k->maps.y, y) WRITES(k->maps.means, k->n))
ROW(sb_attention_queries, const long y = elements_of_attention(k), rows = rows_of_attention(k);
    READS(k->x, 3 * y) READS(k->dy, y) READS(k->attention.statistics, 2 * rows) READS(k->means, rows)
    UPDATES(k->dx, 3 * y) to->flop = 3 * flop_of_attention(k);)
ROW(sb_attention_keys, const long y = elements_of_attention(k), rows = rows_of_attention(k);
    READS(k->x, 3 * y) READS(k->dy, y) READS(k->attention.statistics, 2 * rows) READS(k->means, rows)
    UPDATES(k->dx, 3 * y) to->flop = 4 * flop_of_attention(k);)

/* group_norm.h */
ROW(sb_group_norm_sums, const long x = elements_of(&k->norm, &k->maps);
    READS(k->maps.x, x)
    if (k->maps.dy) { READS(k->maps.dy, x) READS(k->norm.scale, k->norm.c) }
    WRITES_OR_UPDATES(k->maps.dy, k->norm.space, 4 * k->n))
ROW(sb_group_norm_value, READS(k->maps.x, k->n) READS(k->maps.dy, k->n) READS(k->norm.scale, k->norm.c)
    READS(k->maps.dy ? NULL : k->norm.shift, k->norm.c) READS(k->norm.space, sets_of(&k->norm, &k->maps))
    WRITES(k->to, k->n))
ROW(sb_group_norm_rows, READS(k->maps.x, k->n * k->maps.w) READS(k->maps.dy, k->n * k->maps.w)
    READS(k->norm.space, sets_of(&k->norm, &k->maps)) WRITES(k->sums, 2 * k->n))
ROW(sb_group_norm_parameters, READS(k->sums, 2L * k->samples * k->norm.c * k->h) WRITES(k->norm.shift_grad, k->norm.c)
    WRITES(k->norm.scale_grad, k->norm.c))

/* norm.h */
#define PARTS(norm_) const sb_norm *norm = (norm_); const sb_norm_parts at = sb_norm_parts_of(norm);                   \
    const long parts = (long)norm->groups * norm->c;
ROW(sb_norm_statistics, PARTS(&k->norm) READS(k->maps.x, norm_elements(norm, &k->maps))
    UPDATES(norm->running_mean, parts) UPDATES(norm->running_var, parts) WRITES(at.mean, parts)
    WRITES(at.inverse, parts))
ROW(sb_norm_gradients, PARTS(&k->norm) const long n = norm_elements(norm, &k->maps);
    READS(k->maps.x, n) READS(k->dz, n) READS(at.mean, parts) READS(at.inverse, parts) WRITES(at.sum, parts)
    WRITES(at.product, parts) WRITES(at.offset, parts) WRITES(at.slope, parts))
ROW(sb_norm_value, PARTS(&k->norm) (void)parts; const long means = (long)k->groups * norm->c;
    READS(k->maps.x, k->n * k->at_once) READS(at.mean, means) READS(at.inverse, means) READS(norm->scale, norm->c)
    READS(norm->shift, norm->c) WRITES(k->y, k->n * k->at_once))
ROW(sb_norm_through, PARTS(&k->norm) READS(k->maps.x, k->n) READS(k->dy, k->n) READS(at.mean, parts)
    READS(at.inverse, parts) READS(norm->scale, norm->c) READS(norm->shift, norm->c) WRITES(k->dz, k->n))
ROW(sb_norm_input_gradient, PARTS(&k->norm) const long n = k->n * k->at_once; READS(k->maps.x, n) READS(k->dz, n)
    READS(k->dy, n) READS(at.mean, parts) READS(at.inverse, parts) READS(at.offset, parts) READS(at.slope, parts)
    READS(norm->scale, norm->c) READS(norm->shift, norm->c) WRITES(k->dx, n))
ROW(sb_norm_parameter_gradients, PARTS(&k->norm) READS(at.sum, parts) READS(at.product, parts)
    WRITES(norm->shift_grad, k->n) WRITES(norm->scale ? norm->scale_grad : NULL, k->n))
ROW(sb_norm_means, PARTS(&k->norm) READS(norm->running_mean, parts) READS(norm->running_var, parts)
    WRITES(at.mean, k->n) WRITES(at.inverse, k->n))

/* norm_rows.h */
ROW(sb_norm_row_sums, PARTS(&k->norm) const long n = norm_elements(norm, &k->maps);
    const bool are_gradients = k->pass == SB_NORM_GRADIENTS;
    READS(k->maps.x, n) READS(k->dy, n) READS(k->pass == SB_NORM_MEANS ? NULL : at.mean, parts)
    READS(are_gradients ? at.inverse : NULL, parts) READS(are_gradients ? norm->scale : NULL, norm->c)
    READS(are_gradients ? norm->shift : NULL, norm->c)
    WRITES(k->sums, (long)k->maps.samples * k->maps.h * sb_norm_columns(norm, k->pass)))
ROW(sb_norm_chains, PARTS(&k->norm) READS(k->sums, (long)k->samples * k->h * sb_norm_columns(norm, k->pass))
    if (k->pass == SB_NORM_MEANS) { UPDATES(norm->running_mean, parts) WRITES(at.mean, parts) }
    if (k->pass == SB_NORM_SQUARES) { UPDATES(norm->running_var, parts) WRITES(at.inverse, parts) }
    if (k->pass == SB_NORM_GRADIENTS) {
        WRITES(at.sum, parts) WRITES(at.product, parts) WRITES(at.offset, parts) WRITES(at.slope, parts)
    })

/* update.h */
#define GRADIENT READS(k->block.grad, k->block.n) READS(k->block.divisor, 1) READS(k->rates, 1)
#define STATES(id) for (int i = 0; i < SB_STATES_##id; i++) { UPDATES(k->block.state[i], k->block.n) }
#define OPTIMIZER(A, id, name, title, states, kind, ...) OPTIMIZER_##kind(id)
#define OPTIMIZER_ELEMENTWISE(id) ROW(sb_##id, GRADIENT UPDATES(k->block.weight, k->n) STATES(id))
#define OPTIMIZER_LAYERWISE(id)                                                                                        \
    ROW(sb_##id, GRADIENT READS(k->block.rate, 1) UPDATES(k->block.weight, k->n) STATES(id))                           \
    ROW(sb_##id##_lanes, GRADIENT READS(k->block.weight, k->block.n) STATES(id) WRITES(k->lane, 2 * k->n))
#define OPTIMIZER_QUASI_NEWTON(id)                                                                                     \
    ROW(sb_##id, GRADIENT READS(k->block.coefficient, SB_COEFFICIENTS_##id) UPDATES(k->block.weight, k->n) STATES(id)) \
    ROW(sb_##id##_pair, GRADIENT READS(k->block.weight, k->n) STATES(id))                                              \
    ROW(sb_##id##_product_lanes,                                                                                       \
        for (int i = 0; i < SB_STATES_##id; i++) { READS(k->block.state[i], k->block.n) } WRITES(k->lane, k->n))       \
    ROW(sb_##id##_coefficients, READS(k->product, SB_PRODUCTS_##id) READS(k->rates, 1)                                 \
        WRITES(k->coefficient, SB_COEFFICIENTS_##id))
SB_OPTIMIZERS(OPTIMIZER, SB_NO_STATE, )
ROW(sb_trust_rate, UPDATES(k->norm, 3) READS(k->trust, 1) WRITES(k->rate, k->n))
ROW(sb_gradient_divisor, READS(k->norm2, k->tensors) WRITES(k->divisor, k->n))

/* clang-format on */

#define CASE(name)                                                                                                     \
    case SB_KERNEL_##name:                                                                                             \
        name##_ranges(args, ranges);                                                                                   \
        return;

void sb_kernel_ranges(int kernel, const void *args, sb_ranges *ranges)
{
    ranges->n = 0, ranges->is_unknown = false, ranges->flop = 0;
    switch (kernel) {
        SB_KERNELS(CASE, CASE)
    }
    assert(!"a kernel of list.h");
}
