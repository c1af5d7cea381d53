#include "simulate_parts.h"

#include "paper/statistics/stats_parts.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FAMILY = 4 };

/* What one trial draws: two samples, and their differences as pairs. */
typedef struct trial {
    sb_made made;
    size_t number, n;
    double a[SB_MOST_VALUES], b[SB_MOST_VALUES], difference[SB_MOST_VALUES];
} trial;

static void draw(trial *t)
{
    sb_made_values(t->made, t->number, 0, t->n, t->a);
    sb_made_values(t->made, t->number, 1, t->n, t->b);
    for (size_t i = 0; i < t->n; i++) t->difference[i] = t->a[i] - t->b[i];
}

/* ---- intervals: whether they hold the mean, which is 0 ---- */

typedef sb_status interval_maker(const trial *t, double *low, double *high);

static sb_status mean(const trial *t, double *low, double *high)
{
    sb_stats_interval(t->a, t->n, low, high);
    return SB_OK;
}

static sb_status difference(const trial *t, double *low, double *high)
{
    sb_stats_difference(t->a, t->n, t->b, t->n, low, high);
    return SB_OK;
}

/* The two that are not used, to compare with. */
static sb_status student(const trial *t, double *low, double *high)
{
    const sb_estimate e = sb_stats_estimate(t->a, t->n);
    const double half = e.se * gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, e.df);
    *low = e.mean - half, *high = e.mean + half;
    return SB_OK;
}

static sb_status percentiles(const trial *t, double *low, double *high)
{
    enum { RESAMPLES = 500 };
    double resampled[RESAMPLES], drawn[SB_MOST_VALUES];
    gsl_rng *rng = sb_stats_rng();
    if (!rng) return sb_stats_fail_memory();
    for (int i = 0; i < RESAMPLES; i++) {
        gsl_ran_sample(rng, drawn, t->n, (void *)t->a, t->n, sizeof *drawn);
        resampled[i] = gsl_stats_mean(drawn, 1, t->n);
    }
    gsl_rng_free(rng);
    *low = sb_stats_quantile(resampled, RESAMPLES, SB_STATS_ALPHA / 2);
    *high = sb_stats_quantile(resampled, RESAMPLES, 1 - SB_STATS_ALPHA / 2);
    return SB_OK;
}

/* ---- tests: the p of what is true ---- */

typedef sb_status p_maker(const trial *t, double *p);

static sb_status sign_flip(const trial *t, double *p)
{
    return sb_stats_sign_flip(t->difference, t->n, p);
}

static sb_status sign_flip_of_values(const trial *t, double *p)
{
    return sb_stats_sign_flip(t->a, t->n, p);
}

static sb_status rank_sum(const trial *t, double *p)
{
    return sb_stats_rank_sum(t->a, t->n, t->b, t->n, p);
}

static sb_status brunner_munzel(const trial *t, double *p)
{
    return sb_stats_brunner_munzel(t->a, t->n, t->b, t->n, p);
}

static sb_status spread_of_arms(const trial *t, double *p)
{
    return sb_stats_brown_forsythe(t->a, t->n, t->b, t->n, p);
}

static sb_status spread_of_pairs(const trial *t, double *p)
{
    return sb_stats_brown_forsythe_pairs(t->a, t->b, t->n, p);
}

/* The spreads are a factor of 2 apart: to call them equal is the error. */
static sb_status equal_spread_of_pairs(const trial *t, double *p)
{
    double wide[SB_MOST_VALUES];
    for (size_t i = 0; i < t->n; i++) wide[i] = 2 * t->b[i];
    *p = sb_stats_equal_spread_pairs(wide, t->a, t->n, 2);
    return SB_OK;
}

static sb_status equal_spread_of_arms(const trial *t, double *p)
{
    double wide[SB_MOST_VALUES];
    for (size_t i = 0; i < t->n; i++) wide[i] = 2 * t->b[i];
    *p = sb_stats_equal_spread(wide, t->n, t->a, t->n, 2);
    return SB_OK;
}

/* The truth is just the margin, which is so wide that the other bound is out of reach: to call it equivalent is the
 * error. */
static double equivalence_at_margin(sb_estimate e, size_t n, double side)
{
    const double margin = 20 / sqrt((double)n);
    e.mean += side * margin;
    return sb_stats_equivalence(e, margin);
}

static sb_status equivalence(const trial *t, double *p)
{
    *p = equivalence_at_margin(sb_stats_estimate(t->difference, t->n), t->n, 1);
    return SB_OK;
}

/* Of skewed values the long tail reaches away from zero, */
static sb_status equivalence_above(const trial *t, double *p)
{
    *p = equivalence_at_margin(sb_stats_estimate(t->a, t->n), t->n, 1);
    return SB_OK;
}

/* or towards it. */
static sb_status equivalence_below(const trial *t, double *p)
{
    *p = equivalence_at_margin(sb_stats_estimate(t->a, t->n), t->n, -1);
    return SB_OK;
}

static sb_status equivalence_of_arms(const trial *t, double *p)
{
    *p = equivalence_at_margin(sb_stats_estimate_difference(t->a, t->n, t->b, t->n), t->n, 1);
    return SB_OK;
}

/* The two one-sided t tests, to compare with. */
static sb_status equivalence_student(const trial *t, double *p)
{
    sb_estimate e = sb_stats_estimate(t->a, t->n);
    e.skewness = 0;
    *p = equivalence_at_margin(e, t->n, 1);
    return SB_OK;
}

/* A family of comparisons of which none has anything to find: the least of the adjusted p. */
static sb_status holm(const trial *t, double *p)
{
    double of[FAMILY];
    for (int i = 0; i < FAMILY; i++) {
        trial one = {.made = t->made, .number = t->number * FAMILY + (size_t)i, .n = t->n};
        draw(&one);
        SB_TRY(sb_stats_sign_flip(one.difference, one.n, &of[i]));
    }
    SB_TRY(sb_stats_holm(of, FAMILY, of));
    *p = of[0];
    for (int i = 1; i < FAMILY; i++) *p = fmin(*p, of[i]);
    return SB_OK;
}

/* ---- how often ---- */

static const struct procedure {
    const char *kind, *name, *what;
    interval_maker *interval; /* or */
    p_maker *p;
    double nominal;
    size_t least; /* values that it is used from */
} procedures[] = {
#define INTERVAL(kind, name, of)                                                                                       \
    {                                                                                                                  \
        kind, name, "holds the truth", of, NULL, 1 - SB_STATS_ALPHA, SB_STATS_INTERVAL_RUNS                            \
    }
#define TEST(kind, name, of, least)                                                                                    \
    {                                                                                                                  \
        kind, name, "rejects the truth", NULL, of, SB_STATS_ALPHA, least                                               \
    }
    INTERVAL("interval", "mean", mean),
    INTERVAL("interval", "difference of two means", difference),
    INTERVAL("not used", "mean by Student's t alone", student),
    INTERVAL("not used", "mean by percentiles of resampled means", percentiles),
    TEST("test", "sign flips of pairs", sign_flip, 5),
    TEST("test", "sign flips of differences distributed so", sign_flip_of_values, 5),
    TEST("test", "rank sums", rank_sum, 5),
    TEST("test", "Brunner-Munzel", brunner_munzel, 10),
    TEST("test", "spread of pairs (Brown-Forsythe)", spread_of_pairs, 5),
    TEST("test", "spread of two samples (Brown-Forsythe)", spread_of_arms, 5),
    TEST("test", "equivalence of pairs a margin apart", equivalence, 5),
    TEST("test", "equivalence of values a margin above 0", equivalence_above, 5),
    TEST("test", "equivalence of values a margin below 0", equivalence_below, 5),
    TEST("not used", "equivalence by Student's t of values a margin above 0", equivalence_student, 5),
    TEST("test", "equivalence of two samples a margin apart", equivalence_of_arms, 5),
    TEST("test", "equal spread of pairs a factor of 2 apart", equal_spread_of_pairs, 5),
    TEST("test", "equal spread of two samples a factor of 2 apart", equal_spread_of_arms, 5),
    TEST("test", "any of a family of 4 (Holm)", holm, 5),
#undef INTERVAL
#undef TEST
};

static sb_status happens(const struct procedure *procedure, const trial *t, bool *it_did)
{
    double p, low, high;
    if (procedure->interval) {
        SB_TRY(procedure->interval(t, &low, &high));
        *it_did = low <= 0 && 0 <= high;
    } else {
        SB_TRY(procedure->p(t, &p));
        *it_did = p < SB_STATS_ALPHA;
    }
    return SB_OK;
}

static sb_status simulate_procedure(const struct procedure *procedure, sb_made made, size_t n, size_t trials,
                                    sb_rate *rate)
{
    size_t hits = 0;
    for (size_t i = 0; i < trials; i++) {
        trial t = {.made = made, .number = i, .n = n};
        bool it_did;
        draw(&t);
        SB_TRY(happens(procedure, &t, &it_did));
        hits += it_did;
    }
    *rate = (sb_rate){.kind = procedure->kind,
                      .name = procedure->name,
                      .values = sb_made_shape[made].name,
                      .what = procedure->what,
                      .n = n,
                      .nominal = procedure->nominal,
                      .rate = (double)hits / (double)trials};
    return SB_OK;
}

/* What is not used is there to compare with: on five shapes, as resampling takes long. */
static sb_made n_shapes(const struct procedure *procedure)
{
    return strcmp(procedure->kind, "not used") == 0 ? SB_MADE_RARE : SB_N_MADE;
}

sb_status sb_simulate_tests(size_t trials, sb_rate_taker *take, void *context)
{
    for (size_t k = 0; k < sizeof procedures / sizeof *procedures; k++)
        for (sb_made made = 0; made < n_shapes(&procedures[k]); made++)
            for (int i = 0; i < SB_N_SIZES; i++) {
                sb_rate rate;
                if (sb_simulated_n[i] < procedures[k].least) continue;
                SB_TRY(simulate_procedure(&procedures[k], made, sb_simulated_n[i], trials, &rate));
                SB_TRY(take(context, &rate));
            }
    return SB_OK;
}
