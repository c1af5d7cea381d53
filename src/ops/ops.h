/* THE contract between networks and backends. The operations themselves, with formulas and shapes, are the rows of
 * ops/slots.h; this header has the tensors they work on and the rules they share.
 *
 * A backend is a filled sb_ops (backend/registry.h). Operations return nothing, so that forward and backward passes
 * read like the paper; a device remembers its first error, and ops->error tells it once per window.
 *
 * Every operation is called by all threads of an OpenMP team at once (sb_team in backend/backend.h); it shares its work
 * among them and ends with a barrier (bias_gradient and conv_weight_gradient do not: nobody waits for their sums, and
 * until the next barrier other threads may still read their inputs and write what they add to). Called outside a team
 * it runs on one thread. The number of threads changes no bit.
 *
 * A tensor is n samples, one after the other, each a tensor of its own: what an operation computes of one sample depends
 * on no other one, and sums over samples stand in ops/order.h. A sample lives in the backend's own layout; the host side
 * of load and store is [n][c][h][w], the layout of the specification. A tensor of several groups (the four gates of a
 * cell) has within each sample groups * c maps of h x w, channel o = group * c + channel.
 *
 * The order of every sum is written in ops/order.h for the `native` backends; the others promise only closeness.
 */
#ifndef SB_OPS_OPS_H
#define SB_OPS_OPS_H

#include "core/status.h"
#include "ops/optimizer/rules.h"
#include "ops/order.h"
#include "ops/real.h"
#include "ops/slots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_tensor {
    int n;               /* samples */
    int groups, c, h, w; /* of each: groups * c channels of h x w */
    sb_real *x;          /* n * groups * c * h * w elements */
} sb_tensor;

/* Elements of one sample, and of all. */
static inline size_t sb_tensor_sample(const sb_tensor *x)
{
    return (size_t)x->groups * x->c * x->h * x->w;
}

static inline size_t sb_tensor_size(const sb_tensor *x)
{
    return (size_t)x->n * sb_tensor_sample(x);
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
    void *scratch; /* at least ops->dense_scratch_size bytes, for the largest batch */
} sb_dense;

/* Weights of a convolution, and numbers in and out of a dense layer. */
static inline size_t sb_conv_weights(const sb_conv *conv)
{
    return (size_t)conv->groups * conv->c * conv->in * 9;
}

static inline size_t sb_dense_weights(const sb_dense *layer)
{
    return (size_t)layer->in * layer->out;
}

static inline size_t sb_dense_inputs(const sb_dense *layer)
{
    return (size_t)layer->batch * layer->in;
}

static inline size_t sb_dense_outputs(const sb_dense *layer)
{
    return (size_t)layer->batch * layer->out;
}

typedef struct sb_ops sb_ops;
struct sb_ops {
    const char *name;
    void *context;          /* the backend's own */
    int frames_per_product; /* conv_weight_gradient is fastest with this many frames at once */
    int wide_channels;      /* layers of this many channels or more are wide (see sb_conv) */
    bool host_memory;       /* device memory can be read by the host */

    /* Memory and errors. */
    void *(*allocate)(sb_ops *ops, size_t n_bytes); /* zeroed, 64-byte aligned; NULL when short, reason in sb_message */
    void (*release)(sb_ops *ops, void *memory);
    sb_status (*error)(sb_ops *ops); /* the first error since the last call, with operation and shape */

    /* Sizes in bytes of what a convolution keeps, and of the operands that conv_input and conv_gradient make. */
    size_t (*conv_weights_size)(const sb_conv *conv);
    size_t (*conv_accumulator_size)(const sb_conv *conv);
    size_t (*conv_scratch_size)(const sb_conv *conv);
    size_t (*conv_input_size)(const sb_conv *conv);
    size_t (*conv_gradient_size)(const sb_conv *conv);
    size_t (*dense_scratch_size)(const sb_dense *layer);

    /* The operations, each with its formula in ops/slots.h. */
#define SB_SLOT(name, pass, parameters, arguments, shape, flop, row, reads, writes) void(*name) parameters;
    SB_SLOTS(SB_SLOT)
#undef SB_SLOT
};

/* Device memory to the host, behind all work before it: SB_OK, or the first error since ops->error told the last, and
 * zeros. What is stored, hashed or shown is read this way: to_host alone does not say that its zeros are none. */
__attribute__((warn_unused_result)) static inline sb_status sb_ops_read(sb_ops *ops, void *to, const void *from,
                                                                        size_t n_bytes)
{
    ops->to_host(ops, to, from, n_bytes);
    return ops->error(ops);
}

#endif
