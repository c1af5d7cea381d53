/* THE contract: every operation a backend offers, its formula, shapes and aliasing.
 *
 * A backend is a filled sb_ops (backend/registry.h). Operations return nothing, so that forward and backward passes
 * read like the paper; a device remembers its first error, and ops->error tells it once per window.
 *
 * Every operation is called by all threads of an OpenMP team at once (sb_team in backend/backend.h); it shares its work
 * among them and ends with a barrier (bias_gradient and conv_weight_gradient do not: nobody waits for their sums, and
 * until the next barrier other threads may still read their inputs and write what they add to). Called outside a team
 * it runs on one thread. The number of threads changes no bit.
 *
 * Maps live in the backend's own layout; the host side of load and store is [c][h][w], the layout of the specification.
 * A map of several groups (the four gates of a cell) is groups maps one after the other, channel o = group * c +
 * channel.
 *
 * The order of every sum is written in ops/order.h for the `native` backends; the others promise only closeness.
 */
#ifndef SB_OPS_OPS_H
#define SB_OPS_OPS_H

#include "core/status.h"
#include "ops/order.h"
#include "ops/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_map {
    int groups, c, h, w; /* groups * c channels of h x w */
    sb_real *x;          /* groups * c * h * w elements */
} sb_map;

static inline size_t sb_map_size(const sb_map *map)
{
    return (size_t)map->groups * map->c * map->h * map->w;
}

/* One 3x3 convolution, stride 1, zero padding 1. */
typedef struct sb_conv {
    int in;                /* input channels */
    int groups, c;         /* output channels: groups * c */
    int h, w;              /* size of the output */
    bool upsampled;        /* the input is h/2 x w/2 and read through 2x nearest-neighbour upsampling */
    bool wide;             /* its layer has ops->wide_channels or more; convolutions that share an operand agree */
    const sb_real *weight; /* [groups * c][in][3][3] */
    sb_real *weight_grad;  /* the same shape */
    void *packed;          /* ops->conv_weights_size bytes: the weights in the backend's form, for one pass */
    void *accumulator;     /* ops->conv_accumulator_size bytes: the weight gradient in the backend's form */
    void *scratch;         /* at least ops->conv_scratch_size bytes, shared by all convolutions of a network */
} sb_conv;

/* A convolution and what it is applied to: an operand made by conv_input or conv_gradient. */
typedef struct sb_term {
    const sb_conv *conv;
    const void *operand;
} sb_term;

enum { SB_TERMS_MAX = 3 };

typedef struct sb_dense {
    int batch, in, out;
    sb_real *weight, *bias; /* [out][in], [out] */
    sb_real *weight_grad, *bias_grad;
    sb_real *weight_moment1, *weight_moment2, *bias_moment1, *bias_moment2; /* Adam's */
    void *scratch; /* at least ops->dense_scratch_size bytes, for the largest batch */
} sb_dense;

typedef struct sb_ops sb_ops;
struct sb_ops {
    const char *name;
    void *context;          /* the backend's own */
    int frames_per_product; /* conv_weight_gradient is fastest with this many frames at once */
    int wide_channels;      /* layers of this many channels or more are wide (see sb_conv) */
    bool host_memory;       /* device memory can be read by the host */

    /* -- memory -- */
    void *(*allocate)(sb_ops *ops, size_t n_bytes); /* zeroed, 64-byte aligned; NULL when short, reason in sb_message */
    void (*release)(sb_ops *ops, void *memory);
    void (*zero)(sb_ops *ops, void *memory, size_t n_bytes);
    void (*copy)(sb_ops *ops, void *to, const void *from, size_t n_bytes); /* device to device */
    void (*to_device)(sb_ops *ops, void *to, const void *from, size_t n_bytes);
    void (*to_host)(sb_ops *ops, void *to, const void *from, size_t n_bytes);
    sb_status (*error)(sb_ops *ops); /* the first error since the last call, with operation and shape */

    /* -- maps -- */
    void (*frame_load)(sb_ops *ops, const uint8_t *frame, sb_map *x); /* host bytes [h][w][c] -> x / 255, in float */
    void (*map_load)(sb_ops *ops, const sb_real *planes, sb_map *x);  /* device [c][h][w] -> map */
    void (*map_store)(sb_ops *ops, const sb_map *x, sb_real *planes); /* map -> device [c][h][w] */

    /* -- convolution -- */
    size_t (*conv_weights_size)(const sb_conv *conv);
    size_t (*conv_accumulator_size)(const sb_conv *conv);
    size_t (*conv_scratch_size)(const sb_conv *conv);
    size_t (*conv_input_size)(const sb_conv *conv);    /* of the operand that conv_input makes */
    size_t (*conv_gradient_size)(const sb_conv *conv); /* of the operand that conv_gradient makes */

    /* Before the forward pass of a window: weights into the form it wants. */
    void (*conv_begin)(sb_ops *ops, sb_conv *conv);
    /* Before the backward pass: weights into the form it wants (conv_forward may not be called until the next
     * conv_begin), accumulator zeroed. */
    void (*conv_turn)(sb_ops *ops, sb_conv *conv);
    /* End of a window: the accumulator becomes weight_grad (overwritten). */
    void (*conv_end)(sb_ops *ops, sb_conv *conv);

    /* x as the input of conv, and of every other convolution that reads x at that size: computed once, used by all. */
    void (*conv_input)(sb_ops *ops, const sb_conv *conv, const sb_map *x, void *operand);
    /* dy as the gradient of conv's output, for both gradients of every convolution with that output. */
    void (*conv_gradient)(sb_ops *ops, const sb_conv *conv, const sb_map *dy, void *operand);

    /* y = bias + sum over terms of conv(x). bias [groups * c] or NULL. */
    void (*conv_forward)(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_map *y);
    /* dx = sum over terms of the transposed convolution of dy. For a term with conv->upsampled dx is the small map. */
    void (*conv_data_gradient)(sb_ops *ops, int n_terms, const sb_term *term, sb_map *dx);
    /* conv's accumulator += sum over n frames, in their order, of x (input operands) times dy (gradient operands). */
    void (*conv_weight_gradient)(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy);
    /* db[groups * c] += sum over pixels of dy. */
    void (*bias_gradient)(sb_ops *ops, const sb_map *dy, sb_real *db);

    /* -- elementwise; h x w agree unless said -- */
    /* e (2c channels) = [relu(a - p), relu(p - a)] */
    void (*error_forward)(sb_ops *ops, const sb_map *a, const sb_map *p, sb_map *e);
    /* da = de+ where e+ > 0, minus de- where e- > 0; dp = -da. da may be NULL. */
    void (*error_backward)(sb_ops *ops, const sb_map *e, const sb_map *de, sb_map *da, sb_map *dp);
    /* a (half size) = maxpool2x2(relu(y)); choice [c h/2 w/2]: 0..3 the place of the largest (first in row-major
     * order), 4 if none is positive. */
    void (*pool_forward)(sb_ops *ops, const sb_map *y, sb_map *a, uint8_t *choice);
    void (*pool_backward)(sb_ops *ops, const sb_map *da, const uint8_t *choice, sb_map *dy);
    /* gates (4 groups: input, forget, candidate, output) in place: sums -> activations. peephole: 3 groups. */
    void (*lstm_forward)(sb_ops *ops, sb_map *gates, const sb_map *peephole, const sb_map *c_old, sb_map *c, sb_map *h);
    /* gates in place: activations -> gradients of the sums. dc in place: of c -> of c_old. dpeephole accumulated. */
    void (*lstm_backward)(sb_ops *ops, sb_map *gates, const sb_map *peephole, const sb_map *c_old, const sb_map *c,
                          const sb_map *dh, sb_map *dc, sb_map *dpeephole);
    /* p in place: relu, or clip to [0, 1] */
    void (*output_forward)(sb_ops *ops, sb_map *p, bool clip);
    /* dp in place: zero where the nonlinearity is flat; p is its result */
    void (*output_backward)(sb_ops *ops, const sb_map *p, bool clip, sb_map *dp);
    /* *loss (device) = mean((p - y)^2) */
    void (*loss_forward)(sb_ops *ops, const sb_map *p, const sb_map *y, double *loss);
    /* dp = (add ? dp : 0) + 2/N (p - y) */
    void (*loss_backward)(sb_ops *ops, const sb_map *p, const sb_map *y, bool add, sb_map *dp);

    /* -- dense layers; x [batch][in], y [batch][out] -- */
    size_t (*dense_scratch_size)(const sb_dense *layer);
    void (*dense_forward)(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu);
    void (*dense_data_gradient)(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx);
    void (*dense_weight_gradient)(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy); /* overwrites */
    /* For a batch of one: weight gradient and Adam in one pass, with the bits of one after the other; gradients are not
     * stored. Uses the weights, so data gradients come first. */
    void (*dense_learn_one)(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_adam_rates *rates);
    void (*relu_backward)(sb_ops *ops, size_t n, const sb_real *y, sb_real *dy); /* dy = 0 where y <= 0 */

    /* -- optimiser -- */
    void (*adam)(sb_ops *ops, size_t n, sb_real *p, const sb_real *g, sb_real *m, sb_real *v,
                 const sb_adam_rates *rates);
    /* *norm2 (device) = sum of squares */
    void (*norm2)(sb_ops *ops, size_t n, const sb_real *g, double *norm2);
};

#endif
