/* The contract between networks and backends. The rows of ops/slots.h are the operations, with formulas and shapes.
 * This header has their tensors and the rules that hold for all of them.
 *
 * A backend is a filled sb_ops (backend/backend.h opens one). Operations return nothing, so that forward and backward
 * passes read like the paper. A backend keeps the first error of its device; a network calls ops->error once a window.
 *
 * All threads of an OpenMP team (sb_backend_threads) call an operation at once. It divides its work among them and ends
 * with a barrier. bias_gradient and conv_weight_gradient end without a barrier: until the next barrier other threads
 * may still read their inputs and write their sums. Outside a team an operation runs on one thread. The number of
 * threads changes no bit.
 *
 * A tensor is n samples in a row. An operation computes each sample independently of the others; ops/order.h has the
 * sums over samples. A sample has the backend's own layout. On the host, load and store use [n][c][h][w], the layout of
 * the specification. A tensor of several gates (the four gates of an LSTM cell) has gates * c maps of h x w in each
 * sample, channel o = gate * c + channel.
 *
 * ops/order.h defines the order of every sum for the `native` backends; the results of other backends differ by
 * rounding.
 */
#pragma once

#include "core/rows/activations.h"
#include "core/status.h"
#include "ops/attention/attention.h"
#include "ops/norm/group_norm.h"
#include "ops/norm/norm.h"
#include "ops/optimizer/rules.h"
#include "ops/order.h"
#include "ops/point/dropout.h"
#include "ops/point/image.h"
#include "ops/point/softmax.h"
#include "ops/real.h"
#include "ops/slots.h"
#include "ops/token/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_tensor {
    int n;              /* samples */
    int gates, c, h, w; /* of each sample: gates * c channels of h x w */
    sb_real *x;         /* n * gates * c * h * w elements */
} sb_tensor;

/* Number of elements of one sample, and of all. */
static inline size_t sb_tensor_sample(const sb_tensor *x)
{
    return (size_t)x->gates * x->c * x->h * x->w;
}

static inline size_t sb_tensor_size(const sb_tensor *x)
{
    return (size_t)x->n * sb_tensor_sample(x);
}

/* A tensor of one sample, in the same memory. */
static inline sb_tensor sb_tensor_at(const sb_tensor *x, int sample)
{
    return (sb_tensor){1, x->gates, x->c, x->h, x->w, x->x + (size_t)sample * sb_tensor_sample(x)};
}

/* The shape of a convolution. Convolutions that read the same operand may differ only in `in`, gates and c. */
typedef struct sb_conv_shape {
    int n;                /* samples */
    int in;               /* input channels */
    int gates, c;         /* output channels: gates * c */
    int h, w;             /* size of the output */
    int kernel, padding;  /* kernel x kernel weights, `padding` zeros around the input */
    bool upsampled;       /* the input has half the size and is upsampled 2x (nearest neighbor) while it is read; 3x3
                           * only */
    bool use_winograd;    /* as sb_conv_uses_winograd says; only 3x3 with padding 1 */
    bool cut;             /* some calls have fewer than n samples */
    bool whole;           /* conv_weight_gradient is called once between conv_turn and conv_end, with all frames */
    int stride, dilation; /* distance between outputs and between taps, in input pixels; 0: 1 */
    int groups;           /* groups of input channels, each with c / groups outputs; 0: 1. More than one group: gates is
                           * 1 */
    int joined, offset;   /* channels of all inputs that one convolution takes, and of those before this input; 0: of
                           * this input alone (joins_inputs) */
    bool is_first;        /* joined: conv_data_gradient is called for this input before it is called for the others */
    int input_h, input_w; /* size of the input, if a stride skips some of its border; 0: computed from the other
                           * members */
} sb_conv_shape;

enum { SB_KERNEL_MAX = 5 };

/* Parameters of a convolution, in the network's memory. */
typedef struct sb_conv_params {
    const sb_real *weight; /* [gates * c][in / groups][kernel][kernel] */
    sb_real *weight_grad;  /* the same shape */
} sb_conv_params;

/* Sizes in bytes that a backend needs for a shape: of the workspace (sb_conv_space), and of the operands that
 * conv_input and conv_gradient make. */
typedef struct sb_conv_sizes {
    size_t packed, accumulator, scratch;
    size_t input, gradient;
} sb_conv_sizes;

/* The workspace of a convolution, device memory of sb_conv_sizes. Its content is valid from conv_begin to conv_end. */
typedef struct sb_conv_space {
    void *packed;      /* the weights in the backend's form, for one pass */
    void *accumulator; /* the weight gradient in the backend's form */
    void *scratch;     /* used within one operation; convolutions may share one of the size of the largest, but wait for
                        * each other then, where operations overlap */
} sb_conv_space;

/* Several convolutions may have the same parameters, for example with another number of samples and another space. */
typedef struct sb_conv {
    sb_conv_shape shape;
    sb_conv_params params;
    sb_conv_space space;
    bool is_late; /* a hint for sums of terms: its operand is made long after those of the terms before it */
} sb_conv;

/* A convolution and its operand, which conv_input or conv_gradient made. */
typedef struct sb_term {
    const sb_conv *conv;
    const void *operand;
} sb_term;

enum { SB_TERMS_MAX = 3 };

/* A dense layer. Its tensors may have any c, h and w whose product is `in` (or `out`); the numbers of a sample are read
 * in memory order. The number of samples is the tensor's, so an evaluation can use the same layer for a smaller last
 * batch. */
typedef struct sb_dense {
    int in, out;
    sb_real *weight, *bias;           /* [out][in], [out]; bias NULL: none */
    sb_real *weight_grad, *bias_grad; /* bias_grad is NULL if bias is */
    void *scratch;                    /* at least ops->dense_scratch_size bytes, for the largest number of samples */
} sb_dense;

/* Number of output channels of all gates. */
static inline int sb_conv_outputs(const sb_conv_shape *shape)
{
    return shape->gates * shape->c;
}

/* Stride, dilation and groups, with the default for 0. */
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

/* Number of input rows or columns that n outputs read, without padding; of an upsampled input, after upsampling. */
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

/* Has a backend no fast algorithm for this shape? Fast are 3x3 with padding 1, and 1x1, 3x3 and 5x5 without padding,
 * with stride 1, one group and no dilation. A plain convolution has one term, is not upsampled and does not use
 * Winograd. */
static inline bool sb_conv_is_plain(const sb_conv_shape *shape)
{
    const int k = shape->kernel;
    const bool is_usual = shape->padding ? k == 3 && shape->padding == 1 : k == 1 || k == 3 || k == 5;
    return !is_usual || sb_conv_stride(shape) > 1 || sb_conv_dilation(shape) > 1 || sb_conv_groups(shape) > 1;
}

/* Number of weights between one input and one output channel. */
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

/* samples_least of backends that compute a convolution as one product of a library, or on a device, and so need large
 * operations. Traces use it for all backends, so that operation k is the same in all of them. */
enum { SB_SAMPLES_LEAST = 16 };

typedef struct sb_ops sb_ops;
struct sb_ops {
    const char *name;
    void *context;          /* data of the backend */
    int frames_per_product; /* conv_weight_gradient is fastest with this many frames at once */
    int pixels_per_product; /* or, if that is more, with so many frames that all maps together have this many pixels */
    int samples_least;      /* smallest number of samples in a convolution, unless the batch is smaller: 1, or
                             * SB_SAMPLES_LEAST */
    int samples_whole;      /* convolutions without padding are fastest with multiples of this number of samples; 0: of
                             * any */
    size_t operand_bytes;   /* size of the operands of one convolution of samples; 0: samples are counted by pixels */
    size_t kept_bytes;      /* size of operands that are kept for one weight product; 0: those of one convolution */
    int winograd_channels;  /* layers with at least this many channels use Winograd (sb_conv_uses_winograd) */
    bool joins_inputs;      /* inputs of one cell are fastest as channels of one map. Of one sample their operands then
                             * are contiguous, and their convolutions share packed and accumulator */
    bool host_memory;       /* device memory can be read by the host */
    bool has_no_plain;      /* the backend refuses shapes that are plain (sb_conv_is_plain) */
    bool overlaps;          /* operations that do not depend on each other may run at the same time, so memory that two
                             * operations share makes them wait */

    /* Memory and errors. */
    void *(*allocate)(sb_ops *ops, size_t n_bytes); /* zeroed, 64-byte aligned; NULL: not enough memory, reason in
                                                     * sb_message */
    void (*release)(sb_ops *ops, void *memory);
    sb_status (*error)(sb_ops *ops); /* the first error since the last call, with operation and shape */

    /* Sizes in bytes. For convolutions call sb_conv_sizes_of, which refuses shapes that the backend lacks. */
    void (*conv_sizes)(const sb_conv_shape *shape, sb_conv_sizes *sizes);
    size_t (*dense_scratch_size)(const sb_dense *layer, int n);
    size_t (*attention_scratch_size)(const sb_ops *ops, const sb_attention *attention, int context);

    /* The operations, each with its formula in ops/slots.h. */
#define SB_SLOT(name, pass, parameters, arguments, shape, flop, row, reads, writes) void(*name) parameters;
    SB_SLOTS(SB_SLOT)
#undef SB_SLOT
};

/* Does a layer of this shape use Winograd? With few channels the transforms cost more than the multiplications saved.
 * Convolutions that share an operand must all use it or not. */
static inline bool sb_conv_uses_winograd(const sb_ops *ops, const sb_conv_shape *shape)
{
    const int least = shape->in < shape->c ? shape->in : shape->c;
    return shape->padding == 1 && !sb_conv_is_plain(shape) && least >= ops->winograd_channels;
}

/* The sizes of a convolution. Call this before allocating its memory, so that an unsupported shape never reaches an
 * operation. SB_E_USAGE: the backend lacks the shape, "8x7 is no upsampled size". */
sb_status sb_conv_sizes_of(const sb_ops *ops, const sb_conv_shape *shape, sb_conv_sizes *sizes);

/* Copy device memory to the host after all earlier work. Returns the first error since the last ops->error; then the
 * copy is zeros. Use this for all results that are stored, hashed or shown, because to_host alone does not report the
 * error. */
__attribute__((warn_unused_result)) static inline sb_status sb_ops_read(sb_ops *ops, void *to, const void *from,
                                                                        size_t n_bytes)
{
    ops->to_host(ops, to, from, n_bytes);
    return ops->error(ops);
}
