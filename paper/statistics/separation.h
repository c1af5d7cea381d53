/* The published figure, simulated: how often does every one of some runs end above every one of some others, all of
 * them from different initial weights? The study showed four CPUs above eight GPUs; on a CPU its library shared the
 * target buffer, on a GPU it copied. The chance is how often that figure results if only the buffer causes differences
 * between losses; if runs do not differ at all it is 1 / choose(12, 4).
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

enum { SB_PUBLISHED_CPUS = 4, SB_PUBLISHED_GPUS = 8 };

/* The chance that the least of n_above losses lies above the largest of n_below, these losses being distributed as two
 * samples of at least 2 say: once as normal logarithms of their means and standard deviations (by numerical
 * integration), once as the samples themselves, drawn with replacement (exactly; equal losses are not above). */
typedef struct sb_separation {
    double normal, resampled;
} sb_separation;

/* Positive losses. Of equal losses in a sample `normal` is NAN. */
sb_separation sb_separation_of(const double *above, size_t n_a, size_t n_above, const double *below, size_t n_b,
                               size_t n_below);

/* The same for runs that do not differ. */
double sb_separation_by_chance(size_t n_above, size_t n_below);
