#include "ops/conv/conv_im2col.h"

size_t sb_im2col_columns(const sb_conv_shape *shape)
{
    return (size_t)shape->h * shape->w * shape->in * sb_conv_taps(shape);
}

int sb_im2col_parts(const sb_conv_shape *shape)
{
    return shape->gates * sb_conv_groups(shape);
}

sb_im2col_part sb_im2col_part_of(const sb_conv *conv, int number)
{
    const sb_conv_shape *shape = &conv->shape;
    const int groups = sb_conv_groups(shape), group = number % groups;
    sb_im2col_part part = {.out = shape->c / groups, .k = shape->in / groups * sb_conv_taps(shape)};
    part.weight = conv->params.weight + (size_t)number * part.out * part.k;
    part.column = group * part.k, part.gate = number / groups, part.channel = group * part.out;
    return part;
}

/* The weights are used as they are; the gradient's columns are a sample's at a time. */
void sb_conv_sizes_im2col(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    size_t columns = sb_im2col_columns(shape) * sizeof(sb_real), n = (size_t)shape->n;
    *sizes = (sb_conv_sizes){
        .accumulator = sb_conv_weights(shape) * sizeof(sb_real),
        .scratch = columns,
        .input = n * columns,
        .gradient = n * sb_conv_outputs(shape) * shape->h * shape->w * sizeof(sb_real),
    };
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    (void)ops, (void)conv;
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    ops->zero(ops, conv->space.accumulator, sb_conv_weights(&conv->shape) * sizeof(sb_real));
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    ops->copy(ops, conv->params.weight_grad, conv->space.accumulator, sb_conv_weights(&conv->shape) * sizeof(sb_real));
}

static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    (void)shape;
    ops->copy(ops, operand, dy->x, sb_tensor_size(dy) * sizeof(sb_real));
}

void sb_conv_im2col(sb_ops *ops)
{
    ops->frames_per_product = 1;
    ops->samples_least = SB_SAMPLES_LEAST;
    ops->samples_whole = 0;
    ops->operand_bytes = ops->kept_bytes = 0;
    ops->conv_sizes = sb_conv_sizes_im2col;
    ops->conv_begin = conv_begin;
    ops->conv_turn = conv_turn;
    ops->conv_end = conv_end;
    ops->conv_gradient = conv_gradient;
}
