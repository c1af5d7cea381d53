/* Convolution as the study's library did it on a CPU: im2col, then one matrix product per gate.
 *
 * Operands   input x:      [n][h w][c * taps], each pixel's neighbourhood, k = channel * taps + tap (im2col)
 *            gradient dy:  a copy of the tensor, [n][gates][h w][c]
 * Packed     nothing: the weights are used as they are
 * Scratch    the columns of the data gradient of one sample, [h w][in * taps]
 * Accumulator [gates * c][in][taps], the shape of the weights
 */
#include "ops/conv/conv_im2col.h"
#include "ops/library/gemm_openblas.h"
#include "ops/library/openblas.h"

/* im2col, reading through the upsampling where there is one */
static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    (void)ops;
    int shrink = shape->upsampled ? 1 : 0, n_c = x->c, h = shape->h, w = shape->w;
    int stride = sb_conv_stride(shape), dilation = sb_conv_dilation(shape);
    int kernel = shape->kernel, taps = kernel * kernel, in_h = sb_conv_input_h(shape), in_w = sb_conv_input_w(shape);
#pragma omp for schedule(static)
    for (int i = 0; i < x->n * h * w; i++) {
        const sb_real *sample = x->x + (size_t)(i / (h * w)) * sb_tensor_sample(x);
        sb_real *column = (sb_real *)operand + (size_t)i * n_c * taps;
        for (int tap = 0; tap < taps; tap++) {
            int y = i / w % h * stride + tap / kernel * dilation - shape->padding;
            int at = i % w * stride + tap % kernel * dilation - shape->padding;
            bool inside = y >= 0 && y < in_h && at >= 0 && at < in_w;
            const sb_real *from = sample + ((size_t)(y >> shrink) * x->w + (at >> shrink)) * n_c;
            for (int c = 0; c < n_c; c++) column[c * taps + tap] = inside ? from[c] : 0;
        }
    }
}

/* The pixels that one product takes: of a tensor of one group the pixels of all samples, which lie one after the other;
 * of several gates the pixels of a sample. */
static int samples_at_once(const sb_conv_shape *shape)
{
    return shape->gates == 1 ? shape->n : 1;
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    (void)ops;
    int n = y->h * y->w, at_once = samples_at_once(&term[0].conv->shape), rows = at_once * n;
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < y->n * y->gates; g++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < y->c; c++)
                y->x[((size_t)g * n + i) * y->c + c] = bias ? bias[g % y->gates * y->c + c] : 0;
#pragma omp single
    for (int t = 0; t < n_terms; t++)
        for (int sample = 0; sample < y->n; sample += at_once)
            for (int g = 0; g < sb_im2col_parts(&term[t].conv->shape); g++) {
                const sb_conv *conv = term[t].conv;
                const sb_im2col_part p = sb_im2col_part_of(conv, g);
                int n_k = conv->shape.in * sb_conv_taps(&conv->shape);
                const sb_real *columns = (const sb_real *)term[t].operand + sample * sb_im2col_columns(&conv->shape);
                sb_gemm(false, true, rows, p.out, p.k, columns + p.column, n_k, p.weight, p.k, 1,
                        sb_tensor_at(y, sample).x + (size_t)p.gate * n * y->c + p.channel, y->c);
            }
}

/* dx of one sample += the columns folded back (col2im), through the upsampling where there is one; one input pixel at a
 * time, taps in order, so that threads split outputs */
static void fold(const sb_conv_shape *shape, const sb_real *columns, const sb_tensor *dx)
{
    int stride = sb_conv_stride(shape), dilation = sb_conv_dilation(shape);
    int n_c = shape->in, step = shape->upsampled ? 2 : 1, kernel = shape->kernel, taps = kernel * kernel;
#pragma omp for schedule(static)
    for (int i = 0; i < dx->h * dx->w; i++) {
        sb_real *to = dx->x + (size_t)i * n_c;
        for (int part = 0; part < step * step; part++) {
            int y = i / dx->w * step + part / step, x = i % dx->w * step + part % step;
            for (int tap = 0; tap < taps; tap++) {
                int from_y = y - tap / kernel * dilation + shape->padding;
                int from_x = x - tap % kernel * dilation + shape->padding;
                if (from_y < 0 || from_x < 0 || from_y % stride || from_x % stride) continue;
                from_y /= stride, from_x /= stride;
                if (from_y >= shape->h || from_x >= shape->w) continue;
                const sb_real *column = columns + ((size_t)from_y * shape->w + from_x) * n_c * taps + tap;
                for (int c = 0; c < n_c; c++) to[c] += column[c * taps];
            }
        }
    }
}

/* The data gradient of one sample, whose dy begins at `dy`. */
static void add_data_gradient(const sb_conv *conv, const sb_real *dy, const sb_tensor *dx)
{
    const sb_conv_shape *shape = &conv->shape;
    int n = shape->h * shape->w, n_k = shape->in * sb_conv_taps(shape);
#pragma omp single
    for (int g = 0; g < sb_im2col_parts(shape); g++) {
        const sb_im2col_part p = sb_im2col_part_of(conv, g);
        sb_gemm(false, false, n, p.k, p.out, dy + (size_t)p.gate * n * shape->c + p.channel, shape->c, p.weight, p.k,
                p.gate > 0, (sb_real *)conv->space.scratch + p.column, n_k);
    }
    fold(shape, conv->space.scratch, dx);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    ops->zero(ops, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++) {
        const sb_conv_shape *shape = &term[t].conv->shape;
        size_t sample_size = (size_t)sb_conv_outputs(shape) * shape->h * shape->w;
        for (int sample = 0; sample < dx->n; sample++) {
            const sb_tensor one = sb_tensor_at(dx, sample);
            add_data_gradient(term[t].conv, (const sb_real *)term[t].operand + sample * sample_size, &one);
        }
    }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    (void)ops;
    const sb_conv_shape *shape = &conv->shape;
    int at_once = samples_at_once(shape), pixels = shape->h * shape->w, rows = at_once * pixels;
    int n_k = shape->in * sb_conv_taps(shape);
#pragma omp single
    for (int frame = 0; frame < n_frames; frame++)
        for (int sample = 0; sample < shape->n; sample += at_once)
            for (int g = 0; g < sb_im2col_parts(shape); g++) {
                const sb_im2col_part p = sb_im2col_part_of(conv, g);
                size_t first = ((size_t)sample * shape->gates + p.gate) * pixels * shape->c + p.channel;
                sb_gemm(true, false, p.out, p.k, rows, (const sb_real *)dy[frame] + first, shape->c,
                        (const sb_real *)x[frame] + sample * sb_im2col_columns(shape) + p.column, n_k, 1,
                        (sb_real *)conv->space.accumulator + (size_t)g * p.out * p.k, p.k);
            }
}

void sb_conv_openblas(sb_ops *ops)
{
    sb_conv_im2col(ops);
    ops->conv_input = conv_input;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
