/* A convolution, with a bias or without; frozen: its weights are state. And `pointwise`, a dense layer of the channels at
 * each pixel: a 1x1 convolution. */
#include "net/layers/kind.h"

#include <assert.h>
#include <math.h>

enum { CHANNELS_MAX = 4096, KERNEL_MAX = 15, STEP_MAX = 16 };
enum { VALID, BIAS, STRIDE, DILATION, GROUPS, DEPTHWISE };                                 /* flags of a line */
enum { CLASSES, PLAIN, TIED };                                                             /* of pointwise */
enum { PACKED, OPERAND, SCRATCH, TURNED, AGAIN, GRADIENT, ACCUMULATOR, BACKWARD_SCRATCH }; /* pieces */

static sb_status read_flag(const sb_layer_list *list, const sb_layer_line *line, int flag, const char *what, int most,
                           int *value)
{
    return sb_layer_flag(line, flag) ? sb_layer_whole(list, what, line->value[flag], 1, most, value) : SB_OK;
}

static sb_status read_conv(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    SB_TRY(sb_layer_whole(list, "the number of channels", line->number[0], 1, CHANNELS_MAX, &row->conv.channels));
    SB_TRY(sb_layer_whole(list, "the kernel", line->number[1], 1, KERNEL_MAX, &row->conv.kernel));
    SB_TRY(read_flag(list, line, STRIDE, "the stride", STEP_MAX, &row->conv.stride));
    SB_TRY(read_flag(list, line, DILATION, "the dilation", STEP_MAX, &row->conv.dilation));
    SB_TRY(read_flag(list, line, GROUPS, "the number of groups", CHANNELS_MAX, &row->conv.groups));
    if (sb_layer_flag(line, DEPTHWISE)) row->conv.groups = SB_LAYER_DEPTHWISE;
    const int reach = (row->conv.kernel - 1) * (row->conv.dilation ? row->conv.dilation : 1);
    row->conv.padding = sb_layer_flag(line, VALID) ? 0 : (reach + 1) / 2;
    row->conv.bias = sb_layer_flag(line, BIAS);
    return SB_OK;
}

static sb_status read_pointwise(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->conv.kernel = 1, row->conv.channels = list->n_classes;
    row->conv.is_tied = sb_layer_flag(line, TIED);
    row->conv.bias = !row->conv.is_tied && !sb_layer_flag(line, PLAIN);
    if (row->conv.is_tied + sb_layer_flag(line, CLASSES) + line->n_numbers != 1)
        return sb_layer_refuse(list, list->n_rows, "it has either a number of units, or 'classes', or 'tied'");
    if (!line->n_numbers) return SB_OK;
    return sb_layer_whole(list, "the number of units", line->number[0], 1, CHANNELS_MAX, &row->conv.channels);
}

/* The convolution of a row on one sample of that map; h and w are less than 1 where it does not fit. */
static sb_conv_shape shape_of(const sb_layer_row *row, sb_map_size in)
{
    sb_conv_shape s = {.n = 1,
                       .cut = true,
                       .in = in.c,
                       .gates = 1,
                       .c = row->conv.channels,
                       .kernel = row->conv.kernel,
                       .padding = row->conv.padding,
                       .stride = row->conv.stride,
                       .dilation = row->conv.dilation,
                       .groups = row->conv.groups == SB_LAYER_DEPTHWISE ? in.c : row->conv.groups,
                       .input_h = in.h,
                       .input_w = in.w};
    const int less = sb_conv_input_of(&s, 1), stride = sb_conv_stride(&s);
    s.h = in.h < less ? 0 : (in.h - less) / stride + 1;
    s.w = in.w < less ? 0 : (in.w - less) / stride + 1;
    return s;
}

/* Of layers that share the table of the embedding, each would store its gradient over that of the other. */
static sb_status check_tied(const sb_layer_list *list, int i, int width)
{
    if (list->row[0].kind != &sb_layer_embedding || list->row[0].embedding.width != width)
        return sb_layer_refuse(list, i, "it is tied to no embedding of the width %d in the first layer", width);
    for (int k = 1; k < i; k++)
        if (list->row[k].kind == &sb_layer_pointwise && list->row[k].conv.is_tied)
            return sb_layer_refuse(list, i, "layer %d is tied to the embedding, and only one can be", k + 1);
    return SB_OK;
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    const sb_layer_row *row = &list->row[i];
    const int k = row->conv.kernel, padding = row->conv.padding;
    const sb_conv_shape s = shape_of(row, in);
    size[i] = (sb_map_size){s.c, s.h, s.w};
    if (row->conv.is_tied) SB_TRY(check_tied(list, i, in.c));
    if (s.c < 1 || k < 1) return sb_layer_refuse(list, i, "it has no channels, or no kernel");
    if (s.in % sb_conv_groups(&s) || s.c % sb_conv_groups(&s))
        return sb_layer_refuse(list, i, "%d groups do not divide %d to %d channels", sb_conv_groups(&s), s.in, s.c);
    if (s.h >= 1 && s.w >= 1) return SB_OK;
    if (!padding)
        return sb_layer_refuse(list, i, "a %dx%d kernel without padding does not fit a map of %dx%d", k, k, in.w, in.h);
    return sb_layer_refuse(list, i, "a %dx%d kernel with padding %d does not fit a map of %dx%d", k, k, padding, in.w,
                           in.h);
}

static unsigned traits(const sb_layer_row *row)
{
    return row->conv.is_frozen ? 0 : SB_LEARNS | SB_READS_INPUT_AGAIN;
}

/* ---- memory ---- */

enum { KEPT_MAX = 32 };

/* Bytes from the operand of a kept chunk to that of the next one. */
static size_t slot_of(size_t operand)
{
    return (operand + SB_ARENA_ALIGN - 1) / SB_ARENA_ALIGN * SB_ARENA_ALIGN;
}

/* Samples with operands of operand_bytes, in chunks of about equal size. Larger weights get more samples: a chunk reads
 * all weights once, and its operands are at least twice as large. sizes: of a convolution of `shape`. */
static int samples_of_bytes(const sequential *s, const sb_conv_shape *shape, const sb_conv_sizes *sizes)
{
    const sb_ops *ops = s->net.ops;
    const size_t at_once = sizes->packed > ops->operand_bytes ? 2 * sizes->packed : ops->operand_bytes;
    const size_t of_batch = (sizes->input + sizes->gradient) / (size_t)shape->n * (size_t)s->form.batch;
    const int n_chunks = of_batch < at_once ? 1 : (int)((of_batch + at_once / 2) / at_once);
    const int n = (s->form.batch + n_chunks - 1) / n_chunks, least = ops->samples_least;
    return (n + least - 1) / least * least;
}

static int samples_of_pixels(const sequential *s, const step *t)
{
    const sb_ops *ops = s->net.ops;
    const sb_conv_shape *shape = &t->conv.shape;
    const int of_pixels = (shape->use_winograd ? SB_CHUNK_PIXELS_WINOGRAD : SB_CHUNK_PIXELS) / (t->out.h * t->out.w);
    const int whole = shape->padding == 0 && shape->kernel > 1 && ops->samples_whole ? ops->samples_whole : 1;
    const int least = of_pixels > ops->samples_least ? of_pixels : ops->samples_least;
    return (least + whole - 1) / whole * whole;
}

/* The shape of a chunk. */
static sb_status plan_shape(sequential *s, step *t, sb_conv_sizes *sizes)
{
    const sb_ops *ops = s->net.ops;
    t->conv.shape = shape_of(t->row, t->in);
    t->conv.shape.use_winograd = sb_conv_uses_winograd(ops, &t->conv.shape);
    t->conv.shape.n = ops->samples_least;
    SB_TRY(sb_sequential_refuse(s, t, sb_conv_sizes_of(ops, &t->conv.shape, sizes)));
    const int n = ops->operand_bytes ? samples_of_bytes(s, &t->conv.shape, sizes) : samples_of_pixels(s, t);
    t->conv.shape.n = n < s->form.batch ? n : s->form.batch;
    return sb_sequential_refuse(s, t, sb_conv_sizes_of(ops, &t->conv.shape, sizes));
}

/* Chunks whose operands are kept for one weight product: as many as the backend multiplies at once and as fit into its
 * memory for them, the same number for each product of the batch. */
static int chunks_kept(const sequential *s, const step *t, const sb_conv_sizes *sizes)
{
    const int n = (s->form.batch + t->conv.shape.n - 1) / t->conv.shape.n;
    const size_t fit = s->kept_bytes / (slot_of(sizes->input) + slot_of(sizes->gradient));
    int most = s->net.ops->frames_per_product < KEPT_MAX ? s->net.ops->frames_per_product : KEPT_MAX;
    if (fit < (size_t)most) most = (int)fit;
    if (most <= 1 || t->row->conv.is_frozen) return 1;
    const int n_products = (n + most - 1) / most;
    return (n + n_products - 1) / n_products;
}

static sb_status plan(sequential *s, step *t, int time)
{
    sb_conv_sizes sizes;
    SB_TRY(plan_shape(s, t, &sizes));
    t->piece[PACKED] = sb_sequential_add_piece(s, sizes.packed, time);
    t->piece[OPERAND] = sb_sequential_add_piece(s, sizes.input, time);
    t->piece[SCRATCH] = sb_sequential_add_piece(s, sizes.scratch, time);
    return SB_OK;
}

static int plan_backward(sequential *s, step *t, int time, bool has_dx)
{
    sb_conv_sizes sizes;
    const bool is_offered = plan_shape(s, t, &sizes) == SB_OK;
    assert(is_offered);
    (void)is_offered;
    t->piece[TURNED] = sb_sequential_add_piece(s, sizes.packed, time);
    t->n_kept = chunks_kept(s, t, &sizes);
    t->piece[AGAIN] = sb_sequential_add_piece(s, (size_t)t->n_kept * slot_of(sizes.input), time);
    t->piece[GRADIENT] = sb_sequential_add_piece(s, (size_t)t->n_kept * slot_of(sizes.gradient), time);
    t->piece[ACCUMULATOR] = sb_sequential_add_piece(s, sizes.accumulator, time);
    t->piece[BACKWARD_SCRATCH] = sb_sequential_add_piece(s, sizes.scratch, time);
    return sb_layer_plan_gradient(s, t, time, has_dx);
}

static void lay_out(sequential *s, sb_arena *arena, step *t)
{
    const sb_layer_row *row = t->row;
    const size_t k = (size_t)row->conv.kernel, in = (size_t)(t->in.c / sb_conv_groups(&t->conv.shape));
    const size_t dim[4] = {(size_t)t->out.c, in, k, k};
    const double bound = 1 / sqrt((double)(dim[1] * k * k));
    if (row->conv.is_frozen) {
        t->conv.params = (sb_conv_params){.weight = sb_layer_add_state(s, arena, row, "w", SB_STATE_FROZEN, 4, dim, 0)};
    } else if (row->conv.is_tied) {
        t->conv.params = (sb_conv_params){s->step[0].embedding.table, s->step[0].embedding.table_grad};
    } else {
        const sb_layer_param w = sb_layer_add_param(s, row, "w", row->kind == &sb_layer_pointwise ? 2 : 4, dim);
        sb_param *param = sb_params_last(&s->net.params);
        param->sd = row->conv.sd, param->bound = row->conv.sd > 0 ? 0 : bound;
        if (row->conv.stream) param->stream = (uint32_t)row->conv.stream;
        t->conv.params = (sb_conv_params){w.weight, w.grad};
    }
    if (!row->conv.bias) return;
    t->bias = sb_layer_add_param(s, row, "b", 1, dim);
    sb_params_last(&s->net.params)->bound = row->conv.sd > 0 ? 0 : bound;
}

/* ---- passes, chunk by chunk: the samples of the batch ascending ---- */

static sb_conv chunk_of(const sequential *s, const step *t, int n, bool is_backward)
{
    sb_conv conv = t->conv;
    conv.shape.n = n;
    conv.space.packed = sb_layer_piece(s, t, is_backward ? TURNED : PACKED);
    conv.space.scratch = sb_layer_piece(s, t, is_backward ? BACKWARD_SCRATCH : SCRATCH);
    conv.space.accumulator = is_backward ? sb_layer_piece(s, t, ACCUMULATOR) : NULL;
    return conv;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    void *operand = sb_layer_piece(s, t, OPERAND);
    sb_conv conv = chunk_of(s, t, t->conv.shape.n, false);
    ops->conv_begin(ops, &conv);
    for (int first = 0; first < x->n; first += t->conv.shape.n) {
        const int n = x->n - first < t->conv.shape.n ? x->n - first : t->conv.shape.n;
        const sb_tensor some_x = sb_sequential_samples(x, first, n);
        sb_tensor some_y = sb_sequential_samples(y, first, n);
        conv = chunk_of(s, t, n, false);
        const sb_term term = {&conv, operand};
        ops->conv_input(ops, &conv.shape, &some_x, operand);
        ops->conv_forward(ops, 1, &term, t->bias.weight, &some_y);
    }
}

static void bias_backward(sb_ops *ops, const step *t, const sb_tensor *dy)
{
    if (!t->bias.weight) return;
    ops->zero(ops, t->bias.grad, (size_t)dy->c * sizeof(sb_real));
    ops->bias_gradient(ops, dy, t->bias.grad);
}

/* Operands of chunks of one size that wait for a weight product. */
typedef struct kept {
    sb_conv conv;
    int n;
    const void *x[KEPT_MAX], *dy[KEPT_MAX];
} kept;

static void multiply_kept(sb_ops *ops, kept *k)
{
    if (k->n) ops->conv_weight_gradient(ops, &k->conv, k->n, k->x, k->dy);
    k->n = 0;
}

/* The gradients of a chunk of samples; their operands are kept in k. */
static void chunk_backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx,
                           kept *k)
{
    sb_ops *ops = s->net.ops;
    sb_conv_sizes sizes;
    ops->conv_sizes(&t->conv.shape, &sizes);
    char *operand = sb_layer_piece(s, t, AGAIN), *gradient = sb_layer_piece(s, t, GRADIENT);
    if (k->n && k->conv.shape.n != x->n) multiply_kept(ops, k);
    operand += (size_t)k->n * slot_of(sizes.input), gradient += (size_t)k->n * slot_of(sizes.gradient);
    k->conv = chunk_of(s, t, x->n, true);
    const sb_term term = {&k->conv, gradient};
    ops->conv_gradient(ops, &k->conv.shape, dy, gradient);
    if (!t->row->conv.is_frozen) {
        ops->conv_input(ops, &k->conv.shape, x, operand);
        k->x[k->n] = operand, k->dy[k->n++] = gradient;
    }
    if (k->n == t->n_kept) multiply_kept(ops, k);
    if (dx) ops->conv_data_gradient(ops, 1, &term, dx);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    kept k = {.conv = chunk_of(s, t, t->conv.shape.n, true)};
    bias_backward(ops, t, dy);
    ops->conv_turn(ops, &k.conv);
    for (int first = 0; first < x->n; first += t->conv.shape.n) {
        const int n = x->n - first < t->conv.shape.n ? x->n - first : t->conv.shape.n;
        const sb_tensor some_x = sb_sequential_samples(x, first, n), some_dy = sb_sequential_samples(dy, first, n);
        sb_tensor some_dx;
        if (dx) some_dx = sb_sequential_samples(dx, first, n);
        chunk_backward(s, t, &some_x, &some_dy, dx ? &some_dx : NULL, &k);
        /* The sums of the weights' gradient end without a barrier, and the next chunk overwrites what they read. */
#pragma omp barrier
    }
    multiply_kept(ops, &k);
    if (!t->row->conv.is_frozen) ops->conv_end(ops, &k.conv);
}

/* ---- what it is ---- */

static double products(const sb_layer_row *row, sb_map_size in, sb_map_size out)
{
    const sb_conv_shape s = shape_of(row, in);
    return (double)sb_conv_weights(&s) * out.h * out.w;
}

static const char *describe(const step *t, sb_net_layer *row)
{
    row->kind = "convolution", row->kernel = t->row->conv.kernel;
    return "/conv";
}

static const char *describe_pointwise(const step *t, sb_net_layer *row)
{
    row->kind = t->row->conv.is_tied ? "tied pointwise" : "pointwise";
    return "/pointwise";
}

SB_LAYER_KIND(conv, .name = "conv", .has_tensors = true, .takes_activation = false, .read = read_conv, .shape = shape,
              .traits = 0, .traits_of = traits, .plan = plan, .plan_backward = plan_backward, .lay_out = lay_out,
              .forward = forward, .backward = backward, .learn = NULL, .products = products, .describe = describe);

SB_LAYER_KIND(pointwise, .name = "pointwise", .has_tensors = true, .takes_activation = false, .read = read_pointwise,
              .shape = shape, .traits = 0, .traits_of = traits, .plan = plan, .plan_backward = plan_backward,
              .lay_out = lay_out, .forward = forward, .backward = backward, .learn = NULL, .products = products,
              .describe = describe_pointwise);
