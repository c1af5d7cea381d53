/* Convolutions by cuDNN, all gates at once, maps as NCHW tensors, which is what the GPU backends' planes are. What is
 * not a convolution stays as in cublas. Proved without a device against a cuDNN of the tests that computes on the CPU
 * (tests/test_gpu_libraries.c).
 *
 * Operands   input x:      a copy of the map, [in][h][w], upsampled where it is
 *            gradient dy:  a copy of the map, [groups * c][h][w]
 * Scratch    the gradient of an upsampled map, [in][h][w]
 * Accumulator [groups * c][in][3][3], the shape of the weights
 */
#include "ops/cudnn.h"
#include "ops/gpu.h"

static size_t plane_size(const sb_conv *conv)
{
    return (size_t)conv->in * conv->h * conv->w * sizeof(sb_real);
}

static size_t scratch_size(const sb_conv *conv)
{
    return conv->upsampled ? plane_size(conv) : 0;
}

static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_tensor *x, void *operand)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_input", x);
    SB_GPU_EACH(gpu, sb_border, plane_size(conv) / sizeof(sb_real), .x = x->x, .to = (sb_real *)operand, .h = conv->h,
                .w = conv->w, .shrink = conv->upsampled, .border = 0);
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
    const convolution c = {.shape = {conv->in, conv->groups * conv->c, conv->h, conv->w},
                           .a = a,
                           .b = b,
                           .result = result,
                           .work = work,
                           .beta = beta};
    gpu->call(gpu, issue_convolution, &c, sizeof c);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_forward", y);
    SB_GPU_EACH(gpu, sb_spread_bias, sb_tensor_size(y), .bias = bias, .y = y->x, .pixels = y->h * y->w);
    for (int t = 0; t < n_terms; t++)
        put_convolution(gpu, SB_CUDNN_FORWARD, term[t].conv, term[t].operand, term[t].conv->weight, 1, y->x);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_data_gradient", dx);
    gpu->zero(gpu, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++) {
        const sb_conv *conv = term[t].conv;
        sb_real *to = conv->upsampled ? conv->scratch : dx->x;
        put_convolution(gpu, SB_CUDNN_DATA, conv, conv->weight, term[t].operand, conv->upsampled ? 0 : 1, to);
        if (conv->upsampled)
            SB_GPU_EACH(gpu, sb_add_blocks, sb_tensor_size(dx), .up = to, .dx = dx->x, .h = dx->h, .w = dx->w);
    }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    sb_gpu *gpu =
        sb_gpu_begin(ops, "conv_weight_gradient", &(sb_tensor){1, conv->groups, conv->c, conv->h, conv->w, NULL});
    for (int frame = 0; frame < n; frame++)
        put_convolution(gpu, SB_CUDNN_FILTER, conv, x[frame], dy[frame], 1, conv->accumulator);
}

void sb_conv_cudnn(sb_ops *ops)
{
    ops->conv_scratch_size = scratch_size;
    ops->conv_input_size = plane_size;
    ops->conv_input = conv_input;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
