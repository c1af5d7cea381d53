/* When a network begins to learn its training images by heart: its loss on images that it does not learn from rises, or
 * at least falls no more, while the loss of training still falls (docs/specification.md, section 10).
 *
 *     sb_overfit found = sb_overfit_of(&(sb_overfit_rule){.patience = 5}, n, validation_loss, training_loss);
 *     if (found.at) ... from validation number found.at on; the best one was number found.best ...
 */
#ifndef SB_TRAIN_OVERFIT_H
#define SB_TRAIN_OVERFIT_H

#include <stddef.h>

typedef struct sb_overfit_rule {
    size_t patience;  /* validations without a better one */
    double min_delta; /* better: less than the best so far by more than this */
} sb_overfit_rule;

typedef struct sb_overfit {
    size_t best, at; /* numbers of validations, from 1; 0: none */
} sb_overfit;

/* Validation j = 1 .. n improves where its loss l_j < best - min_delta; a loss that is no number does not. The loss of
 * training is smoothed: s_1 = m_1, s_j = (s_{j-1} + m_j) / 2, m_j its mean since validation j - 1. `at` is the first j
 * with j - best >= patience and s_j < s_best. */
sb_overfit sb_overfit_of(const sb_overfit_rule *rule, size_t n, const double *validation_loss,
                         const double *training_loss);

#endif
