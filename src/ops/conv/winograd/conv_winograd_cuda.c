/* Convolution of native-cuda in the form `winograd`, F(4x4,3x3). The CPU twin is conv_winograd.c.
 *
 * tiles: the tiles of all samples, sample after sample.
 *
 * Operands   input x: V [36][in][tiles];  gradient dy: M [36][outputs][tiles]
 * Packed     U: forward [36][in][outputs], backward [36][outputs][in]
 * Scratch    products before the last transform: [36][outputs][tiles] or [36][in][tiles]
 * Accumulator [36][outputs][in]
 * Rows of all but the accumulator are filled up to sb_domain_pitch.
 */
#include "ops/conv/conv_cuda.h"

enum { POINTS = SB_WINOGRAD_POINTS };

static int tiles_of(const sb_conv_shape *shape)
{
    return shape->n * sb_domain_tiles(shape->h, shape->w);
}

/* Elements of one point of `channels`. */
static long domain_of(const sb_conv_shape *shape, int channels)
{
    return (long)channels * sb_domain_pitch(tiles_of(shape));
}

static sb_domain_maps maps_of(const sb_conv_shape *shape, int channels)
{
    return sb_domain_maps_of(shape->n, channels, shape->h, shape->w);
}

static long weights_of(const sb_conv_shape *shape, bool backward)
{
    int in = shape->in, out = sb_conv_outputs(shape);
    return backward ? (long)out * sb_domain_pitch(in) : (long)in * sb_domain_pitch(out);
}

static void sizes(const sb_conv_shape *shape, sb_conv_sizes *of)
{
    const size_t point = POINTS * sizeof(sb_real);
    long forward = weights_of(shape, false), backward = weights_of(shape, true);
    size_t input = point * domain_of(shape, shape->in), gradient = point * domain_of(shape, sb_conv_outputs(shape));
    *of = (sb_conv_sizes){
        .packed = point * (forward > backward ? forward : backward),
        .accumulator = point * sb_conv_outputs(shape) * shape->in,
        .scratch = input > gradient ? input : gradient,
        .input = input,
        .gradient = gradient,
    };
}

static void pack(sb_gpu *gpu, sb_conv *conv, bool backward)
{
    int out = sb_conv_outputs(&conv->shape);
    SB_GPU_EACH(gpu, sb_domain_weight, weights_of(&conv->shape, backward), .weight = conv->params.weight,
                .u = (sb_real *)conv->space.packed, .in = conv->shape.in, .out = out, .backward = backward);
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
    SB_GPU_EACH(gpu, sb_domain_weight_end, (long)sb_conv_outputs(&conv->shape) * conv->shape.in,
                .du = (sb_real *)conv->space.accumulator, .dw = conv->params.weight_grad);
}

/* Record a transform of n elements of each point: with a thread a tile, or with several. */
static void transform(sb_gpu *gpu, int each, int tiled, const void *args, size_t n_bytes)
{
    const long n = *(const long *)args;
    const bool several = gpu->forms.transforms && n <= SB_EACH_MAX;
    gpu->kernel(gpu, several ? tiled : each, (sb_grid){sb_blocks(n, SB_TILES_OF_BLOCK), 1, 1}, args, n_bytes);
}

#define TRANSFORM(gpu, noun, args_)                                                                                    \
    transform(gpu, SB_KERNEL_sb_domain_##noun, SB_KERNEL_sb_tiles_##noun, args_, sizeof *(args_))

/* Where x are errors that have just been put down to be made, they are made on the way. */
static void input(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    const sb_error_forward_args errors = sb_gpu_take_errors(gpu, x->x);
    const sb_domain_input_args args = {.n = domain_of(shape, shape->in),
                                       .x = x->x,
                                       .v = (sb_real *)operand,
                                       .a = errors.a,
                                       .p = errors.p,
                                       .maps = maps_of(shape, shape->in),
                                       .shrink = shape->upsampled};
    TRANSFORM(gpu, input, &args);
}

/* A channel's tiles up to which one block takes all of them, and can form the bias's gradient after them: rounds that
 * it makes. A guess; to be measured. */
enum { ROUNDS_MOST = 8 };

/* What has just been put down to make this gradient, an output's nonlinearity or a max pool, is done on the way. */
static void take_source(sb_gpu *gpu, sb_domain_gradient_args *args)
{
    const sb_output_backward_args *output = gpu->last(gpu, SB_KERNEL_sb_output_backward);
    const sb_pool_backward_args *pool = gpu->last(gpu, SB_KERNEL_sb_pool_backward);
    if (output && output->dp == args->dy)
        args->p = output->p, args->clip = output->clip;
    else if (pool && pool->dy == args->dy)
        args->da = pool->da, args->choice = pool->choice;
    if (args->p || args->da) gpu->take_back(gpu);
}

static void gradient(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    const sb_domain_maps maps = maps_of(shape, sb_conv_outputs(shape));
    const int abreast = gpu->forms.transforms ? SB_TILES_OF_BLOCK : sb_domain_gradient_threads;
    const long rounds = sb_blocks(sb_domain_row(&maps), abreast);
    sb_domain_gradient_args args = {.dy = dy->x, .m = (sb_real *)operand, .maps = maps};
    args.pieces = rounds > ROUNDS_MOST ? (int)rounds : 1;
    args.rounds = args.pieces > 1 ? 1 : (int)rounds;
    take_source(gpu, &args);
    const int kernel = gpu->forms.transforms ? SB_KERNEL_sb_tiles_gradient : SB_KERNEL_sb_domain_gradient;
    gpu->kernel(gpu, kernel, (sb_grid){(long)args.pieces * maps.channels, 1, 1}, &args, sizeof args);
}

/* ---- products ---- */

static sb_grid grid_of(int m, int m_tile, int n, int n_tile)
{
    return (sb_grid){sb_blocks(n, n_tile), sb_blocks(m, m_tile), POINTS};
}

/* The launch by SAMEBITS_CUDA_TILES, of args for a product of m x n at `points` points of the domain. */
static void launch_tile(sb_gpu *gpu, sb_domain_tile_kind kind, int m, int n, int points, const void *args,
                        size_t n_bytes)
{
    const sb_domain_tile *tile = sb_domain_tile_for(kind, m, n, points, gpu->processors, gpu->forms.tile);
    gpu->kernel(gpu, tile->kernel, grid_of(m, tile->m, n, tile->n), args, n_bytes);
}

/* Points that are computed where some maps may be upsampled. */
static int points_of(int n_terms, const sb_term *term)
{
    for (int t = 0; t < n_terms; t++)
        if (!term[t].conv->shape.upsampled) return POINTS;
    return SB_POINTS_KEPT;
}

/* One launch: c [36][m][tiles] = or, if it adds, += the terms. */
static void launch_product(sb_gpu *gpu, int n_terms, const sb_term *term, bool backward, int m, sb_real *c, bool adds)
{
    int n = tiles_of(&term[0].conv->shape);
    sb_domain_product_args args = {.c = c, .n_parts = n_terms, .m = m, .n = n, .adds = adds};
    for (int t = 0; t < n_terms; t++)
        args.part[t] =
            (sb_domain_part){.a = (const sb_real *)term[t].conv->space.packed,
                             .b = (const sb_real *)term[t].operand,
                             .n_k = backward ? sb_conv_outputs(&term[t].conv->shape) : term[t].conv->shape.in,
                             .skip = term[t].conv->shape.upsampled};
    sb_grid tall = grid_of(m, 64, n, 80), flat = grid_of(m, 32, n, 80);
    if (gpu->forms.tiles)
        launch_tile(gpu, SB_DOMAIN_FORWARD, m, n, points_of(n_terms, term), &args, sizeof args);
    else if (n <= 24)
        SB_GPU_TILED(gpu, sb_product_domain_narrow, grid_of(m, 64, n, 24), &args);
    else if (2 * tall.y == flat.y && tall.x * tall.y * tall.z >= 3 * gpu->processors) /* a guess; to be measured */
        SB_GPU_TILED(gpu, sb_product_domain_tall, tall, &args);
    else
        SB_GPU_TILED(gpu, sb_product_domain_flat, flat, &args);
}

/* c [36][m][tiles]. Where operations overlap, the terms before a late one are a launch of their own: it need not wait for
 * the late operand, and the chain goes on from c. */
static void product(sb_gpu *gpu, int n_terms, const sb_term *term, bool backward, int m, sb_real *c)
{
    int n_early = 0;
    while (n_early < n_terms && !(n_early && term[n_early].conv->is_late && gpu->context.ops.overlaps)) n_early++;
    launch_product(gpu, n_early, term, backward, m, c, false);
    if (n_early < n_terms) launch_product(gpu, n_terms - n_early, term + n_early, backward, m, c, true);
}

static void forward(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    const sb_conv *conv = term[0].conv;
    sb_real *m = (sb_real *)conv->space.scratch;
    int out = y->gates * y->c;
    product(gpu, n_terms, term, false, out, m);
    const sb_domain_output_args args = {
        .n = domain_of(&conv->shape, out), .m = m, .bias = bias, .y = y->x, .maps = maps_of(&conv->shape, out)};
    TRANSFORM(gpu, output, &args);
}

static void adjoint(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx, bool fold)
{
    const sb_conv *conv = term[0].conv;
    sb_real *v = (sb_real *)conv->space.scratch;
    product(gpu, n_terms, term, true, dx->c, v);
    const sb_domain_adjoint_args args = {
        .n = domain_of(&conv->shape, dx->c), .v = v, .dx = dx->x, .maps = maps_of(&conv->shape, dx->c), .fold = fold};
    TRANSFORM(gpu, adjoint, &args);
}

static void data_gradient(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx)
{
    adjoint(gpu, n_terms, term, dx, false);
}

static void add_upsampled_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx)
{
    adjoint(gpu, 1, term, dx, true);
}

static void weight_gradient(sb_gpu *gpu, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    const sb_conv_shape *shape = &conv->shape;
    int out = sb_conv_outputs(shape);
    for (int first = 0, n; first < n_frames; first += n) {
        n = sb_gpu_frames_at_once(gpu, n_frames, n_frames - first);
        sb_domain_weight_product_args args = {.c = (sb_real *)conv->space.accumulator,
                                              .n_frames = n,
                                              .m = out,
                                              .n = shape->in,
                                              .tiles = tiles_of(shape),
                                              .skip = shape->upsampled};
        for (int f = 0; f < args.n_frames; f++)
            args.a[f] = (const sb_real *)dy[first + f], args.b[f] = (const sb_real *)x[first + f];
        if (gpu->forms.tiles)
            launch_tile(gpu, SB_DOMAIN_WEIGHT, out, shape->in, shape->upsampled ? SB_POINTS_KEPT : POINTS, &args,
                        sizeof args);
        else
            SB_GPU_TILED(gpu, sb_product_weights_domain,
                         grid_of(out, SB_DOMAIN_WEIGHT_SIDE, shape->in, SB_DOMAIN_WEIGHT_SIDE), &args);
    }
}

const sb_conv_form_cuda sb_conv_winograd_cuda = {
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
