/* Convolutions by cuDNN, all gates and samples at once, tensors as NCHW, which is what the GPU backends' planes are.
 * What is not a convolution stays as in cublas, and so do plain ones (ops.h): a stride, a dilation, groups, other kernels. Proved without a device against a cuDNN of the tests that computes on
 * the CPU (tests/test_gpu_libraries.c).
 *
 * Operands   input x:      a copy of the tensor, [n][in][h'][w'], upsampled where it is
 *            gradient dy:  a copy of the tensor, [n][gates * c][h][w]
 * Scratch    the gradient of upsampled maps, [n][in][h][w]
 * Accumulator [gates * c][in][taps], the shape of the weights
 */
#include "ops/conv/conv_im2col.h"
#include "ops/cuda.h"
#include "ops/library/cudnn.h"

static size_t input_elements(const sb_conv_shape *shape)
{
    return (size_t)shape->n * shape->in * sb_conv_input_h(shape) * sb_conv_input_w(shape);
}

static void conv_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    if (sb_conv_is_plain(shape)) {
        sb_conv_sizes_im2col(shape, sizes);
        return;
    }
    *sizes = (sb_conv_sizes){
        .accumulator = sb_conv_weights(shape) * sizeof(sb_real),
        .scratch = shape->upsampled ? input_elements(shape) * sizeof(sb_real) : 0,
        .input = input_elements(shape) * sizeof(sb_real),
        .gradient = (size_t)shape->n * sb_conv_outputs(shape) * shape->h * shape->w * sizeof(sb_real),
    };
}

/* The samples stay where they are: to the kernel their maps are this many channels of one. */
static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    if (sb_conv_is_plain(shape)) {
        sb_conv_input_cublas(ops, shape, x, operand);
        return;
    }
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_input", x);
    SB_GPU_EACH(gpu, sb_border, input_elements(shape), .x = x->x, .to = (sb_real *)operand,
                .channels = shape->n * shape->in, .samples = 1, .h = sb_conv_input_h(shape),
                .w = sb_conv_input_w(shape), .shrink = shape->upsampled, .border = 0);
}

/* ---- work of cuDNN, put down to be done later ---- */

typedef struct convolution {
    sb_cudnn_shape shape;
    const void *a, *b;
    void *result;
    sb_cudnn_work work;
    float beta;
} convolution;

static void issue_convolution(sb_gpu *gpu, const void *args)
{
    const convolution *c = args;
    const char *words = sb_cudnn_convolve(gpu->cudnn, c->work, &c->shape, c->a, c->b, c->beta, c->result);
    if (words) gpu->failed(gpu, words);
}

static void put_convolution(sb_gpu *gpu, sb_cudnn_work work, const sb_conv *conv, const void *a, const void *b,
                            float beta, void *result)
{
    const convolution c = {.shape = {conv->shape.n, conv->shape.in, sb_conv_outputs(&conv->shape), conv->shape.h,
                                     conv->shape.w, conv->shape.kernel, conv->shape.padding},
                           .a = a,
                           .b = b,
                           .result = result,
                           .work = work,
                           .beta = beta};
    gpu->call(gpu, issue_convolution, &c, sizeof c);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    if (sb_conv_is_plain(&term->conv->shape)) {
        sb_conv_forward_cublas(ops, n_terms, term, bias, y);
        return;
    }
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_forward", y);
    SB_GPU_EACH(gpu, sb_spread_bias, sb_tensor_size(y), .bias = bias, .y = y->x, .channels = y->gates * y->c,
                .pixels = y->h * y->w);
    for (int t = 0; t < n_terms; t++)
        put_convolution(gpu, SB_CUDNN_FORWARD, term[t].conv, term[t].operand, term[t].conv->params.weight, 1, y->x);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    if (sb_conv_is_plain(&term->conv->shape)) {
        sb_conv_data_gradient_cublas(ops, n_terms, term, dx);
        return;
    }
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_data_gradient", dx);
    gpu->zero(gpu, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++) {
        const sb_conv *conv = term[t].conv;
        sb_real *to = conv->shape.upsampled ? conv->space.scratch : dx->x;
        put_convolution(gpu, SB_CUDNN_DATA, conv, conv->params.weight, term[t].operand, conv->shape.upsampled ? 0 : 1,
                        to);
        if (conv->shape.upsampled)
            SB_GPU_EACH(gpu, sb_add_blocks, sb_tensor_size(dx), .up = to, .dx = dx->x, .h = dx->h, .w = dx->w);
    }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    const sb_conv_shape *s = &conv->shape;
    if (sb_conv_is_plain(s)) {
        sb_conv_weight_gradient_cublas(ops, conv, n_frames, x, dy);
        return;
    }
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_weight_gradient", &(sb_tensor){s->n, s->gates, s->c, s->h, s->w, NULL});
    for (int frame = 0; frame < n_frames; frame++)
        put_convolution(gpu, SB_CUDNN_FILTER, conv, x[frame], dy[frame], 1, conv->space.accumulator);
}

void sb_conv_cudnn(sb_ops *ops)
{
    ops->conv_sizes = conv_sizes;
    ops->conv_input = conv_input;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
