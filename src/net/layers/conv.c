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

static int samples_of_chunk(const sequential *s, const step *t)
{
    const sb_ops *ops = s->net.ops;
    const sb_conv_shape *shape = &t->conv.shape;
    const int of_pixels = (shape->use_winograd ? SB_CHUNK_PIXELS_WINOGRAD : SB_CHUNK_PIXELS) / (t->out.h * t->out.w);
    const int whole = shape->padding == 0 && shape->kernel > 1 && ops->samples_whole ? ops->samples_whole : 1;
    const int least = of_pixels > ops->samples_least ? of_pixels : ops->samples_least;
    const int n = (least + whole - 1) / whole * whole;
    return n < s->form.batch ? n : s->form.batch;
}

/* The shape of a chunk. */
static sb_status plan_shape(sequential *s, step *t, sb_conv_sizes *sizes)
{
    const sb_ops *ops = s->net.ops;
    t->conv.shape = shape_of(t->row, t->in);
    t->conv.shape.use_winograd = sb_conv_uses_winograd(ops, &t->conv.shape);
    t->conv.shape.n = samples_of_chunk(s, t);
    return sb_sequential_refuse(s, t, sb_conv_sizes_of(ops, &t->conv.shape, sizes));
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
    t->piece[AGAIN] = sb_sequential_add_piece(s, sizes.input, time);
    t->piece[GRADIENT] = sb_sequential_add_piece(s, sizes.gradient, time);
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

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    void *operand = sb_layer_piece(s, t, AGAIN), *gradient = sb_layer_piece(s, t, GRADIENT);
    const bool learns = !t->row->conv.is_frozen;
    sb_conv conv = chunk_of(s, t, t->conv.shape.n, true);
    bias_backward(ops, t, dy);
    ops->conv_turn(ops, &conv);
    for (int first = 0; first < x->n; first += t->conv.shape.n) {
        const int n = x->n - first < t->conv.shape.n ? x->n - first : t->conv.shape.n;
        const sb_tensor some_x = sb_sequential_samples(x, first, n), some_dy = sb_sequential_samples(dy, first, n);
        conv = chunk_of(s, t, n, true);
        const sb_term term = {&conv, gradient};
        ops->conv_gradient(ops, &conv.shape, &some_dy, gradient);
        if (learns) {
            ops->conv_input(ops, &conv.shape, &some_x, operand);
            ops->conv_weight_gradient(ops, &conv, 1, (const void *const[]){operand}, (const void *const[]){gradient});
        }
        if (dx) {
            sb_tensor some_dx = sb_sequential_samples(dx, first, n);
            ops->conv_data_gradient(ops, 1, &term, &some_dx);
        }
        /* The sums of the weights' gradient end without a barrier, and the next chunk overwrites what they read. */
#pragma omp barrier
    }
    if (learns) ops->conv_end(ops, &conv);
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
