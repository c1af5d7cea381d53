#include "paper/statistics/stats_parts.h"

#include <math.h>
#include <stdlib.h>

typedef struct look {
    double p;
    size_t place;
} look;

static int compare_looks(const void *left, const void *right)
{
    const look *a = left, *b = right;
    return (a->p > b->p) - (a->p < b->p);
}

sb_status sb_stats_holm(const double *p, size_t n, double *adjusted)
{
    look *looks = malloc((n + 1) * sizeof *looks);
    if (!looks) return sb_stats_fail_memory();
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i]))
            looks[m++] = (look){p[i], i};
        else
            adjusted[i] = NAN;
    qsort(looks, m, sizeof *looks, compare_looks);
    double largest = 0;
    for (size_t i = 0; i < m; i++) {
        largest = fmax(largest, fmin(1, (double)(m - i) * looks[i].p));
        adjusted[looks[i].place] = largest;
    }
    free(looks);
    return SB_OK;
}
