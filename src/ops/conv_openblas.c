/* Convolution as the study's library did it on a CPU: im2col, then one matrix product per gate.
 *
 * Operands   input x:      [h w][c * 9], each pixel's neighbourhood, k = channel * 9 + tap (im2col)
 *            gradient dy:  a copy of the map, [groups][h w][c]
 * Packed     nothing: the weights are used as they are
 * Scratch    the columns of the data gradient, [h w][in * 9]
 * Accumulator [groups * c][in][3][3], the shape of the weights
 */
#include "ops/conv_im2col.h"
#include "ops/gemm_openblas.h"
#include "ops/openblas.h"

/* im2col, reading through the upsampling where there is one */
static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_tensor *x, void *operand)
{
    (void)ops;
    int shrink = conv->upsampled ? 1 : 0, n_c = x->c;
    int h = x->h << shrink, w = x->w << shrink;
#pragma omp for schedule(static)
    for (int i = 0; i < h * w; i++) {
        sb_real *column = (sb_real *)operand + (size_t)i * n_c * 9;
        for (int tap = 0; tap < 9; tap++) {
            int y = i / w + tap / 3 - 1, at = i % w + tap % 3 - 1;
            bool inside = y >= 0 && y < h && at >= 0 && at < w;
            const sb_real *from = x->x + ((size_t)(y >> shrink) * x->w + (at >> shrink)) * n_c;
            for (int c = 0; c < n_c; c++) column[c * 9 + tap] = inside ? from[c] : 0;
        }
    }
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    (void)ops;
    int n = y->h * y->w;
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < y->groups; g++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < y->c; c++) y->x[((size_t)g * n + i) * y->c + c] = bias ? bias[g * y->c + c] : 0;
#pragma omp single
    for (int t = 0; t < n_terms; t++)
        for (int g = 0; g < y->groups; g++) {
            int n_k = term[t].conv->in * 9;
            sb_gemm(false, true, n, y->c, n_k, term[t].operand, n_k, sb_im2col_weight(term[t].conv, g), n_k, 1,
                    y->x + (size_t)g * n * y->c, y->c);
        }
}

/* dx += the columns folded back (col2im), through the upsampling where there is one; one input pixel at a time, taps in
 * order, so that threads split outputs */
static void fold(const sb_conv *conv, const sb_real *columns, sb_tensor *dx)
{
    int n_c = conv->in, step = conv->upsampled ? 2 : 1;
#pragma omp for schedule(static)
    for (int i = 0; i < dx->h * dx->w; i++) {
        sb_real *to = dx->x + (size_t)i * n_c;
        for (int part = 0; part < step * step; part++) {
            int y = i / dx->w * step + part / step, x = i % dx->w * step + part % step;
            for (int tap = 0; tap < 9; tap++) {
                int from_y = y - tap / 3 + 1, from_x = x - tap % 3 + 1;
                if (from_y < 0 || from_y >= conv->h || from_x < 0 || from_x >= conv->w) continue;
                const sb_real *column = columns + ((size_t)from_y * conv->w + from_x) * n_c * 9 + tap;
                for (int c = 0; c < n_c; c++) to[c] += column[c * 9];
            }
        }
    }
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    ops->zero(ops, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++) {
        const sb_conv *conv = term[t].conv;
        int n = conv->h * conv->w, n_k = conv->in * 9;
#pragma omp single
        for (int g = 0; g < conv->groups; g++)
            sb_gemm(false, false, n, n_k, conv->c, (const sb_real *)term[t].operand + (size_t)g * n * conv->c, conv->c,
                    sb_im2col_weight(conv, g), n_k, g > 0, conv->scratch, n_k);
        fold(conv, conv->scratch, dx);
    }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    (void)ops;
    int pixels = conv->h * conv->w, n_k = conv->in * 9;
#pragma omp single
    for (int frame = 0; frame < n; frame++)
        for (int g = 0; g < conv->groups; g++)
            sb_gemm(true, false, conv->c, n_k, pixels, (const sb_real *)dy[frame] + (size_t)g * pixels * conv->c,
                    conv->c, x[frame], n_k, 1, (sb_real *)conv->accumulator + (size_t)g * conv->c * n_k, n_k);
}

void sb_conv_openblas(sb_ops *ops)
{
    sb_conv_im2col(ops);
    ops->conv_input = conv_input;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
}
