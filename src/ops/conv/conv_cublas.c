/* Convolution as the study's library did it on a GPU without cuDNN: im2col, then one matrix product per gate. The CPU
 * twin is conv_openblas.c. Proved without a device against a cuBLAS of the tests that computes on the CPU
 * (tests/test_gpu_libraries.c).
 *
 * Operands   input x:      columns [n][in * taps][h w] (im2col)
 *            gradient dy:  a copy of the tensor, [n][gates * c][h w]
 * Packed     nothing: the weights are used as they are
 * Scratch    the columns of the data gradient of one sample, [in * taps][h w]
 * Accumulator [gates * c][in][taps], the shape of the weights
 */
#include "ops/conv/conv_im2col.h"
#include "ops/cuda.h"
#include "ops/library/cublas.h"

void sb_conv_input_cublas(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_input", x);
    SB_GPU_EACH(gpu, sb_columns, shape->n * sb_im2col_columns(shape), .x = x->x, .to = (sb_real *)operand,
                .h = shape->h, .w = shape->w, .in_h = sb_conv_input_h(shape), .in_w = sb_conv_input_w(shape),
                .shrink = shape->upsampled, .kernel = shape->kernel, .padding = shape->padding,
                .stride = sb_conv_stride(shape), .dilation = sb_conv_dilation(shape));
}

/* ---- products, put down to be done later ---- */

typedef struct product {
    const sb_real *a, *b;
    sb_real *c;
    int m, n, k, a_row, b_row, c_row;
    int a_turned, b_turned;
    sb_real beta;
} product;

static void issue_product(sb_gpu *gpu, const void *args)
{
    const product *p = args;
#ifdef SB_REAL_IS_DOUBLE
    (void)p;
    gpu->failed(gpu, "cuBLAS is used in float only");
#else
    const char *words = sb_cublas_product(gpu->cublas, p->a_turned, p->b_turned, p->m, p->n, p->k, p->a, p->a_row, p->b,
                                          p->b_row, p->beta, p->c, p->c_row);
    if (words) gpu->failed(gpu, words);
#endif
}

static void put_product(sb_gpu *gpu, product p)
{
    gpu->call(gpu, issue_product, &p, sizeof p);
}

/* y of one sample += the term's convolution of its columns */
static void put_forward(sb_gpu *gpu, const sb_conv *conv, const sb_real *columns, const sb_tensor *y)
{
    int n = y->h * y->w;
    for (int g = 0; g < sb_im2col_parts(&conv->shape); g++) {
        const sb_im2col_part p = sb_im2col_part_of(conv, g);
        put_product(gpu, (product){.a = p.weight,
                                   .a_row = p.k,
                                   .b = columns + (size_t)p.column * n,
                                   .b_row = n,
                                   .c = y->x + (size_t)g * p.out * n,
                                   .c_row = n,
                                   .m = p.out,
                                   .n = n,
                                   .k = p.k,
                                   .beta = 1});
    }
}

void sb_conv_forward_cublas(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_forward", y);
    SB_GPU_EACH(gpu, sb_spread_bias, sb_tensor_size(y), .bias = bias, .y = y->x, .channels = y->gates * y->c,
                .pixels = y->h * y->w);
    for (int t = 0; t < n_terms; t++)
        for (int sample = 0; sample < y->n; sample++) {
            const sb_tensor one = sb_tensor_at(y, sample);
            const sb_real *columns = term[t].operand;
            put_forward(gpu, term[t].conv, columns + sample * sb_im2col_columns(&term[t].conv->shape), &one);
        }
}

/* dx of one sample += its share through a convolution whose gradient there is dy */
static void put_data_gradient(sb_gpu *gpu, const sb_conv *conv, const sb_real *dy, const sb_tensor *dx)
{
    const sb_conv_shape *shape = &conv->shape;
    int n = shape->h * shape->w;
    for (int g = 0; g < sb_im2col_parts(shape); g++) {
        const sb_im2col_part p = sb_im2col_part_of(conv, g);
        put_product(gpu, (product){.a = p.weight,
                                   .a_turned = 1,
                                   .a_row = p.k,
                                   .b = dy + (size_t)g * p.out * n,
                                   .b_row = n,
                                   .c = (sb_real *)conv->space.scratch + (size_t)p.column * n,
                                   .c_row = n,
                                   .m = p.k,
                                   .n = n,
                                   .k = p.out,
                                   .beta = p.gate > 0});
    }
    SB_GPU_EACH(gpu, sb_fold, sb_tensor_size(dx), .columns = (const sb_real *)conv->space.scratch, .dx = dx->x,
                .h = shape->h, .w = shape->w, .in_h = sb_conv_input_h(shape), .in_w = sb_conv_input_w(shape),
                .shrink = shape->upsampled, .kernel = shape->kernel, .padding = shape->padding,
                .stride = sb_conv_stride(shape), .dilation = sb_conv_dilation(shape));
}

void sb_conv_data_gradient_cublas(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_data_gradient", dx);
    gpu->zero(gpu, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++) {
        const sb_conv_shape *shape = &term[t].conv->shape;
        size_t sample_size = (size_t)sb_conv_outputs(shape) * shape->h * shape->w;
        for (int sample = 0; sample < dx->n; sample++) {
            const sb_tensor one = sb_tensor_at(dx, sample);
            put_data_gradient(gpu, term[t].conv, (const sb_real *)term[t].operand + sample * sample_size, &one);
        }
    }
}

/* The accumulator += one sample of one frame. */
static void put_weight_gradient(sb_gpu *gpu, const sb_conv *conv, const sb_real *columns, const sb_real *dy)
{
    const sb_conv_shape *shape = &conv->shape;
    int pixels = shape->h * shape->w;
    for (int g = 0; g < sb_im2col_parts(shape); g++) {
        const sb_im2col_part p = sb_im2col_part_of(conv, g);
        put_product(gpu, (product){.a = dy + (size_t)g * p.out * pixels,
                                   .a_row = pixels,
                                   .b = columns + (size_t)p.column * pixels,
                                   .b_turned = 1,
                                   .b_row = pixels,
                                   .c = (sb_real *)conv->space.accumulator + (size_t)g * p.out * p.k,
                                   .c_row = p.k,
                                   .m = p.out,
                                   .n = p.k,
                                   .k = pixels,
                                   .beta = 1});
    }
}

void sb_conv_weight_gradient_cublas(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    const sb_conv_shape *shape = &conv->shape;
    size_t columns = sb_im2col_columns(shape), sample_size = (size_t)sb_conv_outputs(shape) * shape->h * shape->w;
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_weight_gradient",
                               &(sb_tensor){shape->n, shape->gates, shape->c, shape->h, shape->w, NULL});
    for (int frame = 0; frame < n_frames; frame++)
        for (int sample = 0; sample < shape->n; sample++)
            put_weight_gradient(gpu, conv, (const sb_real *)x[frame] + sample * columns,
                                (const sb_real *)dy[frame] + sample * sample_size);
}

void sb_conv_cublas(sb_ops *ops)
{
    sb_conv_im2col(ops);
    ops->overlaps = false; /* a call of a library may touch any memory, so it waits for all earlier work */
    ops->conv_input = sb_conv_input_cublas;
    ops->conv_forward = sb_conv_forward_cublas;
    ops->conv_data_gradient = sb_conv_data_gradient_cublas;
    ops->conv_weight_gradient = sb_conv_weight_gradient_cublas;
}

/* ---- dense layers ---- */

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_forward", NULL);
    put_product(gpu, (product){.a = x->x,
                               .a_row = layer->in,
                               .b = layer->weight,
                               .b_turned = 1,
                               .b_row = layer->in,
                               .c = y->x,
                               .c_row = layer->out,
                               .m = x->n,
                               .n = layer->out,
                               .k = layer->in});
    SB_GPU_EACH(gpu, sb_dense_forward, (long)x->n * layer->out, .bias = layer->bias, .y = y->x, .in = layer->in,
                .out = layer->out, .relu = relu, .summed = true);
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_data_gradient", NULL);
    put_product(gpu, (product){.a = dy->x,
                               .a_row = layer->out,
                               .b = layer->weight,
                               .b_row = layer->in,
                               .c = dx->x,
                               .c_row = layer->in,
                               .m = dy->n,
                               .n = layer->in,
                               .k = layer->out});
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_weight_gradient", NULL);
    put_product(gpu, (product){.a = dy->x,
                               .a_turned = 1,
                               .a_row = layer->out,
                               .b = x->x,
                               .b_row = layer->in,
                               .c = layer->weight_grad,
                               .c_row = layer->in,
                               .m = layer->out,
                               .n = layer->in,
                               .k = dy->n});
    if (layer->bias_grad)
        SB_GPU_EACH(gpu, sb_dense_bias_gradient, layer->out, .dy = dy->x, .db = layer->bias_grad, .batch = x->n);
}

void sb_dense_cublas(sb_ops *ops)
{
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
}
