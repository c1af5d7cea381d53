#include "ops/ops.h"

sb_status sb_conv_sizes_of(const sb_ops *ops, const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    *sizes = (sb_conv_sizes){0};
    if (shape->kernel != 3 || shape->padding != 1)
        return sb_fail(SB_E_USAGE, "convolutions of %dx%d with padding %d are not offered, only 3x3 with padding 1",
                       shape->kernel, shape->kernel, shape->padding);
    if (shape->n < 1 || shape->in < 1 || sb_conv_outputs(shape) < 1 || shape->h < 1 || shape->w < 1)
        return sb_fail(SB_E_USAGE, "a convolution of %d samples, %d to %dx%d channels of %dx%d, computes nothing",
                       shape->n, shape->in, shape->groups, shape->c, shape->h, shape->w);
    if (shape->upsampled && (shape->h % 2 || shape->w % 2))
        return sb_fail(SB_E_USAGE, "%dx%d is no upsampled size", shape->h, shape->w);
    ops->conv_sizes(shape, sizes);
    return SB_OK;
}
