#include "ops/ops.h"

static bool is_offered(const sb_conv_shape *shape)
{
    return (shape->kernel == 3 && shape->padding == 1) ||
           (shape->padding == 0 && (shape->kernel == 1 || shape->kernel == 3 || shape->kernel == 5));
}

sb_status sb_conv_sizes_of(const sb_ops *ops, const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    *sizes = (sb_conv_sizes){0};
    if (!is_offered(shape))
        return sb_fail(SB_E_USAGE,
                       "convolutions of %dx%d with padding %d are not offered, only 3x3 with padding 1, and 1x1, 3x3 "
                       "and 5x5 with none",
                       shape->kernel, shape->kernel, shape->padding);
    if (shape->n < 1 || shape->in < 1 || sb_conv_outputs(shape) < 1 || shape->h < 1 || shape->w < 1)
        return sb_fail(SB_E_USAGE, "a convolution of %d samples, %d to %dx%d channels of %dx%d, computes nothing",
                       shape->n, shape->in, shape->gates, shape->c, shape->h, shape->w);
    if (shape->upsampled && (shape->h % 2 || shape->w % 2))
        return sb_fail(SB_E_USAGE, "%dx%d is no upsampled size", shape->h, shape->w);
    if ((shape->upsampled || shape->wide) && shape->padding == 0)
        return sb_fail(SB_E_USAGE, "a convolution of %dx%d without padding is neither upsampled nor wide",
                       shape->kernel, shape->kernel);
    ops->conv_sizes(shape, sizes);
    return SB_OK;
}
