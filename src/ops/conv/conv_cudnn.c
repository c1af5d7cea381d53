/* Convolutions by cuDNN, all gates and samples at once, tensors as NCHW, which is what the GPU backends' planes are.
 * What is not a convolution stays as in cublas, and so do plain ones (ops.h): a stride, a dilation, groups, other
 * kernels. Proved without a device against a cuDNN of the tests that computes on the CPU
 * (tests/test_gpu_libraries.c). Joined inputs: conv_cudnn.h.
 *
 * Operands   input x:      a copy of the tensor, [n][in][h'][w'], upsampled where it is
 *            gradient dy:  a copy of the tensor, [n][gates * c][h][w]
 * Scratch    the gradient of upsampled maps, [n][in][h][w]
 * Accumulator [gates * c][in][taps], the shape of the weights
 */
#include "ops/conv/conv_cudnn.h"
#include "ops/conv/conv_im2col.h"

#include <limits.h>

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
    if (shape->joined) {
        sb_cudnn_joined_sizes(shape, sizes);
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

/* ---- weights: used as they are, unless inputs are joined ---- */

static sb_gpu *begin(sb_ops *ops, const char *operation, const sb_conv *conv)
{
    const sb_conv_shape *s = &conv->shape;
    return sb_gpu_begin(ops, operation, &(sb_tensor){s->n, s->gates, s->c, s->h, s->w, NULL});
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    if (conv->shape.joined) sb_cudnn_joined_begin(begin(ops, "conv_begin", conv), conv);
}

/* Joined inputs have one accumulator. */
static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    sb_conv_sizes sizes;
    conv_sizes(&conv->shape, &sizes);
    if (conv->shape.offset == 0) ops->zero(ops, conv->space.accumulator, sizes.accumulator);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    const size_t n_bytes = sb_conv_weights(&conv->shape) * sizeof(sb_real);
    if (conv->shape.joined)
        sb_cudnn_joined_end(begin(ops, "conv_end", conv), conv);
    else
        ops->copy(ops, conv->params.weight_grad, conv->space.accumulator, n_bytes);
}

/* ---- work of cuDNN, put down to be done later ---- */

typedef struct convolution {
    sb_cudnn_shape shape;
    int n_frames; /* weight gradient: the samples are those of this number of frames */
    const void *a, *b;
    void *result;
    sb_cudnn_work work;
    float beta;
} convolution;

/* Frame after frame: for all at once cuDNN may want more memory than it gets. */
static const char *convolve_frames(sb_gpu *gpu, const convolution *c)
{
    const char *words = NULL;
    const int less = c->shape.kernel - 1 - 2 * c->shape.padding;
    sb_cudnn_shape one = c->shape;
    one.n /= c->n_frames;
    const size_t x = (size_t)one.n * one.in * (one.h + less) * (one.w + less),
                 dy = (size_t)one.n * one.out * one.h * one.w;
    for (size_t f = 0; !words && f < (size_t)c->n_frames; f++)
        words = sb_cudnn_convolve(gpu->cudnn, c->work, &one, (const sb_real *)c->a + f * x,
                                  (const sb_real *)c->b + f * dy, c->beta, c->result);
    return words;
}

/* A search for an algorithm is long, and forbidden while a graph is recorded: one that found none is not repeated. */
static bool is_refused(const sb_gpu *gpu, const convolution *c)
{
    return c->n_frames > 1 && sb_cudnn_refused(gpu->cudnn, c->work, &c->shape);
}

static void issue_convolution(sb_gpu *gpu, const void *args)
{
    const convolution *c = args;
    const char *words = NULL;
    bool is_cut = is_refused(gpu, c);
    if (!is_cut) {
        words = sb_cudnn_convolve(gpu->cudnn, c->work, &c->shape, c->a, c->b, c->beta, c->result);
        is_cut = words && is_refused(gpu, c);
    }
    if (is_cut) words = convolve_frames(gpu, c);
    if (words) gpu->failed(gpu, words);
}

void sb_cudnn_put(sb_gpu *gpu, sb_cudnn_work work, const sb_conv *conv, int n_frames, const void *a, const void *b,
                  float beta, void *result)
{
    const convolution c = {.shape = {n_frames * conv->shape.n, conv->shape.in, sb_conv_outputs(&conv->shape),
                                     conv->shape.h, conv->shape.w, conv->shape.kernel, conv->shape.padding},
                           .n_frames = n_frames,
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
    if (term->conv->shape.joined) sb_cudnn_joined_forward(gpu, term, y);
    for (int t = 0; t < n_terms && !term->conv->shape.joined; t++)
        sb_cudnn_put(gpu, SB_CUDNN_FORWARD, term[t].conv, 1, term[t].operand, term[t].conv->params.weight, 1, y->x);
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
        if (conv->shape.joined) {
            sb_cudnn_joined_data_gradient(gpu, &term[t], dx);
            continue;
        }
        sb_real *to = conv->shape.upsampled ? conv->space.scratch : dx->x;
        sb_cudnn_put(gpu, SB_CUDNN_DATA, conv, 1, conv->params.weight, term[t].operand, conv->shape.upsampled ? 0 : 1,
                     to);
        if (conv->shape.upsampled)
            SB_GPU_EACH(gpu, sb_add_blocks, sb_tensor_size(dx), .up = to, .dx = dx->x, .h = dx->h, .w = dx->w);
    }
}

int sb_cudnn_frames_at_once(const sb_gpu *gpu, size_t input, size_t gradient, int n_frames, const void *const *x,
                            const void *const *dy)
{
    int n = 1;
    while (gpu->forms.frames && n < n_frames && (const char *)x[n - 1] + input == x[n] &&
           (const char *)dy[n - 1] + gradient == dy[n])
        n++;
    return n;
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    const sb_conv_shape *s = &conv->shape;
    if (sb_conv_is_plain(s)) {
        sb_conv_weight_gradient_cublas(ops, conv, n_frames, x, dy);
        return;
    }
    sb_gpu *gpu = begin(ops, "conv_weight_gradient", conv);
    sb_conv_sizes sizes;
    conv_sizes(s, &sizes);
    if (s->joined) sb_cudnn_joined_weight_gradient(gpu, conv, n_frames, x, dy);
    for (int frame = 0, n; !s->joined && frame < n_frames; frame += n) {
        n = sb_cudnn_frames_at_once(gpu, sizes.input, sizes.gradient, n_frames - frame, x + frame, dy + frame);
        sb_cudnn_put(gpu, SB_CUDNN_FILTER, conv, n, x[frame], dy[frame], 1, conv->space.accumulator);
    }
}

void sb_conv_cudnn(sb_ops *ops)
{
    if (sb_gpu_of(ops)->forms.frames) ops->frames_per_product = INT_MAX;
    ops->joins_inputs = sb_gpu_of(ops)->forms.inputs;
    ops->conv_begin = conv_begin;
    ops->conv_turn = conv_turn;
    ops->conv_end = conv_end;
    ops->conv_sizes = conv_sizes;
    ops->conv_input = conv_input;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
