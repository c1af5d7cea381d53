#include "simulate_parts.h"

#include "paper/effects/verdict.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdbool.h>

/* What is said of n pairs: the word of the verdict, or that a claim `greater` holds. */
typedef enum saying { SAYS_DIFFERENT, SAYS_EQUIVALENT, SAYS_SUPPORTED } saying;
static const char *const saying_name[] = {"different", "equivalent", "supported"};

/* How the pairs are made. Either each of two arms has the shape, and A lies `shift` above B; or the differences of the
 * pairs themselves have it, whose mean is `shift`, less so much that, where `low` says it, neither mean nor median is
 * above that. The margin, and a shift of 1, is `margin` units over the root of n. */
static const struct truth {
    const char *kind, *name;
    saying what;
    bool differences, low;
    double shift, margin;
} truths[] = {
    {"false", "arms alike", SAYS_DIFFERENT, .margin = 1e-3},
    {"false", "arms alike", SAYS_SUPPORTED, .margin = 1e-3},
    {"false", "arms a margin apart", SAYS_EQUIVALENT, .shift = 1, .margin = 20},
    {"false", "differences with a mean of just the margin", SAYS_EQUIVALENT, true, .shift = 1, .margin = 20},
    {"false", "differences with neither mean nor median above 0", SAYS_SUPPORTED, true, true, .margin = 1e-3},
    {"not promised", "differences with a mean of 0", SAYS_DIFFERENT, true, .margin = 1e-3},
    {"given", "arms alike; the margin 8 / root of n", SAYS_EQUIVALENT, .margin = 8},
    {"given", "arms alike; the margin 12 / root of n", SAYS_EQUIVALENT, .margin = 12},
    {"given", "arms alike; the margin 20 / root of n", SAYS_EQUIVALENT, .margin = 20},
    {"given", "arms 4 / root of n apart", SAYS_DIFFERENT, .shift = 1, .margin = 4},
    {"given", "arms 4 / root of n apart", SAYS_SUPPORTED, .shift = 1, .margin = 4},
    {"given", "arms 8 / root of n apart", SAYS_DIFFERENT, .shift = 1, .margin = 8},
    {"given", "arms 8 / root of n apart", SAYS_SUPPORTED, .shift = 1, .margin = 8},
};

enum { N_SIZES = 5, MOST = 12 };
static const size_t sizes[N_SIZES] = {5, 6, 8, 10, MOST};

static void make(const struct truth *truth, sb_made made, size_t trial, size_t n, double margin, double log_ratio[MOST])
{
    double a[MOST], b[MOST];
    sb_made_values(made, trial, 0, n, a);
    sb_made_values(made, trial, 1, n, b);
    const double less = truth->low ? fmax(sb_made_shape[made].median, 0) : 0;
    for (size_t i = 0; i < n; i++) log_ratio[i] = a[i] - (truth->differences ? less : b[i]) + truth->shift * margin;
}

static bool says(saying what, const sb_verdict *v)
{
    if (what == SAYS_DIFFERENT) return v->word == SB_VERDICT_DIFFERENT;
    if (what == SAYS_EQUIVALENT) return v->word == SB_VERDICT_EQUIVALENT;
    return v->word != SB_VERDICT_EQUIVALENT && v->p_above < SB_STATS_ALPHA && !v->disagree;
}

static sb_status judge(const struct truth *truth, sb_made made, size_t trial, size_t n, bool *it_did)
{
    double log_ratio[MOST];
    sb_result cell[2][MOST];
    const sb_result *of[2][MOST];
    sb_verdict verdict;
    const double width = truth->margin / sqrt((double)n);
    const sb_margin margin = {.judged = width, .log_ratio = width, .least = width, .most = width};
    const sb_verdict_rule rule = {SB_METRIC_LAST, &margin, .quick = true};
    make(truth, made, trial, n, width, log_ratio);
    for (int arm = 0; arm < 2; arm++)
        for (size_t i = 0; i < n; i++) {
            const double loss = arm ? 1 : exp(log_ratio[i]);
            cell[arm][i] = (sb_result){.seed = (long)i + 1, .weights = arm ? "b" : "a", .loss = {loss, loss}};
            of[arm][i] = &cell[arm][i];
        }
    SB_TRY(sb_verdict_of(&verdict, (sb_sample){n, of[0]}, (sb_sample){n, of[1]}, &rule));
    *it_did = says(truth->what, &verdict);
    return SB_OK;
}

static sb_status simulate_truth(const struct truth *truth, sb_made made, size_t n, size_t trials, sb_rate *rate)
{
    size_t hits = 0;
    for (size_t i = 0; i < trials; i++) {
        bool it_did;
        SB_TRY(judge(truth, made, i, n, &it_did));
        hits += it_did;
    }
    *rate = (sb_rate){.kind = truth->kind,
                      .name = truth->name,
                      .values = sb_made_shape[made].name,
                      .what = saying_name[truth->what],
                      .n = n,
                      .nominal = *truth->kind == 'f' ? SB_STATS_ALPHA : NAN,
                      .rate = (double)hits / (double)trials};
    return SB_OK;
}

sb_status sb_simulate_verdicts(size_t trials, sb_rate_taker *take, void *context)
{
    for (size_t k = 0; k < sizeof truths / sizeof *truths; k++)
        for (sb_made made = 0; made < SB_N_MADE; made++)
            for (int i = 0; i < N_SIZES; i++) {
                sb_rate rate;
                SB_TRY(simulate_truth(&truths[k], made, sizes[i], trials, &rate));
                SB_TRY(take(context, &rate));
            }
    return SB_OK;
}
