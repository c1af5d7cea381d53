#include "paper/statistics/simulate_parts.h"

#include "paper/statistics/verdict.h"

#include <math.h>
#include <stdbool.h>

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
    double level[SB_MOST_VALUES], noise[2][SB_MOST_VALUES];
    sb_result cell[2][SB_MOST_VALUES];
    const sb_result *of[2][SB_MOST_VALUES];
    sb_verdict verdict;
    const sb_margin margin = {.judged = MARGIN, .log_ratio = MARGIN, .least = MARGIN, .most = MARGIN};
    const sb_verdict_rule rule = {SB_METRIC_LAST, &margin, .quick = true};
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
    SB_TRY(sb_verdict_of(&verdict, (sb_sample){n, of[0]}, (sb_sample){n, of[1]}, &rule));
    *word = verdict.word;
    return SB_OK;
}

static sb_status simulate_truth(const struct truth *truth, sb_made made, size_t n, size_t trials, sb_rate_taker *take,
                                void *context)
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

sb_status sb_simulate_verdicts(size_t trials, sb_rate_taker *take, void *context)
{
    for (size_t k = 0; k < sizeof truths / sizeof *truths; k++)
        for (sb_made made = 0; made < SB_MADE_CLUSTERS; made++)
            for (int i = 0; i < SB_N_SIZES; i++)
                SB_TRY(simulate_truth(&truths[k], made, sb_simulated_n[i], trials, take, context));
    return SB_OK;
}
