/* A finding: two conditions, what one has over the other in a metric, and what came out. Claims, the question of the
 * hardware and the comparison with a reference all come to findings, which one function judges and one names:
 *
 *     sb_finding f = {of, over, SB_METRIC_LAST};
 *     SB_TRY(sb_finding_judge(&f, &margin, false));
 *     ... f.verdict.word, f.verdict.reason ...
 */
#pragma once

#include "core/status.h"
#include "paper/effects/arms.h"
#include "paper/effects/verdict.h"
#include "paper/numbers/numbers.h"

#include <stddef.h>

/* What a claim came to (claims.h). */
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
