#include "train/overfit.h"

#include <math.h>

sb_overfit sb_overfit_of(size_t patience, double min_delta, size_t n, const sb_run_validation *row)
{
    sb_overfit found = {0};
    double least = INFINITY, smooth = 0, smooth_of_best = 0;
    for (size_t j = 1; j <= n; j++) {
        const double loss = row[j - 1].cross_entropy, mean = row[j - 1].train_loss;
        smooth = j == 1 ? mean : (smooth + mean) / 2;
        if (loss < least - min_delta)
            least = loss, smooth_of_best = smooth, found.best = j;
        else if (!found.at && found.best && j - found.best >= patience && smooth < smooth_of_best)
            found.at = j;
    }
    return found;
}
