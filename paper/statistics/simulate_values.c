#include "paper/statistics/simulate.h"

#include "core/random.h"

#include <math.h>

const char *const sb_made_name[SB_N_MADE] = {"normal", "skewed", "heavy-tailed", "two clusters", "strongly skewed"};

/* Standard deviates of a place; a value takes at most four. */
static double normal(size_t trial, uint32_t stream, size_t i, uint64_t k)
{
    return sb_random_normal(trial, stream, 4 * (uint64_t)i + k);
}

static double value(sb_made made, size_t trial, uint32_t stream, size_t i)
{
    const double z = normal(trial, stream, i, 0);
    switch (made) {
    case SB_MADE_SKEWED:
        return -log(sb_random_uniform(trial, stream, 4 * (uint64_t)i)) - 1;
    case SB_MADE_HEAVY: {
        const double a = normal(trial, stream, i, 1), b = normal(trial, stream, i, 2), c = normal(trial, stream, i, 3);
        return z / sqrt((a * a + b * b + c * c) / 3);
    }
    case SB_MADE_CLUSTERS:
        return (sb_random_uniform(trial, stream, 4 * (uint64_t)i + 1) < 0.4 ? -1 : 1) + 0.05 * z - 0.2;
    case SB_MADE_STRONGLY:
        return exp(z) - exp(0.5);
    default:
        return z;
    }
}

void sb_made_values(sb_made made, size_t trial, uint32_t stream, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = value(made, trial, stream, i);
}
