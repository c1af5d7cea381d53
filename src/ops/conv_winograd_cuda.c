/* Convolution of native-cuda in the form `winograd`, F(4x4,3x3). The CPU twin is conv_winograd.c.
 *
 * Operands   input x: V [36][in][tiles];  gradient dy: M [36][outputs][tiles]
 * Packed     U: forward [36][in][outputs], backward [36][outputs][in]
 * Scratch    products before the last transform: [36][outputs][tiles] or [36][in][tiles]
 * Accumulator [36][outputs][in]
 * Rows of all but the accumulator are filled up to sb_points_pitch.
 */
#include "ops/conv_cuda.h"

enum { POINTS = SB_WINOGRAD_POINTS };

/* Elements of one point of `channels`. */
static long points_of(const sb_conv *conv, int channels)
{
    return (long)channels * sb_points_pitch(sb_points_tiles(conv->h, conv->w));
}

static long weights_of(const sb_conv *conv, bool backward)
{
    int in = conv->in, out = sb_conv_outputs(conv);
    return backward ? (long)out * sb_points_pitch(in) : (long)in * sb_points_pitch(out);
}

static size_t weights_size(const sb_conv *conv)
{
    long forward = weights_of(conv, false), backward = weights_of(conv, true);
    return POINTS * (size_t)(forward > backward ? forward : backward) * sizeof(sb_real);
}

static size_t accumulator_size(const sb_conv *conv)
{
    return (size_t)POINTS * sb_conv_outputs(conv) * conv->in * sizeof(sb_real);
}

static size_t input_size(const sb_conv *conv)
{
    return POINTS * (size_t)points_of(conv, conv->in) * sizeof(sb_real);
}

static size_t gradient_size(const sb_conv *conv)
{
    return POINTS * (size_t)points_of(conv, sb_conv_outputs(conv)) * sizeof(sb_real);
}

static size_t scratch_size(const sb_conv *conv)
{
    size_t forward = gradient_size(conv), backward = input_size(conv);
    return forward > backward ? forward : backward;
}

static void pack(sb_gpu *gpu, sb_conv *conv, bool backward)
{
    int out = sb_conv_outputs(conv);
    SB_GPU_EACH(gpu, sb_points_weight, weights_of(conv, backward), .weight = conv->weight, .u = (sb_real *)conv->packed,
                .in = conv->in, .out = out, .backward = backward);
}

static void begin(sb_gpu *gpu, sb_conv *conv)
{
    pack(gpu, conv, false);
}

static void turn(sb_gpu *gpu, sb_conv *conv)
{
    pack(gpu, conv, true);
}

static void end(sb_gpu *gpu, sb_conv *conv)
{
    SB_GPU_EACH(gpu, sb_points_weight_end, (long)sb_conv_outputs(conv) * conv->in, .du = (sb_real *)conv->accumulator,
                .dw = conv->weight_grad);
}

static void input(sb_gpu *gpu, const sb_conv *conv, const sb_tensor *x, void *operand)
{
    SB_GPU_EACH(gpu, sb_points_input, points_of(conv, conv->in), .x = x->x, .v = (sb_real *)operand, .h = conv->h,
                .w = conv->w, .shrink = conv->upsampled);
}

static void gradient(sb_gpu *gpu, const sb_conv *conv, const sb_tensor *dy, void *operand)
{
    SB_GPU_EACH(gpu, sb_points_gradient, points_of(conv, sb_conv_outputs(conv)), .dy = dy->x, .m = (sb_real *)operand,
                .h = conv->h, .w = conv->w);
}

/* ---- products ---- */

static sb_grid grid_of(int m, int m_tile, int n, int n_tile)
{
    return (sb_grid){sb_blocks(n, n_tile), sb_blocks(m, m_tile), POINTS};
}

/* c [36][m][tiles] */
static void product(sb_gpu *gpu, int n_terms, const sb_term *term, bool backward, int m, sb_real *c)
{
    int n = sb_points_tiles(term[0].conv->h, term[0].conv->w);
    sb_points_product_args args = {.c = c, .n_parts = n_terms, .m = m, .n = n};
    for (int t = 0; t < n_terms; t++)
        args.part[t] = (sb_points_part){.a = (const sb_real *)term[t].conv->packed,
                                        .b = (const sb_real *)term[t].operand,
                                        .n_k = backward ? sb_conv_outputs(term[t].conv) : term[t].conv->in,
                                        .skip = term[t].conv->upsampled};
    sb_grid tall = grid_of(m, 64, n, 80), flat = grid_of(m, 32, n, 80);
    if (n <= 24)
        SB_GPU_TILED(gpu, sb_product_points_narrow, grid_of(m, 64, n, 24), &args);
    else if (2 * tall.y == flat.y && tall.x * tall.y * tall.z >= 3 * gpu->processors) /* a guess; to be measured */
        SB_GPU_TILED(gpu, sb_product_points_tall, tall, &args);
    else
        SB_GPU_TILED(gpu, sb_product_points_flat, flat, &args);
}

static void forward(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    const sb_conv *conv = term[0].conv;
    sb_real *m = (sb_real *)conv->scratch;
    int out = y->groups * y->c;
    product(gpu, n_terms, term, false, out, m);
    SB_GPU_EACH(gpu, sb_points_output, points_of(conv, out), .m = m, .bias = bias, .y = y->x, .h = y->h, .w = y->w);
}

static void adjoint(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx, bool fold)
{
    const sb_conv *conv = term[0].conv;
    sb_real *v = (sb_real *)conv->scratch;
    product(gpu, n_terms, term, true, dx->c, v);
    SB_GPU_EACH(gpu, sb_points_adjoint, points_of(conv, dx->c), .v = v, .dx = dx->x, .h = conv->h, .w = conv->w,
                .fold = fold);
}

static void data_gradient(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx)
{
    adjoint(gpu, n_terms, term, dx, false);
}

static void add_upsampled_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx)
{
    adjoint(gpu, 1, term, dx, true);
}

static void weight_gradient(sb_gpu *gpu, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    int out = sb_conv_outputs(conv);
    for (int first = 0; first < n; first += SB_PRODUCT_FRAMES) {
        sb_points_weight_product_args args = {.c = (sb_real *)conv->accumulator,
                                              .m = out,
                                              .n = conv->in,
                                              .tiles = sb_points_tiles(conv->h, conv->w),
                                              .skip = conv->upsampled};
        args.n_frames = sb_take_frames(args.a, args.b, first, n, x, dy);
        SB_GPU_TILED(gpu, sb_product_weights_points,
                     grid_of(out, SB_POINTS_WEIGHT_SIDE, conv->in, SB_POINTS_WEIGHT_SIDE), &args);
    }
}

const sb_conv_form_cuda sb_conv_winograd_cuda = {
    .weights_size = weights_size,
    .accumulator_size = accumulator_size,
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
