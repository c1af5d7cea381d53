#include "ops/ops.h"

static sb_status check_plain(const sb_ops *ops, const sb_conv_shape *shape)
{
    const int groups = sb_conv_groups(shape);
    if (shape->in % groups || shape->c % groups)
        return sb_fail(SB_E_USAGE, "%d groups do not divide %d to %d channels", groups, shape->in, shape->c);
    if (shape->upsampled || shape->use_winograd || shape->gates != 1)
        return sb_fail(SB_E_USAGE,
                       "a convolution of %dx%d with padding %d and stride %d has one gate and is neither upsampled nor "
                       "wide",
                       shape->kernel, shape->kernel, shape->padding, sb_conv_stride(shape));
    if (!ops->has_no_plain) return SB_OK;
    return sb_fail(SB_E_USAGE,
                   "this arithmetic imitates convolutions of stride 1, 3x3 with padding 1, and 1x1, 3x3 and 5x5 with "
                   "none, in one group; it has none of %dx%d with padding %d",
                   shape->kernel, shape->kernel, shape->padding);
}

sb_status sb_conv_sizes_of(const sb_ops *ops, const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    *sizes = (sb_conv_sizes){0};
    if (shape->n < 1 || shape->in < 1 || sb_conv_outputs(shape) < 1 || shape->h < 1 || shape->w < 1)
        return sb_fail(SB_E_USAGE, "a convolution of %d samples, %d to %dx%d channels of %dx%d, computes nothing",
                       shape->n, shape->in, shape->gates, shape->c, shape->h, shape->w);
    if (shape->upsampled && (shape->h % 2 || shape->w % 2))
        return sb_fail(SB_E_USAGE, "%dx%d is no upsampled size", shape->h, shape->w);
    if ((shape->upsampled || shape->use_winograd) && shape->padding == 0)
        return sb_fail(SB_E_USAGE, "a convolution of %dx%d without padding is neither upsampled nor wide",
                       shape->kernel, shape->kernel);
    if (sb_conv_is_plain(shape)) SB_TRY(check_plain(ops, shape));
    ops->conv_sizes(shape, sizes);
    return SB_OK;
}
