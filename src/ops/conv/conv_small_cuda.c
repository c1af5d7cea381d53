/* Convolutions of native-cuda of any other shape than 3x3 with padding 1 and stride 1: the chains of `direct` in order.h, one
 * thread for each element, for these layers are few and narrow. The CPU twins are conv_direct.c and conv_plain.c.
 *
 * Operands   copies of the tensors
 * Packed     nothing: the weights are used as they are
 * Accumulator [gates * c][in][taps], the shape of the weights
 */
#include "ops/conv/conv_cuda.h"

static void sizes(const sb_conv_shape *shape, sb_conv_sizes *of)
{
    const size_t n = (size_t)shape->n, pixels = (size_t)shape->h * shape->w;
    const size_t input = (size_t)sb_conv_input_h(shape) * sb_conv_input_w(shape);
    *of = (sb_conv_sizes){
        .accumulator = sb_conv_weights(shape) * sizeof(sb_real),
        .input = n * input * shape->in * sizeof(sb_real),
        .gradient = n * pixels * sb_conv_outputs(shape) * sizeof(sb_real),
    };
}

static void nothing(sb_gpu *gpu, sb_conv *conv)
{
    (void)gpu, (void)conv;
}

static void end(sb_gpu *gpu, sb_conv *conv)
{
    gpu->copy(gpu, conv->params.weight_grad, conv->space.accumulator, sb_conv_weights(&conv->shape) * sizeof(sb_real));
}

static void operand_of(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    (void)shape;
    gpu->copy(gpu, operand, x->x, sb_tensor_size(x) * sizeof(sb_real));
}

static sb_small_conv small_of(const sb_conv_shape *shape)
{
    return (sb_small_conv){.samples = shape->n,
                           .in = shape->in,
                           .out = sb_conv_outputs(shape),
                           .h = shape->h,
                           .w = shape->w,
                           .in_h = sb_conv_input_h(shape),
                           .in_w = sb_conv_input_w(shape),
                           .kernel = shape->kernel,
                           .padding = shape->padding,
                           .stride = sb_conv_stride(shape),
                           .dilation = sb_conv_dilation(shape),
                           .groups = sb_conv_groups(shape)};
}

static void forward(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    for (int t = 0; t < n_terms; t++)
        SB_GPU_EACH(gpu, sb_small_forward, sb_tensor_size(y), .conv = small_of(&term[t].conv->shape),
                    .x = (const sb_real *)term[t].operand, .weight = term[t].conv->params.weight, .bias = bias,
                    .y = y->x, .goes_on = t > 0);
}

static void data_gradient(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx)
{
    for (int t = 0; t < n_terms; t++)
        SB_GPU_EACH(gpu, sb_small_data_gradient, sb_tensor_size(dx), .conv = small_of(&term[t].conv->shape),
                    .dy = (const sb_real *)term[t].operand, .weight = term[t].conv->params.weight, .dx = dx->x,
                    .goes_on = t > 0);
}

static void weight_gradient(sb_gpu *gpu, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    for (int frame = 0; frame < n_frames; frame++)
        SB_GPU_EACH(gpu, sb_small_weight_gradient, sb_conv_weights(&conv->shape), .conv = small_of(&conv->shape),
                    .x = (const sb_real *)x[frame], .dy = (const sb_real *)dy[frame],
                    .dw = (sb_real *)conv->space.accumulator);
}

/* sb_conv_sizes_of refuses what would come here. */
static void add_upsampled_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx)
{
    (void)gpu, (void)term, (void)dx;
    assert(!"an upsampled map is read by 3x3 weights with padding 1");
}

const sb_conv_form_cuda sb_conv_small_cuda = {
    .sizes = sizes,
    .begin = nothing,
    .turn = nothing,
    .end = end,
    .input = operand_of,
    .gradient = operand_of,
    .forward = forward,
    .data_gradient = data_gradient,
    .add_upsampled_gradient = add_upsampled_gradient,
    .weight_gradient = weight_gradient,
};
