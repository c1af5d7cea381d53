/* When a network begins to overfit: its validation loss no longer falls while its training loss still falls
 * (docs/specification.md, section 10).
 *
 *     sb_overfit found = sb_overfit_of(patience, min_delta, n, row);
 *     if (found.at) ... from validation number found.at on; the best one was number found.best ...
 */
#pragma once

#include "io/run/run_table.h"

typedef struct sb_overfit {
    size_t best, at; /* numbers of validations, from 1; 0: none */
} sb_overfit;

/* Validation j = 1 .. n improves if its cross-entropy l_j < best - min_delta; NaN never improves. The training loss is
 * smoothed: s_1 = m_1, s_j = (s_{j-1} + m_j) / 2, where m_j is its mean since validation j - 1. `at` is the first j
 * with j - best >= patience and s_j < s_best. */
sb_overfit sb_overfit_of(size_t patience, double min_delta, size_t n, const sb_run_validation *row);
