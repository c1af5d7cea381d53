/* THE contract between networks and backends. The operations themselves, with formulas and shapes, are the rows of
 * ops/slots.h; this header has the tensors they work on and the rules they share.
 *
 * A backend is a filled sb_ops (backend/backend.h opens one). Operations return nothing, so that forward and backward
 * passes read like the paper; a device remembers its first error, and ops->error tells it once per window.
 *
 * Every operation is called by all threads of an OpenMP team at once (as many as sb_backend_threads says); it shares
 * its work among them and ends with a barrier (bias_gradient and conv_weight_gradient do not: no one waits for their
 * sums, and until the next barrier other threads may still read their inputs and write what they add to). Called
 * outside a team it runs on one thread. The number of threads changes no bit.
 *
 * A tensor is n samples, one after the other, each a tensor of its own: what an operation computes of one sample
 * depends on no other one, and sums over samples are in ops/order.h. A sample lives in the backend's own layout; the
 * host side of load and store is [n][c][h][w], the layout of the specification. A tensor of several gates (the four
 * gates of a cell) has within each sample gates * c maps of h x w, channel o = gate * c + channel.
 *
 * The order of every sum is written in ops/order.h for the `native` backends; the others promise only closeness.
 */
#ifndef SB_OPS_OPS_H
#define SB_OPS_OPS_H

#include "core/rows/activations.h"
#include "core/status.h"
#include "ops/norm/group_norm.h"
#include "ops/norm/norm.h"
#include "ops/optimizer/rules.h"
#include "ops/order.h"
#include "ops/point/dropout.h"
#include "ops/point/image.h"
#include "ops/point/softmax.h"
#include "ops/real.h"
#include "ops/slots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_tensor {
    int n;              /* samples */
    int gates, c, h, w; /* of each: gates * c channels of h x w */
    sb_real *x;         /* n * gates * c * h * w elements */
} sb_tensor;

/* Elements of one sample, and of all. */
static inline size_t sb_tensor_sample(const sb_tensor *x)
{
    return (size_t)x->gates * x->c * x->h * x->w;
}

static inline size_t sb_tensor_size(const sb_tensor *x)
{
    return (size_t)x->n * sb_tensor_sample(x);
}

/* One sample of it. */
static inline sb_tensor sb_tensor_at(const sb_tensor *x, int sample)
{
    return (sb_tensor){1, x->gates, x->c, x->h, x->w, x->x + (size_t)sample * sb_tensor_sample(x)};
}

/* A convolution: what it computes on. All that reads one of its operands agrees in all but in, gates and c. */
typedef struct sb_conv_shape {
    int n;                /* samples */
    int in;               /* input channels */
    int gates, c;         /* output channels: gates * c */
    int h, w;             /* size of the output */
    int kernel, padding;  /* kernel x kernel weights, `padding` zeros around the input */
    bool upsampled;       /* the input is half as large and read through 2x nearest-neighbour upsampling; 3x3 only */
    bool use_winograd;    /* sb_conv_uses_winograd of its layer; 3x3 with padding 1 only */
    bool cut;             /* operations take fewer than n samples at times */
    bool whole;           /* conv_weight_gradient is called just once between conv_turn and conv_end, for all frames */
    int stride, dilation; /* from output to output and from tap to tap on the input; 0: 1 */
    int groups;           /* of input channels, each with c / groups outputs of its own; 0: 1. One gate then */
    int input_h, input_w; /* of the input, where a stride leaves some of its border out; 0: what the rest makes it */
} sb_conv_shape;

enum { SB_KERNEL_MAX = 5 };

/* Its parameters, a network's. */
typedef struct sb_conv_params {
    const sb_real *weight; /* [gates * c][in / groups][kernel][kernel] */
    sb_real *weight_grad;  /* the same shape */
} sb_conv_params;

/* Bytes of what a backend keeps for a shape: the workspace, and the operands that conv_input and conv_gradient make. */
typedef struct sb_conv_sizes {
    size_t packed, accumulator, scratch;
    size_t input, gradient;
} sb_conv_sizes;

/* A backend's memory for it, device memory of sb_conv_sizes. What it holds lasts from conv_begin to conv_end. */
typedef struct sb_conv_space {
    void *packed;      /* the weights in the backend's form, for one pass */
    void *accumulator; /* the weight gradient in the backend's form */
    void *scratch;     /* within one operation; shared by all convolutions of a network, the largest one's size */
} sb_conv_space;

/* The same parameters may be in several, for instance with another number of samples and a space of its own. */
typedef struct sb_conv {
    sb_conv_shape shape;
    sb_conv_params params;
    sb_conv_space space;
} sb_conv;

/* A convolution and what it is applied to: an operand made by conv_input or conv_gradient. */
typedef struct sb_term {
    const sb_conv *conv;
    const void *operand;
} sb_term;

enum { SB_TERMS_MAX = 3 };

/* A dense layer. Its samples are the samples of the given tensors, of any c, h and w whose product is `in` (or
 * `out`): the numbers of a sample in the order in which they lie. So a layer has no batch of its own, and the last,
 * smaller batch of an evaluation needs no other layer. */
typedef struct sb_dense {
    int in, out;
    sb_real *weight, *bias;           /* [out][in], [out]; bias NULL: none */
    sb_real *weight_grad, *bias_grad; /* bias_grad NULL where bias is */
    void *scratch;                    /* at least ops->dense_scratch_size bytes, for the most samples */
} sb_dense;

/* Output channels of all gates, and weights. */
static inline int sb_conv_outputs(const sb_conv_shape *shape)
{
    return shape->gates * shape->c;
}

/* The size of the map that the weights see, the upsampled one where there is one. */
static inline int sb_conv_stride(const sb_conv_shape *shape)
{
    return shape->stride ? shape->stride : 1;
}

static inline int sb_conv_dilation(const sb_conv_shape *shape)
{
    return shape->dilation ? shape->dilation : 1;
}

static inline int sb_conv_groups(const sb_conv_shape *shape)
{
    return shape->groups ? shape->groups : 1;
}

/* The input that n outputs in a row or column meet, without the padding. */
static inline int sb_conv_input_of(const sb_conv_shape *shape, int n)
{
    return (n - 1) * sb_conv_stride(shape) + (shape->kernel - 1) * sb_conv_dilation(shape) + 1 - 2 * shape->padding;
}

static inline int sb_conv_input_h(const sb_conv_shape *shape)
{
    return shape->input_h ? shape->input_h : sb_conv_input_of(shape, shape->h);
}

static inline int sb_conv_input_w(const sb_conv_shape *shape)
{
    return shape->input_w ? shape->input_w : sb_conv_input_of(shape, shape->w);
}

/* Is it none of those that a backend has fast forms for: 3x3 with padding 1, and 1x1, 3x3 and 5x5 without, of stride 1, one
 * group and no dilation? Then it has one term, and is neither upsampled nor does it use Winograd. */
static inline bool sb_conv_is_plain(const sb_conv_shape *shape)
{
    const int k = shape->kernel;
    const bool is_usual = shape->padding ? k == 3 && shape->padding == 1 : k == 1 || k == 3 || k == 5;
    return !is_usual || sb_conv_stride(shape) > 1 || sb_conv_dilation(shape) > 1 || sb_conv_groups(shape) > 1;
}

/* Weights between one channel and another. */
static inline int sb_conv_taps(const sb_conv_shape *shape)
{
    return shape->kernel * shape->kernel;
}

static inline size_t sb_conv_weights(const sb_conv_shape *shape)
{
    return (size_t)sb_conv_outputs(shape) * (shape->in / sb_conv_groups(shape)) * sb_conv_taps(shape);
}

static inline size_t sb_dense_weights(const sb_dense *layer)
{
    return (size_t)layer->in * layer->out;
}

/* A library makes one product of a convolution, and a device wants much work at once. Traces take it of every backend, so
 * that operation k is the same in all of them. */
enum { SB_SAMPLES_LEAST = 16 };

typedef struct sb_ops sb_ops;
struct sb_ops {
    const char *name;
    void *context;          /* the backend's own */
    int frames_per_product; /* conv_weight_gradient is fastest with this many frames at once */
    int pixels_per_product; /* or, where these are more frames, with maps of this many pixels, of all frames and samples */
    int samples_least;      /* a batch is not cut into convolutions of fewer samples: 1, or SB_SAMPLES_LEAST */
    int winograd_channels; /* layers of this many channels or more use Winograd (see sb_conv) */
    bool host_memory;      /* device memory can be read by the host */
    bool has_no_plain;     /* it refuses what sb_conv_is_plain */

    /* Memory and errors. */
    void *(*allocate)(sb_ops *ops, size_t n_bytes); /* zeroed, 64-byte aligned; NULL when short, reason in sb_message */
    void (*release)(sb_ops *ops, void *memory);
    sb_status (*error)(sb_ops *ops); /* the first error since the last call, with operation and shape */

    /* Sizes in bytes. Of convolutions they are asked for by sb_conv_sizes_of, which refuses what no backend offers. */
    void (*conv_sizes)(const sb_conv_shape *shape, sb_conv_sizes *sizes);
    size_t (*dense_scratch_size)(const sb_dense *layer, int n);

    /* The operations, each with its formula in ops/slots.h. */
#define SB_SLOT(name, pass, parameters, arguments, shape, flop, row, reads, writes) void(*name) parameters;
    SB_SLOTS(SB_SLOT)
#undef SB_SLOT
};

/* Does a layer of this kernel, padding and channels use Winograd? Of few input channels the transforms cost more than the
 * products that they spare. What shares an operand must agree. */
static inline bool sb_conv_uses_winograd(const sb_ops *ops, const sb_conv_shape *shape)
{
    const int least = shape->in < shape->c ? shape->in : shape->c;
    return shape->padding == 1 && !sb_conv_is_plain(shape) && least >= ops->winograd_channels;
}

/* The sizes of a convolution, which has memory for nothing before: so a shape that is not offered never reaches an
 * operation. SB_E_USAGE: "8x7 is no upsampled size". */
sb_status sb_conv_sizes_of(const sb_ops *ops, const sb_conv_shape *shape, sb_conv_sizes *sizes);

/* Device memory to the host, after all work before it: SB_OK, or the first error since ops->error told the last, and
 * zeros. What is stored, hashed or shown is read this way: to_host alone does not say that its zeros are none. */
__attribute__((warn_unused_result)) static inline sb_status sb_ops_read(sb_ops *ops, void *to, const void *from,
                                                                        size_t n_bytes)
{
    ops->to_host(ops, to, from, n_bytes);
    return ops->error(ops);
}

#endif
