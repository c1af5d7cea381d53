/* One layer with its numbers on the host, run forward and backward by a backend. */
#pragma once

#include "conv_trial.h"
#include "core/random.h"

typedef enum layer_kind {
    LAYER_ACTIVATION,
    LAYER_POOL,
    LAYER_NORM,
    LAYER_RESIDUAL,
    LAYER_SCALE,
    LAYER_DENSE,
    LAYER_CONV,
    LAYER_LOSS,
    LAYER_AVERAGE_POOL,
    LAYER_GROUP_NORM,
    LAYER_DROPOUT,
} layer_kind;

/* x [n][c][h][w_], dy of the result's shape. w: weights, the scale of a norm, or the other summand of a residual; b:
 * biases, or shifts. NULL: none. The numbers are the layer's (layer_drop). */
typedef struct layer {
    layer_kind kind;
    int n, c, h, w_, out;
    int window, padding, groups, stride, dilation; /* groups 0 of a group norm: layer norm */
    uint64_t first;                                /* of dropout: the number of the first sample */
    sb_activation function;
    double alpha, factor; /* celu's, the scale, the smoothing or the rate; the loss's */
    uint8_t label[64];
    size_t n_x, n_w, n_b;
    sb_real *x, *dy, *w, *b, *running_mean, *running_var;
} layer;

/* y [n_y]; of the loss, what each sample has. dw, db: NULL where w and b are. */
typedef struct result {
    size_t n_y;
    sb_real *y, *dx, *dw, *db, *running_mean, *running_var, *evaluated;
    double total[3];
} result;

static inline void layer_drop(layer *l)
{
    free(l->x), free(l->dy), free(l->w), free(l->b), free(l->running_mean), free(l->running_var);
    *l = (layer){0};
}

static inline void result_drop(result *r)
{
    free(r->y), free(r->dx), free(r->dw), free(r->db), free(r->running_mean), free(r->running_var), free(r->evaluated);
    *r = (result){0};
}

static inline void *layer_take(device *d, size_t n, const sb_real *host)
{
    return device_take(d, n * sizeof *host, host);
}

static inline sb_real *layer_bring(device *d, size_t n, const sb_real *on_device)
{
    sb_real *host = host_take(n);
    d->ops->to_host(d->ops, host, on_device, n * sizeof *host);
    return host;
}

static inline void run_norm(device *d, const layer *l, const sb_tensor *x, const sb_tensor *dy, sb_tensor *y,
                            sb_tensor *dx, result *r)
{
    sb_ops *ops = d->ops;
    const size_t g = (size_t)l->groups * l->c;
    sb_norm norm = {.c = l->c,
                    .groups = l->groups,
                    .eps = SB_NORM_EPS,
                    .rate = SB_NORM_RATE,
                    .activation = l->function,
                    .alpha = (sb_real)l->alpha};
    norm.scale = l->w ? layer_take(d, l->n_w, l->w) : NULL;
    norm.scale_grad = l->w ? layer_take(d, l->n_w, NULL) : NULL;
    norm.shift = layer_take(d, l->n_b, l->b), norm.shift_grad = layer_take(d, l->n_b, NULL);
    norm.running_mean = layer_take(d, g, l->running_mean), norm.running_var = layer_take(d, g, l->running_var);
    norm.space = device_take(d, sb_norm_size(&norm), NULL);
    IN_TEAM
    {
        ops->norm_forward(ops, &norm, x, y);
        ops->norm_backward(ops, &norm, x, dy, dx);
    }
    sb_tensor evaluated = device_tensor(d, l->n, 1, l->c, l->h, l->w_, NULL);
    IN_TEAM
    ops->norm_evaluate(ops, &norm, x, &evaluated);
    r->evaluated = host_take(r->n_y);
    device_planes(d, &evaluated, r->evaluated);
    if (l->w) r->dw = layer_bring(d, l->n_w, norm.scale_grad);
    r->db = layer_bring(d, l->n_b, norm.shift_grad);
    r->running_mean = layer_bring(d, g, norm.running_mean), r->running_var = layer_bring(d, g, norm.running_var);
}

static inline void run_group_norm(device *d, const layer *l, const sb_tensor *x, const sb_tensor *dy, sb_tensor *y,
                                  sb_tensor *dx, result *r)
{
    sb_ops *ops = d->ops;
    sb_group_norm norm = {
        .c = l->c, .groups = l->groups ? l->groups : 1, .is_of_pixels = !l->groups, .eps = SB_NORM_EPS};
    norm.scale = layer_take(d, l->n_w, l->w), norm.scale_grad = layer_take(d, l->n_w, NULL);
    norm.shift = layer_take(d, l->n_b, l->b), norm.shift_grad = layer_take(d, l->n_b, NULL);
    norm.space = device_take(d, sb_group_norm_size(&norm, l->n, l->h * l->w_), NULL);
    IN_TEAM
    {
        ops->group_norm_forward(ops, &norm, x, y);
        ops->group_norm_backward(ops, &norm, x, dy, dx);
    }
    r->dw = layer_bring(d, l->n_w, norm.scale_grad), r->db = layer_bring(d, l->n_b, norm.shift_grad);
}

/* Of update 9, at stream 2 of seed 7. */
static inline void run_dropout(device *d, const layer *l, const sb_tensor *x, const sb_tensor *dy, sb_tensor *y,
                               sb_tensor *dx)
{
    sb_ops *ops = d->ops;
    const uint32_t update = 9;
    const sb_dropout dropout = {.seed = {7, 0},
                                .first = l->first * (uint64_t)(l->c * l->h * l->w_),
                                .update = device_take(d, sizeof update, &update),
                                .stream = SB_STREAM_DROPOUT + 2,
                                .least = (uint32_t)(l->alpha * 0x1p32),
                                .factor = (sb_real)(1 / (1 - l->alpha))};
    IN_TEAM
    {
        ops->dropout(ops, &dropout, x, y);
        ops->dropout(ops, &dropout, dy, dx);
    }
}

static inline void run_dense(device *d, const layer *l, const sb_tensor *x, const sb_tensor *dy, sb_tensor *y,
                             sb_tensor *dx, result *r)
{
    sb_ops *ops = d->ops;
    sb_dense dense = {.in = l->c, .out = l->out};
    dense.weight = layer_take(d, l->n_w, l->w), dense.weight_grad = layer_take(d, l->n_w, NULL);
    if (l->b) dense.bias = layer_take(d, l->n_b, l->b), dense.bias_grad = layer_take(d, l->n_b, NULL);
    dense.scratch = device_take(d, ops->dense_scratch_size(&dense, l->n), NULL);
    IN_TEAM
    {
        ops->dense_forward(ops, &dense, x, y, false);
        ops->dense_data_gradient(ops, &dense, dy, dx);
        ops->dense_weight_gradient(ops, &dense, x, dy);
    }
    r->dw = layer_bring(d, l->n_w, dense.weight_grad);
    if (l->b) r->db = layer_bring(d, l->n_b, dense.bias_grad);
}

static inline void run_conv(device *d, const layer *l, const sb_tensor *x, const sb_tensor *dy, sb_tensor *y,
                            sb_tensor *dx, result *r)
{
    sb_ops *ops = d->ops;
    sb_conv conv = {.shape = {l->n, l->c, 1, l->out, y->h, y->w, l->window, l->padding, .stride = l->stride,
                              .dilation = l->dilation, .groups = l->groups, .input_h = l->h, .input_w = l->w_}};
    conv.shape.use_winograd = sb_conv_uses_winograd(ops, &conv.shape);
    const sb_conv_sizes sizes = conv_sizes(ops, &conv.shape);
    conv.params.weight = layer_take(d, l->n_w, l->w), conv.params.weight_grad = layer_take(d, l->n_w, NULL);
    conv.space = (sb_conv_space){device_take(d, sizes.packed, NULL), device_take(d, sizes.accumulator, NULL),
                                 device_take(d, sizes.scratch, NULL)};
    void *input = device_take(d, sizes.input, NULL), *gradient = device_take(d, sizes.gradient, NULL);
    const void *inputs[] = {input}, *gradients[] = {gradient};
    const sb_real *bias = l->b ? layer_take(d, l->n_b, l->b) : NULL;
    sb_real *bias_grad = layer_take(d, (size_t)l->out, NULL);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_input(ops, &conv.shape, x, input);
        ops->conv_forward(ops, 1, &(sb_term){&conv, input}, bias, y);
        ops->conv_turn(ops, &conv);
        ops->conv_gradient(ops, &conv.shape, dy, gradient);
        ops->conv_data_gradient(ops, 1, &(sb_term){&conv, gradient}, dx);
        ops->conv_weight_gradient(ops, &conv, 1, inputs, gradients);
        ops->bias_gradient(ops, dy, bias_grad);
    }
    IN_TEAM
    ops->conv_end(ops, &conv);
    r->dw = layer_bring(d, l->n_w, conv.params.weight_grad);
    if (l->b) r->db = layer_bring(d, l->n_b, bias_grad);
}

static inline void run_loss(device *d, const layer *l, const sb_tensor *z, sb_tensor *dz, result *r)
{
    sb_ops *ops = d->ops;
    const size_t n = (size_t)l->n;
    const uint8_t *label = device_take(d, n, l->label);
    double *loss = device_take(d, n * sizeof *loss, NULL), *entropy = device_take(d, n * sizeof *loss, NULL);
    double *total = device_take(d, sizeof r->total, NULL);
    uint8_t *predicted = device_take(d, n, NULL);
    double each[64];
    IN_TEAM
    {
        ops->cross_entropy_forward(ops, z, label, l->alpha, loss, entropy, predicted, total);
        ops->cross_entropy_backward(ops, z, label, l->alpha, l->factor, dz);
    }
    ops->to_host(ops, each, loss, n * sizeof *loss);
    ops->to_host(ops, r->total, total, sizeof r->total);
    for (size_t i = 0; i < n; i++) r->y[i] = (sb_real)each[i];
}

static inline void run_rest(device *d, const layer *l, const sb_tensor *x, const sb_tensor *dy, sb_tensor *y,
                            sb_tensor *dx)
{
    sb_ops *ops = d->ops;
    const sb_tensor other = l->kind == LAYER_RESIDUAL ? device_tensor(d, l->n, 1, l->c, l->h, l->w_, l->w) : *x;
    uint8_t *choice = device_take(d, sb_tensor_size(y), NULL);
    IN_TEAM
    switch (l->kind) {
    case LAYER_ACTIVATION:
        ops->activation_forward(ops, l->function, (sb_real)l->alpha, x, y);
        ops->activation_backward(ops, l->function, (sb_real)l->alpha, x, dy, dx);
        break;
    case LAYER_POOL:
        ops->max_pool_forward(ops, l->window, l->window, x, y, choice);
        ops->max_pool_backward(ops, l->window, l->window, dy, choice, dx);
        break;
    case LAYER_AVERAGE_POOL:
        ops->average_pool_forward(ops, l->window, l->window, x, y);
        ops->average_pool_backward(ops, l->window, l->window, dy, dx);
        break;
    case LAYER_RESIDUAL: /* the gradient of a path through which nothing else comes */
        ops->residual_forward(ops, x, &other, y);
        ops->sum(ops, l->n_x, dy->x, dx->x, dx->x);
        break;
    default:
        ops->logit_scale(ops, (sb_real)l->alpha, x, y);
        ops->logit_scale(ops, (sb_real)l->alpha, dy, dx);
    }
}

/* On an open device, whose memory is as before afterwards. The result is the caller's (result_drop). */
static inline result layer_run_on(device *d, const layer *l)
{
    const int n_before = d->n;
    const bool conv = l->kind == LAYER_CONV, pool = l->kind == LAYER_POOL || l->kind == LAYER_AVERAGE_POOL;
    const bool dense = l->kind == LAYER_DENSE;
    const int reach = conv ? (l->window - 1) * (l->dilation ? l->dilation : 1) - 2 * l->padding : 0;
    const int share = pool ? l->window : conv && l->stride ? l->stride : 1, more = conv ? share - 1 : 0;
    const int out = conv || dense ? l->out : l->c, h = (l->h - reach + more) / share,
              w = (l->w_ - reach + more) / share;
    result r = {.n_y = l->kind == LAYER_LOSS ? (size_t)l->n : (size_t)l->n * out * h * w, .dx = host_take(l->n_x)};
    r.y = host_take(r.n_y);
    const sb_tensor x = device_tensor(d, l->n, 1, l->c, l->h, l->w_, l->x);
    sb_tensor dx = device_tensor(d, l->n, 1, l->c, l->h, l->w_, NULL);
    if (l->kind == LAYER_LOSS) {
        run_loss(d, l, &x, &dx, &r);
    } else {
        sb_tensor y = device_tensor(d, l->n, 1, out, h, w, NULL);
        const sb_tensor dy = device_tensor(d, l->n, 1, out, h, w, l->dy);
        if (l->kind == LAYER_NORM)
            run_norm(d, l, &x, &dy, &y, &dx, &r);
        else if (l->kind == LAYER_GROUP_NORM)
            run_group_norm(d, l, &x, &dy, &y, &dx, &r);
        else if (l->kind == LAYER_DROPOUT)
            run_dropout(d, l, &x, &dy, &y, &dx);
        else if (dense)
            run_dense(d, l, &x, &dy, &y, &dx, &r);
        else if (conv)
            run_conv(d, l, &x, &dy, &y, &dx, &r);
        else
            run_rest(d, l, &x, &dy, &y, &dx);
        device_planes(d, &y, r.y);
    }
    device_planes(d, &dx, r.dx);
    device_release_after(d, n_before);
    return r;
}

static inline result layer_run(const subject *on, int threads, const layer *l)
{
    device d = device_open(on, threads);
    const result r = layer_run_on(&d, l);
    device_close(&d);
    return r;
}
