/* Convolution as the study's library did it on a GPU without cuDNN: im2col, then one matrix product per gate. The CPU
 * twin is conv_openblas.c. Proved without a device against a cuBLAS of the tests that computes on the CPU
 * (tests/test_gpu_libraries.c).
 *
 * Operands   input x:      columns [in * 9][h w] (im2col)
 *            gradient dy:  a copy of the map, [groups * c][h w]
 * Packed     nothing: the weights are used as they are
 * Scratch    the columns of the data gradient, [in * 9][h w]
 * Accumulator [groups * c][in][3][3], the shape of the weights
 */
#include "ops/conv_im2col.h"
#include "ops/cublas.h"
#include "ops/gpu.h"

static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_tensor *x, void *operand)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_input", x);
    SB_GPU_EACH(gpu, sb_columns, sb_im2col_size(conv) / sizeof(sb_real), .x = x->x, .to = (sb_real *)operand,
                .h = conv->h, .w = conv->w, .shrink = conv->upsampled);
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

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_forward", y);
    int n = y->h * y->w;
    SB_GPU_EACH(gpu, sb_spread_bias, sb_tensor_size(y), .bias = bias, .y = y->x, .pixels = n);
    for (int t = 0; t < n_terms; t++)
        for (int g = 0; g < y->groups; g++) {
            int n_k = term[t].conv->in * 9;
            put_product(gpu, (product){.a = sb_im2col_weight(term[t].conv, g),
                                       .a_row = n_k,
                                       .b = term[t].operand,
                                       .b_row = n,
                                       .c = y->x + (size_t)g * y->c * n,
                                       .c_row = n,
                                       .m = y->c,
                                       .n = n,
                                       .k = n_k,
                                       .beta = 1});
        }
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_data_gradient", dx);
    gpu->zero(gpu, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++) {
        const sb_conv *conv = term[t].conv;
        int n = conv->h * conv->w, n_k = conv->in * 9;
        for (int g = 0; g < conv->groups; g++)
            put_product(gpu, (product){.a = sb_im2col_weight(conv, g),
                                       .a_turned = 1,
                                       .a_row = n_k,
                                       .b = (const sb_real *)term[t].operand + (size_t)g * conv->c * n,
                                       .b_row = n,
                                       .c = conv->scratch,
                                       .c_row = n,
                                       .m = n_k,
                                       .n = n,
                                       .k = conv->c,
                                       .beta = g > 0});
        SB_GPU_EACH(gpu, sb_fold, sb_tensor_size(dx), .columns = (const sb_real *)conv->scratch, .dx = dx->x,
                    .h = conv->h, .w = conv->w, .shrink = conv->upsampled);
    }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    sb_gpu *gpu =
        sb_gpu_begin(ops, "conv_weight_gradient", &(sb_tensor){1, conv->groups, conv->c, conv->h, conv->w, NULL});
    int pixels = conv->h * conv->w, n_k = conv->in * 9;
    for (int frame = 0; frame < n; frame++)
        for (int g = 0; g < conv->groups; g++)
            put_product(gpu, (product){.a = (const sb_real *)dy[frame] + (size_t)g * conv->c * pixels,
                                       .a_row = pixels,
                                       .b = x[frame],
                                       .b_turned = 1,
                                       .b_row = pixels,
                                       .c = (sb_real *)conv->accumulator + (size_t)g * conv->c * n_k,
                                       .c_row = n_k,
                                       .m = conv->c,
                                       .n = n_k,
                                       .k = pixels,
                                       .beta = 1});
}

void sb_conv_cublas(sb_ops *ops)
{
    sb_conv_im2col(ops);
    ops->conv_input = conv_input;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}

/* ---- dense layers ---- */

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_forward", NULL);
    put_product(gpu, (product){.a = x,
                               .a_row = layer->in,
                               .b = layer->weight,
                               .b_turned = 1,
                               .b_row = layer->in,
                               .c = y,
                               .c_row = layer->out,
                               .m = layer->batch,
                               .n = layer->out,
                               .k = layer->in});
    SB_GPU_EACH(gpu, sb_dense_forward, (long)layer->batch * layer->out, .bias = layer->bias, .y = y, .in = layer->in,
                .out = layer->out, .relu = relu, .summed = true);
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_data_gradient", NULL);
    put_product(gpu, (product){.a = dy,
                               .a_row = layer->out,
                               .b = layer->weight,
                               .b_row = layer->in,
                               .c = dx,
                               .c_row = layer->in,
                               .m = layer->batch,
                               .n = layer->in,
                               .k = layer->out});
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_weight_gradient", NULL);
    put_product(gpu, (product){.a = dy,
                               .a_turned = 1,
                               .a_row = layer->out,
                               .b = x,
                               .b_row = layer->in,
                               .c = layer->weight_grad,
                               .c_row = layer->in,
                               .m = layer->out,
                               .n = layer->in,
                               .k = layer->batch});
    SB_GPU_EACH(gpu, sb_dense_bias_gradient, layer->out, .dy = dy, .db = layer->bias_grad, .batch = layer->batch);
}

void sb_dense_cublas(sb_ops *ops)
{
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
}
