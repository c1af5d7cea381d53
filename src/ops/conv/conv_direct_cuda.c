/* Convolution of native-cuda in the form `direct`: the chains of order.h. The CPU twin is conv_direct.c.
 *
 * Operands   input x:      [in][n][h+2][w+2], a border of zeros around each map (upsampled already, where it is); the
 *                          maps of one channel side by side, so that one product takes the pixels of all samples
 *            gradient dy:  [outputs][n][h+2][w+2]
 * Packed     forward [in * 9][outputs]; backward, the kernel turned by 180 degrees, [outputs * 9][in]
 * Scratch    the gradient of upsampled maps [n][in][h][w], or of a small layer the sums of rows
 *            [frames][h][outputs][in * 9], where a sample counts as a frame
 * Accumulator [outputs][in][3][3], the shape of the weights
 */
#include "ops/conv/conv_cuda.h"

static size_t weights_size(const sb_conv_shape *shape)
{
    return sb_conv_weights(shape) * sizeof(sb_real);
}

/* A layer of few weights leaves the device idle unless the rows of the map are summed side by side. */
enum { SUMS_APART = 16384 };

static bool sums_rows_apart(const sb_conv_shape *shape)
{
    return sb_conv_weights(shape) <= SUMS_APART;
}

/* Elements of one map with its border. */
static size_t padded_map(const sb_conv_shape *shape)
{
    return (size_t)(shape->h + 2) * (shape->w + 2);
}

static void sizes(const sb_conv_shape *shape, sb_conv_sizes *of)
{
    size_t n = (size_t)shape->n, in = (size_t)shape->in, padded = n * padded_map(shape) * sizeof(sb_real);
    size_t up = shape->upsampled ? n * in * shape->h * shape->w * sizeof(sb_real) : 0;
    size_t rows = sums_rows_apart(shape) ? (size_t)SB_PRODUCT_FRAMES * shape->h * weights_size(shape) : 0;
    *of = (sb_conv_sizes){
        .packed = weights_size(shape),
        .accumulator = weights_size(shape),
        .scratch = up > rows ? up : rows,
        .input = padded * in,
        .gradient = padded * sb_conv_outputs(shape),
    };
}

static void begin(sb_gpu *gpu, sb_conv *conv)
{
    int out = sb_conv_outputs(&conv->shape);
    SB_GPU_EACH(gpu, sb_pack_forward, (long)out * conv->shape.in * 9, .weight = conv->params.weight,
                .to = (sb_real *)conv->space.packed, .in = conv->shape.in, .out = out);
}

static void turn(sb_gpu *gpu, sb_conv *conv)
{
    int out = sb_conv_outputs(&conv->shape);
    SB_GPU_EACH(gpu, sb_pack_backward, (long)out * conv->shape.in * 9, .weight = conv->params.weight,
                .to = (sb_real *)conv->space.packed, .in = conv->shape.in, .out = out);
}

static void end(sb_gpu *gpu, sb_conv *conv)
{
    gpu->copy(gpu, conv->params.weight_grad, conv->space.accumulator, weights_size(&conv->shape));
}

/* errors: what x is made of on the way, or NULL in it */
static void pad(sb_gpu *gpu, const sb_conv_shape *shape, int channels, int shrink, sb_real *x,
                const sb_error_forward_args *errors, void *operand)
{
    const long maps = (long)channels * shape->n, threads_of_rows = maps * (shape->h + 2) * SB_BORDER_ABREAST;
    sb_border_args args = {.n = maps * (long)padded_map(shape),
                           .x = x,
                           .to = (sb_real *)operand,
                           .a = errors->a,
                           .p = errors->p,
                           .channels = channels,
                           .samples = shape->n,
                           .h = shape->h,
                           .w = shape->w,
                           .shrink = shrink,
                           .border = 1};
    const bool by_rows = gpu->forms.pixels && args.n <= SB_EACH_MAX && threads_of_rows <= SB_EACH_MAX;
    if (by_rows) args.n = threads_of_rows;
    gpu->kernel(gpu, by_rows ? SB_KERNEL_sb_border_rows : SB_KERNEL_sb_border, (sb_grid){0}, &args, sizeof args);
}

static void input(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    const sb_error_forward_args errors = sb_gpu_take_errors(gpu, x->x);
    pad(gpu, shape, shape->in, shape->upsampled, x->x, &errors, operand);
}

static void gradient(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    pad(gpu, shape, sb_conv_outputs(shape), 0, dy->x, &(sb_error_forward_args){0}, operand);
}

/* ---- products ---- */

static sb_grid grid_of(const sb_product_args *args, int m, int n)
{
    return (sb_grid){sb_blocks(args->n, n), sb_blocks(args->m, m), 1};
}

/* Up to this number of outputs, sums stay in registers (pixels.h). A tile of 64 outputs would have a quarter of its rows
 * empty, and a device would have few blocks. A guess; to be measured. */
enum { PIXELS_MOST = 48 };

static bool fits_pixels(const sb_gpu *gpu, int m)
{
    return gpu->forms.pixels && m <= PIXELS_MOST;
}

static sb_grid grid_of_pixels(const sb_product_args *args)
{
    const int outputs = sb_pixels_groups(args->m) * SB_PIXELS_OUTPUTS;
    const long samples = args->n / (args->h * args->w);
    return (sb_grid){samples * sb_pixels_tiles(args->h, args->w, args->m), sb_blocks(args->m, outputs), 1};
}

/* c [n][m][h w] = start + the terms; backward: of their packed weights turned, over their outputs */
static void product(sb_gpu *gpu, int n_terms, const sb_term *term, bool backward, const sb_real *start, int m,
                    sb_real *c)
{
    const sb_conv_shape *shape = &term[0].conv->shape;
    sb_product_args args = {.start = start,
                            .c = c,
                            .n_parts = n_terms,
                            .m = m,
                            .n = shape->n * shape->h * shape->w,
                            .h = shape->h,
                            .w = shape->w,
                            .channel = (int)(shape->n * padded_map(shape))};
    for (int t = 0; t < n_terms; t++) {
        const sb_conv *conv = term[t].conv;
        args.part[t] = (sb_product_part){.a = (const sb_real *)conv->space.packed,
                                         .b = (const sb_real *)term[t].operand,
                                         .n_k = (backward ? sb_conv_outputs(&conv->shape) : conv->shape.in) * 9};
    }
    sb_grid large = grid_of(&args, 64, 128);
    if (fits_pixels(gpu, m))
        SB_GPU_TILED(gpu, sb_product_pixels, grid_of_pixels(&args), &args);
    else if (m <= 16)
        SB_GPU_TILED(gpu, sb_product_thin, grid_of(&args, 16, 64), &args);
    else if (large.x * large.y >= gpu->processors) /* a guess; to be measured */
        SB_GPU_TILED(gpu, sb_product_large, large, &args);
    else
        SB_GPU_TILED(gpu, sb_product_medium, grid_of(&args, 32, 64), &args);
}

static void forward(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    product(gpu, n_terms, term, false, bias, y->gates * y->c, y->x);
}

static void data_gradient(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx)
{
    product(gpu, n_terms, term, true, NULL, dx->c, dx->x);
}

static void add_upsampled_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx)
{
    sb_real *up = (sb_real *)term->conv->space.scratch;
    product(gpu, 1, term, true, NULL, dx->c, up);
    SB_GPU_EACH(gpu, sb_add_blocks, sb_tensor_size(dx), .up = up, .dx = dx->x, .h = dx->h, .w = dx->w);
}

/* The pairs of operands from `first` on, of all samples of all frames. */
static void take_pairs(sb_weight_product_args *args, const sb_conv_shape *shape, int first, const void *const *x,
                       const void *const *dy)
{
    for (int i = 0; i < args->n_frames; i++) {
        int frame = (first + i) / shape->n;
        size_t map = (first + i) % shape->n * padded_map(shape);
        args->a[i] = (const sb_real *)dy[frame] + map, args->b[i] = (const sb_real *)x[frame] + map;
    }
}

static void weight_gradient(sb_gpu *gpu, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    const sb_conv_shape *shape = &conv->shape;
    int out = sb_conv_outputs(shape), columns = shape->in * 9;
    for (int first = 0, n; first < n_frames * shape->n; first += n) {
        n = sb_gpu_frames_at_once(gpu, n_frames, n_frames * shape->n - first);
        sb_weight_product_args args = {.c = (sb_real *)conv->space.accumulator,
                                       .rows = sums_rows_apart(shape) ? (sb_real *)conv->space.scratch : NULL,
                                       .m = out,
                                       .n = columns,
                                       .n_frames = n,
                                       .h = shape->h,
                                       .w = shape->w,
                                       .channel = (int)(shape->n * padded_map(shape))};
        take_pairs(&args, shape, first, x, dy);
        long rows = (long)args.n_frames * shape->h, across = sb_blocks(columns, 64) * (args.rows ? rows : 1);
        if (out <= 16)
            SB_GPU_TILED(gpu, sb_product_weights_thin, ((sb_grid){across, sb_blocks(out, 16), 1}), &args);
        else
            SB_GPU_TILED(gpu, sb_product_weights, ((sb_grid){across, sb_blocks(out, 64), 1}), &args);
        if (args.rows)
            SB_GPU_EACH(gpu, sb_add_rows, (long)out * columns, .part = args.rows, .total = args.c, .rows = rows);
    }
}

const sb_conv_form_cuda sb_conv_direct_cuda = {
    .sizes = sizes,
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
