/* The form `plain` of a convolution of the native backend: the chains of `direct` in order.h as loops, for every kernel,
 * padding, stride, dilation and number of groups. Lanes are the outputs of a group, of a data gradient its inputs; of a
 * depthwise convolution, whose groups have one of each, the groups.
 *
 * Operands   copies of the tensors
 * Packed     forward:   [group][in][taps][out] of a group; depthwise [taps][group]
 *            backward:  [group][out][taps][in]; depthwise the same
 * Accumulator as the weights are packed for the forward pass
 */
#include "ops/conv/conv_form.h"

#include <assert.h>

enum { LANES = 64 }; /* sums that are under way at a time */

/* A shape's numbers, none of them 0 for "one". lanes: groups of a depthwise convolution, which counts as one. */
typedef struct numbers {
    int groups, in, out, kernel, taps, stride, padding, dilation, in_h, in_w, h, w;
    bool is_depthwise;
} numbers;

static numbers numbers_of(const sb_conv_shape *s)
{
    const int groups = sb_conv_groups(s);
    return (numbers){.groups = groups,
                     .in = s->in / groups,
                     .out = s->c / groups,
                     .kernel = s->kernel,
                     .taps = sb_conv_taps(s),
                     .stride = sb_conv_stride(s),
                     .padding = s->padding,
                     .dilation = sb_conv_dilation(s),
                     .in_h = sb_conv_input_h(s),
                     .in_w = sb_conv_input_w(s),
                     .h = s->h,
                     .w = s->w,
                     .is_depthwise = groups > 1 && s->in == groups && s->c == groups};
}

/* ---- memory ---- */

static void sizes(const sb_conv_shape *shape, sb_conv_sizes *of)
{
    const size_t n = (size_t)shape->n, pixels = (size_t)shape->h * shape->w;
    const size_t input = (size_t)sb_conv_input_h(shape) * sb_conv_input_w(shape);
    const size_t weights = sb_conv_weights(shape) * sizeof(sb_real);
    *of = (sb_conv_sizes){.packed = weights,
                          .accumulator = weights,
                          .input = n * shape->in * input * sizeof(sb_real),
                          .gradient = n * shape->c * pixels * sizeof(sb_real)};
}

/* Where a weight is packed for the forward pass, and for the backward pass. */
static size_t place_of(const numbers *s, int g, int o, int i, int tap)
{
    if (s->is_depthwise) return (size_t)tap * s->groups + g;
    return (((size_t)g * s->in + i) * s->taps + tap) * s->out + o;
}

static size_t turned_place_of(const numbers *s, int g, int o, int i, int tap)
{
    if (s->is_depthwise) return (size_t)tap * s->groups + g;
    return (((size_t)g * s->out + o) * s->taps + tap) * s->in + i;
}

static void pack(const sb_conv *conv, size_t (*place)(const numbers *s, int g, int o, int i, int tap))
{
    const numbers s = numbers_of(&conv->shape);
    sb_real *to = conv->space.packed;
#pragma omp for schedule(static)
    for (int row = 0; row < s.groups * s.out; row++) {
        const sb_real *weight = conv->params.weight + (size_t)row * s.in * s.taps;
        for (int k = 0; k < s.in * s.taps; k++)
            to[place(&s, row / s.out, row % s.out, k / s.taps, k % s.taps)] = weight[k];
    }
}

static void begin(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    pack(conv, place_of);
}

static void turn(sb_ops *ops, sb_conv *conv)
{
    pack(conv, turned_place_of);
    ops->zero(ops, conv->space.accumulator, sb_conv_weights(&conv->shape) * sizeof(sb_real));
}

static void end(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    const numbers s = numbers_of(&conv->shape);
    const sb_real *from = conv->space.accumulator;
#pragma omp for schedule(static)
    for (int row = 0; row < s.groups * s.out; row++) {
        sb_real *grad = conv->params.weight_grad + (size_t)row * s.in * s.taps;
        for (int k = 0; k < s.in * s.taps; k++)
            grad[k] = from[place_of(&s, row / s.out, row % s.out, k / s.taps, k % s.taps)];
    }
}

static void operand_of(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    (void)shape;
    ops->copy(ops, operand, x->x, sb_tensor_size(x) * sizeof(sb_real));
}

/* ---- chains ---- */

/* y[k] = fma(x, w[k], y[k]), or each lane with an x of its own. */
static void step_of_lanes(int n, const sb_real *x, bool is_each, const sb_real *w, sb_real *y)
{
    if (is_each) {
#pragma omp simd
        for (int k = 0; k < n; k++) y[k] = SB_FMA(x[k], w[k], y[k]);
    } else {
        const sb_real all = *x;
#pragma omp simd
        for (int k = 0; k < n; k++) y[k] = SB_FMA(all, w[k], y[k]);
    }
}

/* The pixel of the input that an output at (y, x) meets at a tap; NULL: padding. */
static const sb_real *input_at(const numbers *s, const sb_real *sample, int y, int x, int tap)
{
    const int at_y = y * s->stride - s->padding + tap / s->kernel * s->dilation;
    const int at_x = x * s->stride - s->padding + tap % s->kernel * s->dilation;
    if (at_y < 0 || at_y >= s->in_h || at_x < 0 || at_x >= s->in_w) return NULL;
    return sample + ((size_t)at_y * s->in_w + at_x) * s->groups * s->in;
}

/* The pixel of the output that meets an input at (y, x) at a tap; NULL: none. */
static const sb_real *output_at(const numbers *s, const sb_real *sample, int y, int x, int tap)
{
    const int at_y = y + s->padding - tap / s->kernel * s->dilation;
    const int at_x = x + s->padding - tap % s->kernel * s->dilation;
    if (at_y < 0 || at_x < 0 || at_y % s->stride || at_x % s->stride) return NULL;
    if (at_y / s->stride >= s->h || at_x / s->stride >= s->w) return NULL;
    return sample + ((size_t)(at_y / s->stride) * s->w + at_x / s->stride) * s->groups * s->out;
}

/* All of one pixel of y, which holds the bias. */
static void add_pixel(const numbers *s, const sb_real *sample, const sb_real *packed, int at_y, int at_x, sb_real *y)
{
    for (int g = 0; g < (s->is_depthwise ? 1 : s->groups); g++)
        for (int i = 0; i < s->in; i++)
            for (int tap = 0; tap < s->taps; tap++) {
                const sb_real *x = input_at(s, sample, at_y, at_x, tap);
                if (!x) continue;
                step_of_lanes(s->is_depthwise ? s->groups : s->out, x + g * s->in + i, s->is_depthwise,
                              packed + place_of(s, g, 0, i, tap), y + g * s->out);
            }
}

static void forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    (void)ops;
    assert(n_terms == 1 && y->gates == 1);
    (void)n_terms;
    const numbers s = numbers_of(&term->conv->shape);
    const size_t of_sample = (size_t)s.in_h * s.in_w * s.groups * s.in;
#pragma omp for schedule(static)
    for (int i = 0; i < y->n * y->h * y->w; i++) {
        sb_real *pixel = y->x + (size_t)i * y->c;
        for (int c = 0; c < y->c; c++) pixel[c] = bias ? bias[c] : 0;
        add_pixel(&s, (const sb_real *)term->operand + i / (y->h * y->w) * of_sample, term->conv->space.packed,
                  i / y->w % y->h, i % y->w, pixel);
    }
}

/* All of one pixel of dx, which holds zeros: taps of the turned kernel. */
static void add_gradient_pixel(const numbers *s, const sb_real *sample, const sb_real *packed, int at_y, int at_x,
                               sb_real *dx)
{
    for (int g = 0; g < (s->is_depthwise ? 1 : s->groups); g++)
        for (int o = 0; o < s->out; o++)
            for (int tap = s->taps - 1; tap >= 0; tap--) {
                const sb_real *dy = output_at(s, sample, at_y, at_x, tap);
                if (!dy) continue;
                step_of_lanes(s->is_depthwise ? s->groups : s->in, dy + g * s->out + o, s->is_depthwise,
                              packed + turned_place_of(s, g, o, 0, tap), dx + g * s->in);
            }
}

static void data_gradient(int n_terms, const sb_term *term, sb_tensor *dx)
{
    assert(n_terms == 1);
    (void)n_terms;
    const numbers s = numbers_of(&term->conv->shape);
    const size_t of_sample = (size_t)s.h * s.w * s.groups * s.out;
#pragma omp for schedule(static)
    for (int i = 0; i < dx->n * dx->h * dx->w; i++) {
        sb_real *pixel = dx->x + (size_t)i * dx->c;
        for (int c = 0; c < dx->c; c++) pixel[c] = 0;
        add_gradient_pixel(&s, (const sb_real *)term->operand + i / (dx->h * dx->w) * of_sample,
                           term->conv->space.packed, i / dx->w % dx->h, i % dx->w, pixel);
    }
}

/* ---- the weights' gradient ---- */

/* Lanes first .. first + n of one input and tap of a group: total += the sum of each row of a frame. */
static void add_frame(const numbers *s, int samples, const sb_real *x, const sb_real *dy, int g, int i, int tap,
                      int first, int n, sb_real *total)
{
    const size_t x_sample = (size_t)s->in_h * s->in_w * s->groups * s->in;
    for (int row = 0; row < samples * s->h; row++) {
        sb_real sum[LANES] = {0};
        const sb_real *dy_row = dy + (size_t)row * s->w * s->groups * s->out + g * s->out + first;
        for (int at = 0; at < s->w; at++, dy_row += s->groups * s->out) {
            const sb_real *pixel = input_at(s, x + row / s->h * x_sample, row % s->h, at, tap);
            if (!pixel) continue;
            step_of_lanes(n, pixel + (s->is_depthwise ? first : g * s->in + i), s->is_depthwise, dy_row, sum);
        }
        for (int k = 0; k < n; k++) total[k] += sum[k];
    }
}

static void weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    (void)ops;
    const numbers s = numbers_of(&conv->shape);
    const int lanes = s.is_depthwise ? s.groups : s.out, rows = (s.is_depthwise ? 1 : s.groups) * s.in * s.taps;
#pragma omp for collapse(2) schedule(static)
    for (int row = 0; row < rows; row++)
        for (int first = 0; first < lanes; first += LANES) {
            const int n = lanes - first < LANES ? lanes - first : LANES;
            sb_real *total = (sb_real *)conv->space.accumulator + (size_t)row * lanes + first;
            for (int frame = 0; frame < n_frames; frame++)
                add_frame(&s, conv->shape.n, x[frame], dy[frame], row / s.taps / s.in, row / s.taps % s.in,
                          row % s.taps, first, n, total);
        }
}

/* sb_conv_sizes_of refuses what would come here. */
static void add_upsampled_gradient(const sb_term *term, sb_tensor *dx)
{
    (void)term, (void)dx;
    assert(!"an upsampled map is read by 3x3 weights with padding 1");
}

const sb_conv_form SB_NATIVE(sb_conv_plain) = {
    .sizes = sizes,
    .begin = begin,
    .turn = turn,
    .end = end,
    .input = operand_of,
    .gradient = operand_of,
    .forward = forward,
    .data_gradient = data_gradient,
    .add_upsampled_gradient = add_upsampled_gradient,
    .weight_gradient = weight_gradient,
};
