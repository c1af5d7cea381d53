/* The outcome of a claim: of its parts, joined, and as one of a family. docs/claims.md has the rules (Relations,
 * Outcomes, Families). */
#ifndef SB_PAPER_CLAIMS_CLAIM_OUTCOME_H
#define SB_PAPER_CLAIMS_CLAIM_OUTCOME_H

#include "core/status.h"
#include "paper/claims/claims.h"
#include "paper/results/condition.h"

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

/* -- claim_absent.c -- */

/* Name the cells of its conditions that coverage.csv says are excluded, failed or missing, with the reasons. */
void sb_claim_name_absent(sb_claim_result *result, const sb_condition *condition);

/* -- claim_registered.c -- */

/* `registered` by n_runs and n_registered. */
void sb_claim_write_registered(sb_claim_result *result);

/* The runs of it that recorded its rule when they began, and whether the cells that it spoke of then are those that the
 * tables have, or name as absent. condition NULL: nothing is known of cells that are missing. SB_E_MEMORY only. */
sb_status sb_claim_say_registered(sb_claim_result *result, const sb_results *results, const sb_condition *condition);

#endif
