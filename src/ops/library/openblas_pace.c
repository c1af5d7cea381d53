#include "openblas_pace.h"

#include <math.h>

int sb_pace_size_of(long m, long n, long k)
{
    const int size = ilogb((double)m * (double)n * (double)k);
    return size < 0 ? 0 : size < SB_PACE_SIZES ? size : SB_PACE_SIZES - 1;
}

static sb_pace_way faster(const sb_pace_size *s)
{
    return s->seconds[SB_PACE_THREADS] < s->seconds[SB_PACE_ALONE] ? SB_PACE_THREADS : SB_PACE_ALONE;
}

sb_pace_way sb_pace_choose(const sb_pace *pace, int size)
{
    const sb_pace_size *s = &pace->size[size];
    if (s->seconds[SB_PACE_ALONE] == 0) return SB_PACE_ALONE;
    if (s->seconds[SB_PACE_THREADS] == 0) return SB_PACE_THREADS;
    return s->trials * SB_PACE_TRIALS > s->total ? faster(s) : !faster(s);
}

void sb_pace_add(sb_pace *pace, int size, sb_pace_way way, double seconds)
{
    sb_pace_size *s = &pace->size[size];
    double *mean = &s->seconds[way];
    s->total += seconds;
    if (*mean > 0 && way != faster(s)) s->trials += seconds;
    *mean = *mean > 0 ? (*mean + seconds) / 2 : seconds;
}
