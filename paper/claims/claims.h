/* Claims compared with results: each sentence of paper/claims.yaml as two sets of cells, a relation and what came out.
 *
 *   question: Does the buffer ...?    # optional: what all of them answer together; the page opens with it (question.h)
 *   claims:
 *     - name: buffer-full             # part of the number's label
 *       by: samebits                  # who says so: paper, retraction, samebits
 *       text: Sharing the target buffer raises the final loss, at the published size.
 *       of:   {study: full, target: shared}        # a selector (below)
 *       over: {study: full, target: copy}
 *       each: setting                 # optional: within a setting; else every arm of `of` with every arm of `over`;
 *                                     # hardware: of a study, other hardware with the first arm of `over`, CPUs before GPUs
 *       family: part                  # optional, of a claim that is not counted: its parts are questions of their own
 *       relation: greater
 *       metric: loss_last
 *       margin: '1.05'                # optional: else from the one-ulp ensemble (verdict.h)
 *       seeds: 10                     # optional: starts a side that it is judged with, no more and no fewer; '8|6'
 *       replicates: 4                 # optional: number of runs of each start
 *       pairs: common                 # optional: starts that one side lacks are left out
 *       relevant: '1.02'              # optional: the widest margin that an ensemble may give
 *       pool: data                    # optional: judged by what its parts, one a data set, say of a new data set
 *       fraction: '0.75'              # optional, with pool: it is above 1 in more than this part of all data sets
 *       across: batch|lr|updates      # optional: settings of the recipe in which the arms may differ
 *       orders: a|b|c                 # optional, with pool: studies that are one video in several orders
 *       why: ...                      # optional: what the relation leaves open
 *       uncounted: ...                # optional: why it is judged and shown, but not among those that are counted
 *
 * A claim is judged in parts: a condition that `of` selects against one that `over` selects, of the same recipe but for
 * what `across` names, by the rules of verdict.h. Which verdict makes a relation hold, how parts join, what a pool of data
 * sets says and how the claims of one question are adjusted, docs/claims.md says exactly (below,
 * claim_family.c). Only sentences of the published study and of its retraction can be reproduced or not; sentences of
 * anybody else are supported or not supported, by the same rules.
 *
 * A claim is registered before its runs if every run of its parts recorded the digest of its rule when it began
 * (io/yaml/claim_file.h), formulated after them if none did.
 *
 * Where a side has no cell, nothing is guessed: hardware missing if only a GPU could give one, else undetermined.
 */
#pragma once

#include "core/screen/screen.h"
#include "core/status.h"
#include "io/yaml/claim_file.h"
#include "paper/effects/arms.h"
#include "paper/effects/verdict.h"
#include "paper/numbers/numbers.h"
#include "paper/results/condition.h"
#include "paper/results/results.h"
#include "paper/statistics/crossed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- findings: finding.c -- */

/* A finding: two conditions, what one has over the other in a metric, and what came out. Claims, the question of the
 * hardware and the comparison with a reference all come to findings, which one function judges and one names:
 *
 *     sb_finding f = {of, over, SB_METRIC_LAST};
 *     SB_TRY(sb_finding_judge(&f, &margin, false));
 *     ... f.verdict.word, f.verdict.reason ...
 */

/* What a claim came to. */
typedef enum sb_outcome {
    SB_OUTCOME_REPRODUCED,
    SB_OUTCOME_NOT_REPRODUCED,
    SB_OUTCOME_SUPPORTED,
    SB_OUTCOME_NOT_SUPPORTED,
    SB_OUTCOME_REFUTED,
    SB_OUTCOME_UNDETERMINED,
    SB_OUTCOME_HARDWARE_MISSING,
    SB_N_OUTCOMES
} sb_outcome;

typedef struct sb_finding {
    const sb_arm *of, *over;
    sb_metric metric;
    sb_verdict verdict;
    char label[SB_NUMBER_LABEL];   /* of the ratio in the register */
    sb_outcome outcome;            /* of a claim's part */
    char words[SB_VERDICT_REASON]; /* why */
} sb_finding;

/* common: starts that one side lacks are left out (verdict.h). SB_E_MEMORY is the only failure. */
sb_status sb_finding_judge(sb_finding *finding, const sb_margin *margin, bool common);

/* Set the adjusted p of n findings that are a family. SB_E_MEMORY. */
sb_status sb_findings_family(sb_finding *finding, size_t n);

/* The one of the weaker side. */
sb_evidence sb_finding_evidence(const sb_finding *finding);

/* The i-th ratio of a pair, of verdict.n; only of paired verdicts. *of and *over: its cells. */
double sb_finding_pair(const sb_finding *finding, size_t i, const sb_result **of, const sb_result **over);

/* The ratio with interval and p into the register, by its label, with its formula and the cells of both sides. what: what
 * the ratio is of, as it follows the metric in the formula: ", one arm over the other". SB_E_MEMORY. */
sb_status sb_finding_add(sb_numbers *numbers, const sb_finding *finding, const char *what);

/* -- settings of one study that are compared by their hardware -- */

/* Has the setting other hardware than the reference, and the same recipe? */
bool sb_finding_is_other_hardware(const sb_configuration *setting, const sb_configuration *reference);

/* "i5-4590, i5-7600k": all of other hardware that have the bits of `of`, each by the shortest name that no other setting of
 * the study has: its hardware, "cudnn on gtx-1080", else its label without commas. Returns how many. */
enum { SB_FINDING_NAMES = 192 };
size_t sb_finding_names(const sb_finding *finding, char names[SB_FINDING_NAMES]);

/* -- selectors: selector.c -- */

/* Which cells are meant: a value for each fact that matters, alternatives separated by '|', NULL for any.
 *
 *     {study: cpus, backend: openblas, hardware: i5-4590|i7-6800k, target: copy}
 *
 * Facts are the settings (core/rows/setting.h) that all cells of an arm share, `device`, which is cpu or gpu, by the
 * backend, and `evidence`. Cells of a one-ulp ensemble are never selected. */

bool sb_selector_matches(const sb_selector *selector, const sb_result *cell);

/* Is the value of this setting one that it wants, or does it want none? */
bool sb_selector_allows(const sb_selector *selector, sb_setting_id id, const char *value);

/* The same of a fact of another program's results. */
bool sb_selector_allows_custom(const sb_selector *selector, size_t fact, const char *value);

/* Does it name anything at all? */
bool sb_selector_is_empty(const sb_selector *selector);

/* Can only a GPU give such cells? */
bool sb_selector_wants_gpu(const sb_selector *selector);

/* "study cpus, target copy". */
void sb_selector_text(const sb_selector *selector, char *text, size_t size);

/* -- several data sets: claim_pool.c -- */

/* What a claim that pools its data sets is judged by: the effects of its parts, one for each data set, crossed by the
 * starts that they have, each pair of which counts (paper/statistics/crossed.h). A data set is a video in an order.
 * Where the claim names studies that are one video in several orders (`orders`), the variance of the data sets divides
 * into a variance of videos and a variance of orders; the orders decide nothing. */

typedef struct sb_claim_pool {
    size_t n;                 /* data sets; 0: the claim pools none */
    double ratio, low, high;  /* geometric mean of their ratios, 95 % interval of that mean */
    double new_low, new_high; /* where the ratio of a new data set lies, with 95 % */
    size_t n_above;           /* data sets whose mean ratio over their starts is above 1 */
    sb_crossed effects;       /* their logarithms */
    sb_crossed orders;        /* the same of the orders of one video; n_data 0: none are named or there */
} sb_claim_pool;

/* SB_E_MEMORY only. NANs where too few starts are in several parts. */
sb_status sb_claim_pool_judge(sb_claim_pool *pool, const sb_finding *part, size_t n, sb_metric metric);
sb_status sb_claim_pool_orders(sb_claim_pool *pool, const sb_finding *part, size_t n, sb_metric metric);

/* What varies the effect: start, data set, where orders are known video and order, rest. */
typedef struct sb_pool_row {
    const char *name;
    size_t n;      /* draws; 0: a difference of two others */
    double df, sd; /* degrees of freedom (NAN of a difference), standard deviation of the log ratio */
    double share;  /* of the variance of one pair of runs */
    const char *formula;
} sb_pool_row;
enum { SB_POOL_ROWS = 5 };
size_t sb_claim_pool_rows(const sb_claim_pool *pool, sb_pool_row row[SB_POOL_ROWS]);

/* "start 0.000, video 0.151, order 0.071, rest 0.140"; false: the claim pools none, or nothing can be said. */
enum { SB_POOL_TEXT = 128 };
bool sb_claim_pool_text(const sb_claim_pool *pool, char text[SB_POOL_TEXT]);

/* claim.NAME.pool, the mean over its data sets; claim.NAME.pool.new, the interval for a new one;
 * claim.NAME.pool.sd-start and so on; with the runs of the n parts. */
sb_status sb_claim_pool_add(sb_numbers *numbers, const sb_claim_pool *pool, const char *name, const sb_finding *part,
                            size_t n);

/* -- claims: claims.c, claims_write.c -- */

extern const char *const sb_outcome_name[SB_N_OUTCOMES]; /* "reproduced", "not reproduced", ... */
extern const sb_role sb_outcome_role[SB_N_OUTCOMES];

typedef struct sb_claim_result {
    const sb_claim *claim;
    sb_metric metric;
    sb_outcome outcome;
    char words[1024];   /* why, or what is missing */
    double p, p_family; /* by which it holds or is refuted; adjusted for the claims of its question; NAN: none */
    char family[320];   /* what the adjustment undid: "supported alone (p = 0.0156), and ..."; "": nothing */
    char planned[160];  /* its power, as it was planned; "": it says none */
    char absent[320];   /* "2 cells excluded: its start is odd": cells of its conditions that are not in the tables */
    size_t n_absent;
    char registered[192];        /* "registered before its runs", "formulated after its runs"; "": it has no run */
    size_t n_runs, n_registered; /* runs of its parts, and those that recorded its rule when they began */
    size_t n_lost;               /* cells registered with it that are not in these tables, nor named by coverage.csv */
    size_t n_parts;
    sb_finding *part;
    sb_claim_pool pool;
} sb_claim_result;

typedef struct sb_claims {
    size_t n;
    sb_claim_result *result; /* in the order of the file */
    size_t n_tested; /* claims that are counted and judged by a test: a family, where the file names a question */
    sb_claim_file *file;
} sb_claims;

/* Read the claims and judge them. condition NULL: nothing is known of cells that are missing. Results and arms must
 * outlive them. SB_E_USAGE with "PATH:LINE: ..." where the file makes no sense. The caller frees, also after a failure.
 * That a claim is refuted is a result, not an error. */
sb_status sb_claims_judge(sb_claims *claims, const char *path, const sb_results *results, const sb_arms *arms,
                          const sb_condition *condition);
void sb_claims_free(sb_claims *claims);

/* The same of the claims that are asked of every study (hardware.claims.yaml), but each comparison is a result of its own
 * that has one part: in the order of the file, then by the rank of their studies (measures.h), then measured before
 * emulated and imitated, then by setting. Hardware whose runs have the same weights is one comparison. */
enum { SB_ASKS_BUFFER, SB_ASKS_GPU, SB_ASKS_CPU, SB_N_ASKED };
sb_status sb_claims_ask_hardware(sb_claims *claims, const sb_results *results, const sb_arms *arms);

/* The comparisons of one of these claims, one after the other; NULL after the last. */
const sb_claim_result *sb_claims_next_asked(const sb_claims *hardware, int asked, const sb_claim_result *after);

/* Comparisons of all claims. */
size_t sb_claims_parts(const sb_claims *claims);

/* How many of the claims that are counted came out so: count[SB_N_OUTCOMES]. Returns how many are not counted. */
size_t sb_claims_count(const sb_claims *claims, size_t *count);

/* Is it about another program's results, which have neither settings of ours nor a target? */
bool sb_claims_is_custom(const sb_claim_result *result);

/* Does it compare settings of one study by their hardware? */
bool sb_claim_is_of_hardware(const sb_claim *claim);

/* The source of a margin that a claim names. */
#define SB_CLAIM_MARGIN_SOURCE "chosen in claims.yaml"

/* The source of the margin that part i is judged by, which says how sure that margin is; NULL: none, or a part before
 * it has the same. */
const char *sb_claims_margin(const sb_claim_result *result, size_t i);

/* claim.NAME.pool and others where it pools its data sets; claim.NAME, whose text is the outcome, and
 * its ratio: claim.NAME.ratio, or where there are several parts claim.NAME.STUDY.SETTING within settings,
 * else claim.NAME.STUDY.SETTING-TARGET-over-STUDY.SETTING-TARGET. */
sb_status sb_claims_add(sb_numbers *numbers, const sb_claims *claims);

/* Of claims of each hardware STUDY.SETTING.over-REFERENCE.TARGET.METRIC alone, of the buffer nothing: measures.h has it. */
sb_status sb_claims_add_hardware(sb_numbers *numbers, const sb_claims *claims);

/* For people; claims.csv with a row for each part, and where claims pool their data sets components.csv, with a row for
 * each thing that varies the effect. */
void sb_claims_print(FILE *out, const sb_claims *claims);
sb_status sb_claims_write(const sb_claims *claims, const char *folder);

/* The outcome of a claim: of its parts, joined, and as one of a family. docs/claims.md has the rules (Relations,
 * Outcomes, Families). */

/* -- claim_parts.c -- */

/* Find its parts and judge each; where there is none, say what is missing. Whatever comes back, the caller frees
 * `part`. SB_E_MEMORY only. */
sb_status sb_claim_judge_parts(sb_claim_result *result, const sb_results *results, const sb_arms *arms);

/* -- claim_outcome.c -- */

/* Outcome, words and p of a claim whose parts (one at least) and pool are judged. */
void sb_claim_join(sb_claim_result *result);

/* `planned`, where the claim says what was. */
void sb_claim_say_plan(sb_claim_result *result);

/* Has the part as many starts, and runs of each, as the claim says? */
bool sb_claim_part_is_planned(const sb_finding *part, const sb_claim *claim);

/* -- claim_family.c -- */

/* Holm's adjustment over the claims of one question; in a file without one the claims are counted alone. SB_E_MEMORY
 * only. */
sb_status sb_claims_join_family(sb_claims *claims);

/* Name the cells of its conditions that coverage.csv says are excluded, failed or missing, with the reasons. */
void sb_claim_name_absent(sb_claim_result *result, const sb_condition *condition);

/* -- claim_registered.c -- */

/* `registered` by n_runs and n_registered. */
void sb_claim_write_registered(sb_claim_result *result);

/* The runs of it that recorded its rule when they began, and whether the cells that it spoke of then are those that the
 * tables have, or name as absent. condition NULL: nothing is known of cells that are missing. SB_E_MEMORY only. */
sb_status sb_claim_say_registered(sb_claim_result *result, const sb_results *results, const sb_condition *condition);
