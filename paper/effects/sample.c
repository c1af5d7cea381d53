#include "paper/effects/verdict.h"

#include "paper/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double difference_of(double a, double b)
{
    return isinf(a) && a == b ? 0 : a - b;
}

static void take_side(sb_side *side, sb_sample sample, sb_metric metric, double *value)
{
    *side = (sb_side){.name = sample.name, .n = sample.n, .n_alone = sample.n};
    for (size_t i = 0; i < sample.n; i++) {
        const sb_result *cell = sample.cell[i];
        const size_t n_runs = sb_result_runs(cell);
        value[i] = sb_result_value(cell, metric);
        side->n_runs += n_runs;
        side->n_diverged += sb_result_diverged(cell);
        side->n_zero += value[i] == -INFINITY;
        side->n_none += isnan(value[i]);
        if (i == 0 || n_runs < side->least_runs) side->least_runs = n_runs;
        if (n_runs > side->most_runs) side->most_runs = n_runs;
    }
}

static void take_bits(sb_common *common, const sb_result *a, const sb_result *b)
{
    if (strcmp(a->weights, b->weights) != 0) return;
    const double gap = sb_result_loss_gap(a, b);
    common->n_weights++;
    common->n_same_bits += sb_result_same_bits(a, b);
    common->n_contradict += gap > SB_CONTRADICTION;
    common->gap = fmax(common->gap, gap);
}

/* Both are sorted by seed, so one walk along the two finds the partners. */
static void take_pairs(sb_values *v, sb_sample a, sb_sample b)
{
    sb_common *common = &v->common;
    for (size_t i = 0, k = 0; i < a.n && k < b.n;) {
        const long left = a.cell[i]->seed, right = b.cell[k]->seed;
        if (left == right) {
            v->pair_a[common->n] = v->a[i];
            v->pair_b[common->n] = v->b[k];
            v->difference[common->n++] = difference_of(v->a[i], v->b[k]);
            take_bits(common, a.cell[i], b.cell[k]);
        }
        i += left <= right;
        k += right <= left;
    }
    v->side[0].n_alone -= common->n;
    v->side[1].n_alone -= common->n;
}

sb_status sb_values_take(sb_values *v, sb_sample a, sb_sample b, sb_metric metric)
{
    const size_t room = a.n < b.n ? a.n : b.n;
    *v = (sb_values){.a = malloc((a.n + b.n + 3 * room) * sizeof *v->a)};
    if (!v->a) return sb_fail(SB_E_MEMORY, "not enough memory for a verdict");
    v->b = v->a + a.n;
    v->pair_a = v->b + b.n;
    v->pair_b = v->pair_a + room;
    v->difference = v->pair_b + room;
    take_side(&v->side[0], a, metric, v->a);
    take_side(&v->side[1], b, metric, v->b);
    take_pairs(v, a, b);
    return SB_OK;
}

void sb_values_free(sb_values *v)
{
    free(v->a);
}

double sb_sample_pair(sb_sample a, sb_sample b, sb_metric metric, size_t i, const sb_result **of,
                      const sb_result **over)
{
    for (size_t k = 0, l = 0; k < a.n && l < b.n;) {
        *of = a.cell[k];
        *over = b.cell[l];
        const long left = (*of)->seed, right = (*over)->seed;
        if (left == right && i-- == 0) return exp(sb_result_value(*of, metric) - sb_result_value(*over, metric));
        k += left <= right;
        l += right <= left;
    }
    return NAN;
}
