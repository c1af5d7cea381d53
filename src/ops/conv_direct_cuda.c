/* Convolution of native-cuda in the form `direct`: the chains of order.h. The CPU twin is conv_direct.c.
 *
 * Operands   input x:      [in][h+2][w+2], a border of zeros around the map (upsampled already, where it is)
 *            gradient dy:  [outputs][h+2][w+2]
 * Packed     forward [in * 9][outputs]; backward, the kernel turned by 180 degrees, [outputs * 9][in]
 * Scratch    the gradient of an upsampled map [in][h][w], or of a small one the sums of rows
 *            [frames][h][outputs][in * 9]
 * Accumulator [outputs][in][3][3], the shape of the weights
 */
#include "ops/conv_cuda.h"

static size_t weights_size(const sb_conv *conv)
{
    return (size_t)sb_conv_outputs(conv) * conv->in * 9 * sizeof(sb_real);
}

/* A layer of few weights leaves the device idle unless the rows of the map are summed side by side. */
enum { SUMS_APART = 16384 };

static bool sums_rows_apart(const sb_conv *conv)
{
    return (long)sb_conv_outputs(conv) * conv->in * 9 <= SUMS_APART;
}

static size_t scratch_size(const sb_conv *conv)
{
    size_t up = conv->upsampled ? (size_t)conv->h * conv->w * conv->in * sizeof(sb_real) : 0;
    size_t rows = sums_rows_apart(conv) ? (size_t)SB_PRODUCT_FRAMES * conv->h * weights_size(conv) : 0;
    return up > rows ? up : rows;
}

static size_t padded_size(const sb_conv *conv, int channels)
{
    return (size_t)(conv->h + 2) * (conv->w + 2) * channels * sizeof(sb_real);
}

static size_t input_size(const sb_conv *conv)
{
    return padded_size(conv, conv->in);
}

static size_t gradient_size(const sb_conv *conv)
{
    return padded_size(conv, sb_conv_outputs(conv));
}

static void begin(sb_gpu *gpu, sb_conv *conv)
{
    int out = sb_conv_outputs(conv);
    SB_GPU_EACH(gpu, sb_pack_forward, (long)out * conv->in * 9, .weight = conv->weight, .to = (sb_real *)conv->packed,
                .in = conv->in, .out = out);
}

static void turn(sb_gpu *gpu, sb_conv *conv)
{
    int out = sb_conv_outputs(conv);
    SB_GPU_EACH(gpu, sb_pack_backward, (long)out * conv->in * 9, .weight = conv->weight, .to = (sb_real *)conv->packed,
                .in = conv->in, .out = out);
}

static void end(sb_gpu *gpu, sb_conv *conv)
{
    gpu->copy(gpu, conv->weight_grad, conv->accumulator, weights_size(conv));
}

static void input(sb_gpu *gpu, const sb_conv *conv, const sb_tensor *x, void *operand)
{
    SB_GPU_EACH(gpu, sb_border, input_size(conv) / sizeof(sb_real), .x = x->x, .to = (sb_real *)operand, .h = conv->h,
                .w = conv->w, .shrink = conv->upsampled, .border = 1);
}

static void gradient(sb_gpu *gpu, const sb_conv *conv, const sb_tensor *dy, void *operand)
{
    SB_GPU_EACH(gpu, sb_border, gradient_size(conv) / sizeof(sb_real), .x = dy->x, .to = (sb_real *)operand,
                .h = conv->h, .w = conv->w, .shrink = 0, .border = 1);
}

/* ---- products ---- */

static sb_grid grid_of(const sb_product_args *args, int m, int n)
{
    return (sb_grid){sb_blocks(args->n, n), sb_blocks(args->m, m), 1};
}

/* c [m][h w] = start + the terms; backward: of their packed weights turned, over their outputs */
static void product(sb_gpu *gpu, int n_terms, const sb_term *term, bool backward, const sb_real *start, int m,
                    sb_real *c)
{
    const sb_conv *conv = term[0].conv;
    sb_product_args args = {.start = start,
                            .c = c,
                            .n_parts = n_terms,
                            .m = m,
                            .n = conv->h * conv->w,
                            .w = conv->w,
                            .plane = (long)(conv->h + 2) * (conv->w + 2)};
    for (int t = 0; t < n_terms; t++)
        args.part[t] = (sb_product_part){.a = (const sb_real *)term[t].conv->packed,
                                         .b = (const sb_real *)term[t].operand,
                                         .n_k = (backward ? sb_conv_outputs(term[t].conv) : term[t].conv->in) * 9};
    sb_grid large = grid_of(&args, 64, 128);
    if (m <= 16)
        SB_GPU_TILED(gpu, sb_product_thin, grid_of(&args, 16, 64), &args);
    else if (large.x * large.y >= gpu->processors) /* a guess; to be measured */
        SB_GPU_TILED(gpu, sb_product_large, large, &args);
    else
        SB_GPU_TILED(gpu, sb_product_medium, grid_of(&args, 32, 64), &args);
}

static void forward(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    product(gpu, n_terms, term, false, bias, y->groups * y->c, y->x);
}

static void data_gradient(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx)
{
    product(gpu, n_terms, term, true, NULL, dx->c, dx->x);
}

static void add_upsampled_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx)
{
    sb_real *up = (sb_real *)term->conv->scratch;
    product(gpu, 1, term, true, NULL, dx->c, up);
    SB_GPU_EACH(gpu, sb_add_blocks, sb_tensor_size(dx), .up = up, .dx = dx->x, .h = dx->h, .w = dx->w);
}

static void weight_gradient(sb_gpu *gpu, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    int out = sb_conv_outputs(conv), columns = conv->in * 9;
    for (int first = 0; first < n; first += SB_PRODUCT_FRAMES) {
        sb_weight_product_args args = {.c = (sb_real *)conv->accumulator,
                                       .rows = sums_rows_apart(conv) ? (sb_real *)conv->scratch : NULL,
                                       .m = out,
                                       .n = columns,
                                       .h = conv->h,
                                       .w = conv->w};
        args.n_frames = sb_take_frames(args.a, args.b, first, n, x, dy);
        long rows = (long)args.n_frames * conv->h, across = sb_blocks(columns, 64) * (args.rows ? rows : 1);
        if (out <= 16)
            SB_GPU_TILED(gpu, sb_product_weights_thin, ((sb_grid){across, sb_blocks(out, 16), 1}), &args);
        else
            SB_GPU_TILED(gpu, sb_product_weights, ((sb_grid){across, sb_blocks(out, 64), 1}), &args);
        if (args.rows)
            SB_GPU_EACH(gpu, sb_add_rows, (long)out * columns, .part = args.rows, .total = args.c, .rows = rows);
    }
}

const sb_conv_form_cuda sb_conv_direct_cuda = {
    .weights_size = weights_size,
    .accumulator_size = weights_size,
    .scratch_size = scratch_size,
    .input_size = input_size,
    .gradient_size = gradient_size,
    .begin = begin,
    .turn = turn,
    .end = end,
    .input = input,
    .gradient = gradient,
    .forward = forward,
    .data_gradient = data_gradient,
    .add_upsampled_gradient = add_upsampled_gradient,
    .weight_gradient = weight_gradient,
};
