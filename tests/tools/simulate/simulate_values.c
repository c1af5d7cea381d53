#include "simulate.h"

#include "core/random.h"

#include <math.h>

const struct sb_made_shape sb_made_shape[SB_N_MADE] = {
    [SB_MADE_NORMAL] = {"normal", 0, 1},
    [SB_MADE_SKEWED] = {"skewed", -0.30685281944005471, 1},
    [SB_MADE_HEAVY] = {"heavy-tailed", 0, 1},
    [SB_MADE_CLUSTERS] = {"two clusters", 0.75162892146, 1},
    [SB_MADE_STRONGLY] = {"strongly skewed", -0.64872127070012819, 1},
    [SB_MADE_RARE] = {"outliers one in ten", -0.86029, 1},
    [SB_MADE_FREQUENT] = {"outliers one in six", -0.57998, 1},
    [SB_MADE_SKEWED_DOWN] = {"skewed mirrored", 0.30685281944005471, -1},
    [SB_MADE_CLUSTERS_DOWN] = {"two clusters mirrored", -0.75162892146, -1},
    [SB_MADE_STRONGLY_DOWN] = {"strongly skewed mirrored", 0.64872127070012819, -1},
    [SB_MADE_RARE_DOWN] = {"outliers one in ten mirrored", 0.86029, -1},
    [SB_MADE_FREQUENT_DOWN] = {"outliers one in six mirrored", 0.57998, -1},
};

/* Standard deviates of a place; a value takes at most four. */
static double normal(size_t trial, uint32_t stream, size_t i, uint64_t k)
{
    return sb_random_normal(trial, stream, 4 * (uint64_t)i + k);
}

static double uniform(size_t trial, uint32_t stream, size_t i, uint64_t k)
{
    return sb_random_uniform(trial, stream, 4 * (uint64_t)i + k);
}

static double value(sb_made made, size_t trial, uint32_t stream, size_t i)
{
    const double z = normal(trial, stream, i, 0);
    switch (made) {
    case SB_MADE_SKEWED:
    case SB_MADE_SKEWED_DOWN:
        return -log(uniform(trial, stream, i, 0)) - 1;
    case SB_MADE_HEAVY: {
        const double a = normal(trial, stream, i, 1), b = normal(trial, stream, i, 2), c = normal(trial, stream, i, 3);
        return z / sqrt((a * a + b * b + c * c) / 3);
    }
    case SB_MADE_CLUSTERS:
    case SB_MADE_CLUSTERS_DOWN:
        return (uniform(trial, stream, i, 1) < 0.4 ? -1 : 1) + 0.05 * z - 0.2;
    case SB_MADE_STRONGLY:
    case SB_MADE_STRONGLY_DOWN:
        return exp(z) - exp(0.5);
    case SB_MADE_RARE:
    case SB_MADE_RARE_DOWN:
        return z + (uniform(trial, stream, i, 1) < 0.1 ? 10 : 0) - 1;
    case SB_MADE_FREQUENT:
    case SB_MADE_FREQUENT_DOWN:
        return z + (uniform(trial, stream, i, 1) < 1.0 / 6 ? 5 : 0) - 5.0 / 6;
    default:
        return z;
    }
}

void sb_made_values(sb_made made, size_t trial, uint32_t stream, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = sb_made_shape[made].sign * value(made, trial, stream, i);
}
