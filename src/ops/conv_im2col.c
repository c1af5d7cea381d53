#include "ops/conv_im2col.h"

size_t sb_im2col_size(const sb_conv *conv)
{
    return (size_t)conv->h * conv->w * conv->in * 9 * sizeof(sb_real);
}

const sb_real *sb_im2col_weight(const sb_conv *conv, int gate)
{
    return conv->weight + (size_t)gate * conv->c * conv->in * 9;
}

/* The weights are used as they are. */
static size_t weights_size(const sb_conv *conv)
{
    (void)conv;
    return 0;
}

static size_t accumulator_size(const sb_conv *conv)
{
    return (size_t)conv->groups * conv->c * conv->in * 9 * sizeof(sb_real);
}

static size_t gradient_size(const sb_conv *conv)
{
    return (size_t)conv->groups * conv->c * conv->h * conv->w * sizeof(sb_real);
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    (void)ops, (void)conv;
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    ops->zero(ops, conv->accumulator, accumulator_size(conv));
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    ops->copy(ops, conv->weight_grad, conv->accumulator, accumulator_size(conv));
}

static void conv_gradient(sb_ops *ops, const sb_conv *conv, const sb_tensor *dy, void *operand)
{
    (void)conv;
    ops->copy(ops, operand, dy->x, sb_tensor_size(dy) * sizeof(sb_real));
}

void sb_conv_im2col(sb_ops *ops)
{
    ops->frames_per_product = 1;
    ops->conv_weights_size = weights_size;
    ops->conv_accumulator_size = accumulator_size;
    ops->conv_scratch_size = sb_im2col_size;
    ops->conv_input_size = sb_im2col_size;
    ops->conv_gradient_size = gradient_size;
    ops->conv_begin = conv_begin;
    ops->conv_turn = conv_turn;
    ops->conv_end = conv_end;
    ops->conv_gradient = conv_gradient;
}
