/* Convolutions of native-cuda: each goes to the form of its layer. The CPU twin is conv_native.c. */
#include "ops/conv_cuda.h"

static const sb_conv_form_cuda *form_of(const sb_conv *conv)
{
    return conv->wide ? &sb_conv_winograd_cuda : &sb_conv_direct_cuda;
}

static size_t weights_size(const sb_conv *conv)
{
    return form_of(conv)->weights_size(conv);
}

static size_t accumulator_size(const sb_conv *conv)
{
    return form_of(conv)->accumulator_size(conv);
}

static size_t scratch_size(const sb_conv *conv)
{
    return form_of(conv)->scratch_size(conv);
}

static size_t input_size(const sb_conv *conv)
{
    return form_of(conv)->input_size(conv);
}

static size_t gradient_size(const sb_conv *conv)
{
    return form_of(conv)->gradient_size(conv);
}

/* The label of a convolution is its output. */
static sb_gpu *begin(sb_ops *ops, const char *operation, const sb_conv *conv)
{
    return sb_gpu_begin(ops, operation, &(sb_tensor){1, conv->groups, conv->c, conv->h, conv->w, NULL});
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    form_of(conv)->begin(begin(ops, "conv_begin", conv), conv);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    sb_gpu *gpu = begin(ops, "conv_turn", conv);
    form_of(conv)->turn(gpu, conv);
    gpu->zero(gpu, conv->accumulator, accumulator_size(conv));
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    form_of(conv)->end(begin(ops, "conv_end", conv), conv);
}

static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_tensor *x, void *operand)
{
    form_of(conv)->input(sb_gpu_begin(ops, "conv_input", x), conv, x, operand);
}

static void conv_gradient(sb_ops *ops, const sb_conv *conv, const sb_tensor *dy, void *operand)
{
    form_of(conv)->gradient(sb_gpu_begin(ops, "conv_gradient", dy), conv, dy, operand);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    form_of(term[0].conv)->forward(sb_gpu_begin(ops, "conv_forward", y), n_terms, term, bias, y);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    sb_term same[SB_TERMS_MAX];
    int n_same = 0;
    for (int t = 0; t < n_terms; t++)
        if (!term[t].conv->upsampled) same[n_same++] = term[t];
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_data_gradient", dx);
    if (n_same)
        form_of(same[0].conv)->data_gradient(gpu, n_same, same, dx);
    else
        gpu->zero(gpu, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++)
        if (term[t].conv->upsampled) form_of(term[t].conv)->add_upsampled_gradient(gpu, &term[t], dx);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    form_of(conv)->weight_gradient(begin(ops, "conv_weight_gradient", conv), conv, n, x, dy);
}

void sb_conv_cuda(sb_ops *ops)
{
    ops->frames_per_product = SB_PRODUCT_FRAMES;
    ops->conv_weights_size = weights_size;
    ops->conv_accumulator_size = accumulator_size;
    ops->conv_scratch_size = scratch_size;
    ops->conv_input_size = input_size;
    ops->conv_gradient_size = gradient_size;
    ops->conv_begin = conv_begin;
    ops->conv_turn = conv_turn;
    ops->conv_end = conv_end;
    ops->conv_input = conv_input;
    ops->conv_gradient = conv_gradient;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
