#include "net/sequential/sequential_parts.h"

#include <stdatomic.h>

/* Both gradients of a convolution, chunk by chunk: the samples of the batch ascending. */
static void conv_backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, const sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    void *operand = s->piece[t->convolving.again].memory, *gradient = s->piece[t->convolving.gradient].memory;
    sb_conv conv = sb_sequential_conv(s, t, t->conv.shape.n, true);
    const bool learns = !t->row->conv.is_frozen;
    ops->conv_turn(ops, &conv);
    for (int first = 0; first < x->n; first += t->conv.shape.n) {
        const int n = x->n - first < t->conv.shape.n ? x->n - first : t->conv.shape.n;
        const sb_tensor some_x = sb_sequential_samples(x, first, n), some_dy = sb_sequential_samples(dy, first, n);
        conv = sb_sequential_conv(s, t, n, true);
        const sb_term term = {&conv, gradient};
        ops->conv_gradient(ops, &conv.shape, &some_dy, gradient);
        if (learns) {
            ops->conv_input(ops, &conv.shape, &some_x, operand);
            ops->conv_weight_gradient(ops, &conv, 1, (const void *const[]){operand}, (const void *const[]){gradient});
        }
        if (dx) {
            sb_tensor some_dx = sb_sequential_samples(dx, first, n);
            ops->conv_data_gradient(ops, 1, &term, &some_dx);
        }
        /* The sums of the weights' gradient end without a barrier, and the next chunk overwrites what they read. */
#pragma omp barrier
    }
    if (learns) ops->conv_end(ops, &conv);
}

static void bias_backward(sequential *s, const step *t, const sb_tensor *dy)
{
    sb_ops *ops = s->net.ops;
    if (!t->bias) return;
    ops->zero(ops, t->bias_grad, (size_t)dy->c * sizeof(sb_real));
    ops->bias_gradient(ops, dy, t->bias_grad);
}

static void dense_backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    sb_dense dense = t->dense;
    const sb_map_size flat = {t->dense.in, 1, 1};
    const bool has_planes = t->planes != NO_PIECE;
    const sb_tensor numbers = has_planes ? sb_sequential_map(s, t->planes, flat, x->n) : *x;
    dense.scratch = s->piece[t->dense_scratch[1]].memory;
    ops->dense_weight_gradient(ops, &dense, &numbers, dy);
    if (!dx) return;
    sb_tensor dnumbers = has_planes ? sb_sequential_map(s, t->dplanes, flat, x->n) : *dx;
    ops->dense_data_gradient(ops, &dense, dy, &dnumbers);
    if (has_planes) ops->map_load(ops, dnumbers.x, dx);
}

/* What the gradient of the sum is to the residual's input goes both ways. */
static void residual_backward(sequential *s, const step *t, const sb_tensor *dy)
{
    sb_ops *ops = s->net.ops;
    const sb_real *waiting = s->piece[t->waiting].memory;
    ops->sum(ops, sb_tensor_size(dy), waiting, dy->x, dy->x);
}

static void step_backward(sequential *s, const step *t, const sb_window *window)
{
    sb_ops *ops = s->net.ops;
    const sb_layer_row *row = t->row;
    const sb_tensor x = sb_sequential_map(s, t->x, t->in, window->n), dy = sb_sequential_map(s, t->dy, t->out, window->n);
    sb_tensor dx = t->dx == NO_PIECE ? (sb_tensor){0} : sb_sequential_map(s, t->dx, t->in, window->n);
    switch (row->kind) {
    case SB_LAYER_CONV:
        bias_backward(s, t, &dy);
        conv_backward(s, t, &x, &dy, t->dx == NO_PIECE ? NULL : &dx);
        break;
    case SB_LAYER_NORM: {
        const sb_norm norm = sb_sequential_norm(s, t, window->shard);
        if (t->dx == NO_PIECE) dx = dy;
        ops->norm_backward(ops, &norm, &x, &dy, &dx);
        break;
    }
    case SB_LAYER_ACTIVATION: {
        const bool in_place = row->activation.kind == SB_ACTIVATION_relu; /* positive where its input is */
        const sb_tensor at = sb_sequential_map(s, in_place ? t->y : t->x, t->in, window->n);
        ops->activation_backward(ops, row->activation.kind, (sb_real)row->activation.alpha, &at, &dy, &dx);
        break;
    }
    case SB_LAYER_MAX_POOL:
        ops->max_pool_backward(ops, row->window, row->window, &dy, s->piece[t->choice].memory, &dx);
        break;
    case SB_LAYER_GLOBAL_POOL:
        ops->max_pool_backward(ops, t->in.h, t->in.w, &dy, s->piece[t->choice].memory, &dx);
        break;
    case SB_LAYER_RESIDUAL:
        residual_backward(s, t, &dy);
        break;
    case SB_LAYER_DENSE:
        dense_backward(s, t, &x, &dy, t->dx == NO_PIECE ? NULL : &dx);
        break;
    case SB_LAYER_SCALE:
        ops->logit_scale(ops, (sb_real)row->factor, &dy, &dx);
        break;
    case SB_LAYER_RESIDUAL_END:
    case SB_N_LAYER_KINDS:
        break;
    }
}

void sb_sequential_backward(sequential *s, const sb_window *window)
{
    sb_ops *ops = s->net.ops;
    const int n_batch = window->n_batch ? window->n_batch : window->n;
    const sb_tensor z = sb_sequential_samples(&s->net.classes.logits, 0, window->n);
    sb_tensor dz = sb_sequential_map(s, s->dlogits, (sb_map_size){s->list.n_classes, 1, 1}, window->n);
    ops->cross_entropy_backward(ops, &z, s->labels, s->list.smoothing, s->list.is_summed ? 1 : 1.0 / n_batch, &dz);
    for (int i = s->n_steps - 1; i >= 0; i--) {
        if (s->step[i].dy == NO_PIECE) return;
        atomic_store_explicit(&s->time, time_backward(s, i), memory_order_relaxed);
        step_backward(s, &s->step[i], window);
        if (s->step[i].first_param < s->step[i].end_param) sb_net_tell_learned(window, s->step[i].first_param);
    }
}
