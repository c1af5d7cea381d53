#include "net/sequential/sequential_parts.h"

#include <stdatomic.h>

static void conv_forward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    void *operand = s->piece[t->convolving.operand].memory;
    sb_conv conv = sb_sequential_conv(s, t, t->conv.shape.n, false);
    ops->conv_begin(ops, &conv);
    for (int first = 0; first < x->n; first += t->conv.shape.n) {
        const int n = x->n - first < t->conv.shape.n ? x->n - first : t->conv.shape.n;
        const sb_tensor some_x = sb_sequential_samples(x, first, n);
        sb_tensor some_y = sb_sequential_samples(y, first, n);
        conv = sb_sequential_conv(s, t, n, false);
        const sb_term term = {&conv, operand};
        ops->conv_input(ops, &conv.shape, &some_x, operand);
        ops->conv_forward(ops, 1, &term, t->bias, &some_y);
    }
}

/* A backend keeps maps as it likes; the weights of a dense layer are in the order c, h, w. */
static void dense_forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    sb_dense dense = t->dense;
    sb_tensor numbers = *x;
    dense.scratch = s->piece[t->dense_scratch[0]].memory;
    if (t->planes != NO_PIECE) {
        numbers = sb_sequential_map(s, t->planes, (sb_map_size){t->dense.in, 1, 1}, x->n);
        ops->map_store(ops, x, numbers.x);
    }
    ops->dense_forward(ops, &dense, &numbers, y, false);
}

static void norm_forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y, const sb_window *window,
                         bool is_training)
{
    sb_ops *ops = s->net.ops;
    const sb_norm norm = sb_sequential_norm(s, t, is_training ? window->shard : -1);
    if (is_training)
        ops->norm_forward(ops, &norm, x, y);
    else
        ops->norm_evaluate(ops, &norm, x, y);
}

static void step_forward(sequential *s, const step *t, const sb_window *window, bool is_training)
{
    sb_ops *ops = s->net.ops;
    const sb_layer_row *row = t->row;
    const sb_tensor x = sb_sequential_map(s, t->x, t->in, window->n);
    sb_tensor y = sb_sequential_map(s, t->y, t->out, window->n);
    switch (row->kind) {
    case SB_LAYER_CONV:
        conv_forward(s, t, &x, &y);
        break;
    case SB_LAYER_NORM:
        norm_forward(s, t, &x, &y, window, is_training);
        break;
    case SB_LAYER_ACTIVATION:
        ops->activation_forward(ops, row->activation.kind, (sb_real)row->activation.alpha, &x, &y);
        break;
    case SB_LAYER_MAX_POOL:
        ops->max_pool_forward(ops, row->window, row->window, &x, &y, s->piece[t->choice].memory);
        break;
    case SB_LAYER_GLOBAL_POOL:
        ops->max_pool_forward(ops, t->in.h, t->in.w, &x, &y, s->piece[t->choice].memory);
        break;
    case SB_LAYER_RESIDUAL_END: {
        const sb_tensor skipped = sb_sequential_map(s, t->skipped, t->in, window->n);
        ops->residual_forward(ops, &skipped, &x, &y);
        break;
    }
    case SB_LAYER_DENSE:
        dense_forward(s, t, &x, &y);
        break;
    case SB_LAYER_SCALE:
        ops->logit_scale(ops, (sb_real)row->factor, &x, &y);
        break;
    case SB_LAYER_RESIDUAL:
    case SB_N_LAYER_KINDS:
        break;
    }
}

static void load(sequential *s, const sb_window *window)
{
    sb_ops *ops = s->net.ops;
    sb_tensor x = sb_sequential_map(s, s->input, s->list.input, window->n);
    sb_real *planes = s->piece[s->planes].memory;
    if (!window->values && window->choice) {
        ops->image_load(ops, window->store, window->choice, window->n, planes);
        ops->map_load(ops, planes, &x);
        return;
    }
    if (!window->values) {
        ops->frame_load(ops, window->bytes, &x);
        return;
    }
    ops->to_device(ops, planes, window->values, sb_tensor_size(&x) * sizeof *planes);
    ops->map_load(ops, planes, &x);
}

void sb_sequential_forward(sequential *s, const sb_window *window, bool is_training)
{
#pragma omp barrier
#pragma omp single
    s->net.n_loss = SB_N_TOTALS, s->n_samples = window->n;
    atomic_store_explicit(&s->time, 0, memory_order_relaxed);
    load(s, window);
    for (int i = 0; i < s->n_steps; i++) {
        atomic_store_explicit(&s->time, i + 1, memory_order_relaxed);
        step_forward(s, &s->step[i], window, is_training);
    }
}

void sb_sequential_loss(sequential *s, const sb_window *window)
{
    sb_ops *ops = s->net.ops;
    const sb_classes *classes = &s->net.classes;
    const sb_tensor z = sb_sequential_samples(&classes->logits, 0, window->n);
    atomic_store_explicit(&s->time, time_of_loss(s), memory_order_relaxed);
    if (!window->labels) return;
    ops->to_device(ops, s->labels, window->labels, (size_t)window->n);
    ops->cross_entropy_forward(ops, &z, s->labels, s->list.smoothing, classes->loss, classes->entropy,
                               classes->predicted, s->net.loss);
}
