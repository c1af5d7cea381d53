#include "ops/norm/norm.h"

sb_status sb_norm_check(const sb_norm *norm, int n, int h, int w)
{
    if (norm->groups < 1 || n % norm->groups)
        return sb_fail(SB_E_USAGE, "a batch of %d cannot be divided into %d groups of batch norm", n, norm->groups);
    if ((long)n / norm->groups * h * w < 2)
        return sb_fail(SB_E_USAGE, "batch norm over one value a channel: %d samples of %dx%d in %d groups", n, h, w,
                       norm->groups);
    return SB_OK;
}
