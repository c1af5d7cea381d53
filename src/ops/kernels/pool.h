/* One place of a window of max pools, for PredNet and for networks of layers; the CPU twin is
 * ops/point/pool.h. */
#pragma once

#include "ops/kernels/kernel.h"

/* One place of a window, after those before it. */
SB_HOST_DEVICE void sb_pool_place(sb_real v, int place, sb_real *best, int *where)
{
    bool larger = v > *best || v != v; /* a NaN counts as the largest, so that it stays visible */
    *best = larger ? v : *best;
    *where = larger ? place : *where;
}
