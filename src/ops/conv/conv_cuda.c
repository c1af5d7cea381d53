/* Convolutions of native-cuda: each goes to the form of its layer. The CPU twin is conv_native.c. */
#include "ops/conv/conv_cuda.h"

static const sb_conv_form_cuda *form_of(const sb_conv_shape *shape)
{
    if (shape->padding == 0 || sb_conv_is_plain(shape)) return &sb_conv_small_cuda;
    return shape->use_winograd ? &sb_conv_winograd_cuda : &sb_conv_direct_cuda;
}

static void conv_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    form_of(shape)->sizes(shape, sizes);
}

/* The label of a convolution is its output. */
static sb_gpu *begin(sb_ops *ops, const char *operation, const sb_conv *conv)
{
    const sb_conv_shape *s = &conv->shape;
    return sb_gpu_begin(ops, operation, &(sb_tensor){s->n, s->gates, s->c, s->h, s->w, NULL});
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    form_of(&conv->shape)->begin(begin(ops, "conv_begin", conv), conv);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    sb_gpu *gpu = begin(ops, "conv_turn", conv);
    sb_conv_sizes sizes;
    conv_sizes(&conv->shape, &sizes);
    form_of(&conv->shape)->turn(gpu, conv);
    gpu->zero(gpu, conv->space.accumulator, sizes.accumulator);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    form_of(&conv->shape)->end(begin(ops, "conv_end", conv), conv);
}

static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    form_of(shape)->input(sb_gpu_begin(ops, "conv_input", x), shape, x, operand);
}

static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    form_of(shape)->gradient(sb_gpu_begin(ops, "conv_gradient", dy), shape, dy, operand);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    form_of(&term[0].conv->shape)->forward(sb_gpu_begin(ops, "conv_forward", y), n_terms, term, bias, y);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    sb_term same[SB_TERMS_MAX];
    int n_same = 0;
    for (int t = 0; t < n_terms; t++)
        if (!term[t].conv->shape.upsampled) same[n_same++] = term[t];
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_data_gradient", dx);
    if (n_same)
        form_of(&same[0].conv->shape)->data_gradient(gpu, n_same, same, dx);
    else
        gpu->zero(gpu, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++)
        if (term[t].conv->shape.upsampled) form_of(&term[t].conv->shape)->add_upsampled_gradient(gpu, &term[t], dx);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    form_of(&conv->shape)->weight_gradient(begin(ops, "conv_weight_gradient", conv), conv, n_frames, x, dy);
}

/* Half of the L2 cache of an H200, and memory that a device with room for large batches has. Guesses; to be measured. */
enum { OPERAND_MIB = 24, KEPT_MIB = 1024 };

void sb_conv_cuda(sb_ops *ops)
{
    const bool chunks = sb_gpu_of(ops)->forms.chunks;
    ops->frames_per_product = SB_PRODUCT_FRAMES;
    ops->samples_least = SB_SAMPLES_LEAST;
    ops->operand_bytes = chunks ? (size_t)OPERAND_MIB << 20 : 0;
    ops->kept_bytes = chunks ? (size_t)KEPT_MIB << 20 : 0;
    ops->conv_sizes = conv_sizes;
    ops->conv_begin = conv_begin;
    ops->conv_turn = conv_turn;
    ops->conv_end = conv_end;
    ops->conv_input = conv_input;
    ops->conv_gradient = conv_gradient;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
