/* When a network begins to overfit: its validation loss no longer falls while its training loss still falls
 * (docs/specification.md, section 10).
 *
 *     sb_overfit found = sb_overfit_of(&(sb_overfit_rule){.patience = 5}, n, validation_loss, training_loss);
 *     if (found.at) ... from validation number found.at on; the best one was number found.best ...
 */
#pragma once

#include <stddef.h>

typedef struct sb_overfit_rule {
    size_t patience;  /* number of validations without improvement */
    double min_delta; /* improvement: the loss is below the best so far by more than this */
} sb_overfit_rule;

typedef struct sb_overfit {
    size_t best, at; /* numbers of validations, from 1; 0: none */
} sb_overfit;

/* Validation j = 1 .. n improves if its loss l_j < best - min_delta; NaN never improves. The training loss is smoothed:
 * s_1 = m_1, s_j = (s_{j-1} + m_j) / 2, where m_j is its mean since validation j - 1. `at` is the first j with j - best
 * >= patience and s_j < s_best. */
sb_overfit sb_overfit_of(const sb_overfit_rule *rule, size_t n, const double *validation_loss,
                         const double *training_loss);
