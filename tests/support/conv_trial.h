/* Convolutions to try backends on: shapes, their numbers, and one convolution on the host and on the device. */
#pragma once

#include "conv_reference.h"
#include "fill.h"
#include "subjects.h"

/* What one term of a sum reads (forward) or what its convolution put out (data gradient). */
typedef struct part {
    int c;
    bool upsampled;
    int gates; /* data gradient: of the convolution's output */
} part;

/* The result of an operation, gates * c maps of h x w, as a sum over parts. valid: kernels of that size without
 * padding; 0: 3x3 with padding 1. */
typedef struct shape {
    int h, w, gates, c, n_parts;
    part part[SB_TERMS_MAX];
    int valid;
} shape;

static inline size_t shape_size(const shape *s)
{
    return (size_t)s->gates * s->c * s->h * s->w;
}

static inline void shape_text(const shape *s, char text[80])
{
    int n = snprintf(text, 80, "%dx%d, %d x %d channels from", s->h, s->w, s->gates, s->c);
    for (int p = 0; p < s->n_parts; p++)
        n += snprintf(text + n, 80 - (size_t)n, " %d%s", s->part[p].c, s->part[p].upsampled ? " upsampled" : "");
    if (s->valid) snprintf(text + n, 80 - (size_t)n, ", %dx%d valid", s->valid, s->valid);
}

/* Numbers of one trial; the stream says which block. */
typedef struct numbers {
    fill kind;
    uint64_t seed;
} numbers;

static inline sb_real *numbers_take(const numbers *x, uint32_t stream, size_t n)
{
    sb_real *block = host_take(n);
    fill_block(block, n, x->kind, x->seed, stream);
    return block;
}

/* One convolution: in -> gates * c channels, output h x w. */
typedef struct unit {
    int in, gates, c, h, w;
    bool upsampled;
    int valid; /* as in shape */
} unit;

static inline int unit_kernel(const unit *u)
{
    return u->valid ? u->valid : 3;
}

static inline int unit_taps(const unit *u)
{
    return unit_kernel(u) * unit_kernel(u);
}

/* How much larger the input is than the output. */
static inline int unit_more(const unit *u)
{
    return u->valid ? u->valid - 1 : 0;
}

static inline size_t unit_weights(const unit *u)
{
    return (size_t)u->gates * u->c * u->in * unit_taps(u);
}

static inline size_t unit_output(const unit *u)
{
    return (size_t)u->gates * u->c * u->h * u->w;
}

static inline size_t unit_input(const unit *u)
{
    return (size_t)u->in * (u->h + unit_more(u)) * (u->w + unit_more(u)) / (u->upsampled ? 4 : 1);
}

static inline reference_conv unit_reference(const unit *u, const sb_real *weight)
{
    return (reference_conv){u->in, u->gates * u->c, u->h, u->w, unit_kernel(u), !u->valid, u->upsampled, weight};
}

/* The convolution of part p where the shape is that of its output. */
static inline unit forward_unit(const shape *s, int p)
{
    return (unit){s->part[p].c, s->gates, s->c, s->h, s->w, s->part[p].upsampled, s->valid};
}

/* Streams of the numbers, plus the part's number. */
enum { WEIGHT = 0, INPUT = 10, GRADIENT = 20, BIAS = 30, BEFORE = 31 }; /* streams, plus the part's number */

static inline sb_conv_sizes conv_sizes(const sb_ops *ops, const sb_conv_shape *of)
{
    sb_conv_sizes sizes;
    if (sb_conv_sizes_of(ops, of, &sizes) != SB_OK) fail_msg("%s", sb_message());
    return sizes;
}

/* On the device, for a batch of n samples. */
static inline sb_conv unit_open_batch(device *d, const unit *u, int n, const sb_real *weight)
{
    sb_ops *ops = d->ops;
    sb_conv conv = {.shape = {n, u->in, u->gates, u->c, u->h, u->w, unit_kernel(u), !u->valid, u->upsampled}};
    conv.shape.use_winograd = sb_conv_uses_winograd(ops, &conv.shape);
    sb_conv_sizes sizes = conv_sizes(ops, &conv.shape);
    conv.params.weight = device_take(d, unit_weights(u) * sizeof *weight, weight);
    conv.params.weight_grad = device_take(d, unit_weights(u) * sizeof *weight, NULL);
    conv.space.packed = device_take(d, sizes.packed, NULL);
    conv.space.accumulator = device_take(d, sizes.accumulator, NULL);
    conv.space.scratch = device_take(d, sizes.scratch, NULL);
    return conv;
}

static inline sb_conv unit_open(device *d, const unit *u, const sb_real *weight)
{
    return unit_open_batch(d, u, 1, weight);
}

/* Operands of planes x [n][in][..] and dy [n][gates * c][h][w], n being the convolution's. */
static inline void *unit_input_operand(device *d, const unit *u, const sb_conv *conv, const sb_real *x)
{
    sb_ops *ops = d->ops;
    int shrink = u->upsampled ? 1 : 0;
    const int h = (u->h + unit_more(u)) >> shrink, w = (u->w + unit_more(u)) >> shrink;
    sb_tensor tensor = device_tensor(d, conv->shape.n, 1, u->in, h, w, x);
    void *operand = device_take(d, conv_sizes(ops, &conv->shape).input, NULL);
    IN_TEAM
    ops->conv_input(ops, &conv->shape, &tensor, operand);
    return operand;
}

static inline void *unit_gradient_operand(device *d, const unit *u, const sb_conv *conv, const sb_real *dy)
{
    sb_ops *ops = d->ops;
    sb_tensor tensor = device_tensor(d, conv->shape.n, u->gates, u->c, u->h, u->w, dy);
    void *operand = device_take(d, conv_sizes(ops, &conv->shape).gradient, NULL);
    IN_TEAM
    ops->conv_gradient(ops, &conv->shape, &tensor, operand);
    return operand;
}
