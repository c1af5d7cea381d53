#include "paper/statistics/simulate.h"

#include "paper/statistics/stats.h"
#include "paper/statistics/verdict.h"

#include <math.h>
#include <stdbool.h>

enum { MOST = 10, FAMILY = 4 };
static const size_t sizes[] = {5, 6, 8, MOST};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* What one trial draws: two samples, and their differences as pairs. */
typedef struct trial {
    sb_made made;
    size_t number, n;
    double a[MOST], b[MOST], difference[MOST];
} trial;

static void draw(trial *t)
{
    sb_made_values(t->made, t->number, 0, t->n, t->a);
    sb_made_values(t->made, t->number, 1, t->n, t->b);
    for (size_t i = 0; i < t->n; i++) t->difference[i] = t->a[i] - t->b[i];
}

/* ---- intervals and tests: whether it happened in a trial ---- */

typedef sb_status happens(const trial *t, bool *it_did);

static bool holds(double low, double high)
{
    return low <= 0 && 0 <= high;
}

static sb_status interval_of_mean(const trial *t, bool *it_did)
{
    double low, high;
    sb_stats_interval(t->a, t->n, &low, &high);
    *it_did = holds(low, high);
    return SB_OK;
}

static sb_status interval_of_difference(const trial *t, bool *it_did)
{
    double low, high;
    sb_stats_difference(t->a, t->n, t->b, t->n, &low, &high);
    *it_did = holds(low, high);
    return SB_OK;
}

static sb_status sign_flip(const trial *t, bool *it_did)
{
    double p;
    SB_TRY(sb_stats_sign_flip(t->difference, t->n, &p));
    *it_did = p < SB_STATS_ALPHA;
    return SB_OK;
}

static sb_status sign_flip_of_skewed(const trial *t, bool *it_did)
{
    double p;
    SB_TRY(sb_stats_sign_flip(t->a, t->n, &p));
    *it_did = p < SB_STATS_ALPHA;
    return SB_OK;
}

static sb_status rank_sum(const trial *t, bool *it_did)
{
    double p;
    SB_TRY(sb_stats_rank_sum(t->a, t->n, t->b, t->n, &p));
    *it_did = p < SB_STATS_ALPHA;
    return SB_OK;
}

static sb_status brunner_munzel(const trial *t, bool *it_did)
{
    double p;
    SB_TRY(sb_stats_brunner_munzel(t->a, t->n, t->b, t->n, &p));
    *it_did = p < SB_STATS_ALPHA;
    return SB_OK;
}

static sb_status spread_of_arms(const trial *t, bool *it_did)
{
    double p;
    SB_TRY(sb_stats_brown_forsythe(t->a, t->n, t->b, t->n, &p));
    *it_did = p < SB_STATS_ALPHA;
    return SB_OK;
}

static sb_status spread_of_pairs(const trial *t, bool *it_did)
{
    double p;
    SB_TRY(sb_stats_brown_forsythe_pairs(t->a, t->b, t->n, &p));
    *it_did = p < SB_STATS_ALPHA;
    return SB_OK;
}

/* The arms are a margin apart, four standard errors: to call them equivalent is the error. */
static sb_status equivalence(const trial *t, bool *it_did)
{
    const sb_estimate e = sb_stats_estimate(t->difference, t->n);
    const double margin = 4 / sqrt((double)t->n);
    *it_did = sb_stats_equivalence((sb_estimate){e.mean + margin, e.se, e.df}, margin) < SB_STATS_ALPHA;
    return SB_OK;
}

/* A family of comparisons of which none has anything to find: whether one is called different. */
static sb_status holm(const trial *t, bool *it_did)
{
    double p[FAMILY];
    for (int i = 0; i < FAMILY; i++) {
        trial one = {.made = t->made, .number = t->number * FAMILY + (size_t)i, .n = t->n};
        draw(&one);
        SB_TRY(sb_stats_sign_flip(one.difference, one.n, &p[i]));
    }
    SB_TRY(sb_stats_holm(p, FAMILY, p));
    *it_did = false;
    for (int i = 0; i < FAMILY; i++) *it_did = *it_did || p[i] < SB_STATS_ALPHA;
    return SB_OK;
}

static const struct procedure {
    const char *kind, *name;
    happens *of;
    size_t least; /* values that it is used from */
} procedures[] = {
    {"interval", "mean", interval_of_mean, 5},
    {"interval", "difference of two means", interval_of_difference, 5},
    {"test", "sign flips of pairs", sign_flip, 5},
    {"test", "sign flips of differences distributed so", sign_flip_of_skewed, 5},
    {"test", "rank sums", rank_sum, 5},
    {"test", "Brunner-Munzel", brunner_munzel, 10},
    {"test", "spread of pairs (Brown-Forsythe)", spread_of_pairs, 5},
    {"test", "spread of two samples (Brown-Forsythe)", spread_of_arms, 5},
    {"test", "equivalence, pairs a margin apart", equivalence, 5},
    {"test", "any of a family of 4, by Holm", holm, 5},
};

static sb_status simulate_procedure(const struct procedure *procedure, sb_made made, size_t n, size_t trials,
                                    sb_rate *rate)
{
    const bool is_interval = procedure->of == interval_of_mean || procedure->of == interval_of_difference;
    size_t hits = 0;
    for (size_t i = 0; i < trials; i++) {
        trial t = {.made = made, .number = i, .n = n};
        bool it_did;
        draw(&t);
        SB_TRY(procedure->of(&t, &it_did));
        hits += it_did;
    }
    *rate = (sb_rate){.kind = procedure->kind,
                      .name = procedure->name,
                      .values = sb_made_name[made],
                      .what = is_interval ? "holds the truth" : "rejects the truth",
                      .n = n,
                      .nominal = is_interval ? 1 - SB_STATS_ALPHA : SB_STATS_ALPHA,
                      .rate = (double)hits / (double)trials};
    return SB_OK;
}

/* ---- verdicts: the words of pairs ---- */

/* Each run is its seed's level, which is wide, and noise of its own. The margin is what one_ulp ensembles of such runs
 * give: 1.96 times the noise of a pair. */
#define LEVEL  0.35
#define NOISE  0.02
#define MARGIN (1.96 * 1.4142135623730951 * NOISE)

static const struct truth {
    const char *name;
    double shift; /* of arm A, in margins */
    bool same;    /* the arms have the same bits */
} truths[] = {{"the same bits", 0, true},
              {"nothing but rounding apart", 0, false},
              {"half a margin apart", 0.5, false},
              {"a margin apart", 1, false},
              {"four margins apart", 4, false}};

static sb_status judge(const struct truth *truth, sb_made made, size_t number, size_t n, sb_verdict_word *word)
{
    double level[MOST], noise[2][MOST];
    sb_result cell[2][MOST];
    const sb_result *of[2][MOST];
    sb_verdict verdict;
    const sb_margin margin = {.log_ratio = MARGIN, .least = MARGIN, .most = MARGIN};
    sb_made_values(SB_MADE_NORMAL, number, 2, n, level);
    for (int arm = 0; arm < 2; arm++) sb_made_values(made, number, (uint32_t)arm, n, noise[arm]);
    for (int arm = 0; arm < 2; arm++)
        for (size_t i = 0; i < n; i++) {
            const double of_run = truth->same ? 0 : NOISE * noise[arm][i] + (arm ? 0 : truth->shift * MARGIN);
            const double loss = exp(-6 + LEVEL * level[i] + of_run);
            cell[arm][i] =
                (sb_result){.seed = (long)i + 1, .weights = arm && !truth->same ? "b" : "a", .loss = {loss, loss}};
            of[arm][i] = &cell[arm][i];
        }
    SB_TRY(sb_verdict_of(&verdict, (sb_sample){n, of[0]}, (sb_sample){n, of[1]}, SB_METRIC_LAST, &margin));
    *word = verdict.word;
    return SB_OK;
}

static sb_status simulate_verdicts(const struct truth *truth, sb_made made, size_t n, size_t trials,
                                   sb_rate_taker *take, void *context)
{
    size_t hits[SB_N_VERDICTS] = {0};
    for (size_t i = 0; i < trials; i++) {
        sb_verdict_word word;
        SB_TRY(judge(truth, made, i, n, &word));
        hits[word]++;
    }
    for (int word = 0; word < SB_N_VERDICTS; word++) {
        const sb_rate rate = {.kind = "verdict",
                              .name = truth->name,
                              .values = sb_made_name[made],
                              .what = sb_verdict_name[word],
                              .n = n,
                              .nominal = NAN,
                              .rate = (double)hits[word] / (double)trials};
        SB_TRY(take(context, &rate));
    }
    return SB_OK;
}

/* ---- all of it ---- */

sb_status sb_simulate(size_t trials, sb_rate_taker *take, void *context)
{
    for (size_t k = 0; k < sizeof procedures / sizeof *procedures; k++)
        for (sb_made made = 0; made < SB_N_MADE; made++)
            for (int i = 0; i < N_SIZES; i++) {
                sb_rate rate;
                if (sizes[i] < procedures[k].least) continue;
                SB_TRY(simulate_procedure(&procedures[k], made, sizes[i], trials, &rate));
                SB_TRY(take(context, &rate));
            }
    for (size_t k = 0; k < sizeof truths / sizeof *truths; k++)
        for (sb_made made = 0; made < SB_MADE_CLUSTERS; made++)
            for (int i = 0; i < N_SIZES; i++)
                SB_TRY(simulate_verdicts(&truths[k], made, sizes[i], trials, take, context));
    return SB_OK;
}
