#include "train/overfit.h"

#include <math.h>

sb_overfit sb_overfit_of(const sb_overfit_rule *rule, size_t n, const double *validation_loss,
                         const double *training_loss)
{
    sb_overfit found = {0};
    double least = INFINITY, smooth = 0, smooth_of_best = 0;
    for (size_t j = 1; j <= n; j++) {
        const double loss = validation_loss[j - 1], mean = training_loss[j - 1];
        smooth = j == 1 ? mean : (smooth + mean) / 2;
        if (loss < least - rule->min_delta)
            least = loss, smooth_of_best = smooth, found.best = j;
        else if (!found.at && found.best && j - found.best >= rule->patience && smooth < smooth_of_best)
            found.at = j;
    }
    return found;
}
