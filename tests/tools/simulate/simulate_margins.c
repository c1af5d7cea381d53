#include "simulate_parts.h"

#include "core/random.h"
#include "paper/effects/verdict.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdbool.h>

/* Seeds whose log losses spread by 0.001 exp(unlike z), z normal. The margin is the truth: the 95th percentile of
 * |difference| of two runs of a seed, which the tests compute anew. */
const struct sb_made_seeds sb_made_seeds[SB_N_MADE_SEEDS] = {
    {"seeds alike", 0, 0.0027718076}, {"seeds unlike", 0.5, 0.0037393083}, {"seeds very unlike", 1, 0.0068400861}};

enum { RUNS = 4, PAIRS = SB_MOST_VALUES * RUNS * (RUNS - 1) / 2 }; /* of each seed, and in all */
enum { OF_SPREAD = 4, OF_RUNS, OF_ARMS };                          /* streams of random numbers */

static double spread_of(const struct sb_made_seeds *seeds, size_t trial, uint32_t stream, size_t seed)
{
    return 0.001 * exp(seeds->unlike * sb_random_normal(trial, stream, seed));
}

/* An ensemble of n seeds, and its margin. */
static sb_status estimate(const struct sb_made_seeds *seeds, size_t trial, size_t n, sb_margin *margin)
{
    sb_distance distance[PAIRS];
    size_t n_pairs = 0;
    for (size_t seed = 0; seed < n; seed++) {
        const double spread = spread_of(seeds, trial, OF_SPREAD, seed);
        double run[RUNS];
        for (size_t i = 0; i < RUNS; i++) run[i] = spread * sb_random_normal(trial, OF_RUNS, RUNS * seed + i);
        for (size_t i = 0; i < RUNS; i++)
            for (size_t k = i + 1; k < RUNS; k++) distance[n_pairs++] = (sb_distance){fabs(run[i] - run[k]), seed};
    }
    return sb_margin_of(distance, n_pairs, n, margin);
}

/* The estimate of n pairs of other seeds, whose arms are just the true margin apart. */
static sb_estimate pairs_apart(const struct sb_made_seeds *seeds, size_t trial, size_t n)
{
    double difference[SB_MOST_VALUES];
    for (size_t seed = 0; seed < n; seed++)
        difference[seed] = seeds->margin + spread_of(seeds, trial, OF_SPREAD, SB_MOST_VALUES + seed) *
                                               (sb_random_normal(trial, OF_ARMS, 2 * seed) -
                                                sb_random_normal(trial, OF_ARMS, 2 * seed + 1));
    return sb_stats_estimate(difference, n);
}

static const struct question {
    const char *kind, *name, *what;
    double nominal;
} questions[] = {
    {"interval", "margin", "holds the truth", 1 - SB_STATS_ALPHA},
    {"interval", "least margin without one seed", "lies below the truth", NAN},
    {"test", "equivalence of pairs an estimated margin apart", "rejects the truth", SB_STATS_ALPHA},
    {"not used", "the same by the margin of all seeds", "rejects the truth", SB_STATS_ALPHA},
};
enum { N_QUESTIONS = sizeof questions / sizeof *questions };

static sb_status ask(const struct sb_made_seeds *seeds, size_t trial, size_t n, bool it_did[N_QUESTIONS])
{
    sb_margin margin;
    SB_TRY(estimate(seeds, trial, n, &margin));
    const sb_estimate apart = pairs_apart(seeds, trial, n);
    it_did[0] = margin.low <= seeds->margin && seeds->margin <= margin.high;
    it_did[1] = margin.least <= seeds->margin;
    it_did[2] = sb_stats_equivalence(apart, margin.least) < SB_STATS_ALPHA;
    it_did[3] = sb_stats_equivalence(apart, margin.log_ratio) < SB_STATS_ALPHA;
    return SB_OK;
}

sb_status sb_simulate_margins(size_t trials, sb_rate_taker *take, void *context)
{
    size_t hits[N_QUESTIONS][SB_N_MADE_SEEDS][SB_N_SIZES] = {0};
    for (int s = 0; s < SB_N_MADE_SEEDS; s++)
        for (int i = 0; i < SB_N_SIZES; i++)
            for (size_t trial = 0; trial < trials; trial++) {
                bool it_did[N_QUESTIONS];
                SB_TRY(ask(&sb_made_seeds[s], trial, sb_simulated_n[i], it_did));
                for (int k = 0; k < N_QUESTIONS; k++) hits[k][s][i] += it_did[k];
            }
    for (int k = 0; k < N_QUESTIONS; k++)
        for (int s = 0; s < SB_N_MADE_SEEDS; s++)
            for (int i = 0; i < SB_N_SIZES; i++) {
                const sb_rate rate = {.kind = questions[k].kind,
                                      .name = questions[k].name,
                                      .values = sb_made_seeds[s].name,
                                      .what = questions[k].what,
                                      .n = sb_simulated_n[i],
                                      .nominal = questions[k].nominal,
                                      .rate = (double)hits[k][s][i] / (double)trials};
                SB_TRY(take(context, &rate));
            }
    return SB_OK;
}
