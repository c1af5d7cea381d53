/* Claims about results of another program, judged by the rules of docs/claims.md, and what follows from no claim: each
 * condition over the first one of its study, in each metric.
 *
 *     SB_TRY(sb_program_claims_judge(&claims, path, &results));
 *     sb_claims_print(stdout, &claims.claims);
 *     sb_program_claims_free(&claims);
 */
#ifndef SB_PAPER_PROGRAM_PROGRAM_CLAIMS_H
#define SB_PAPER_PROGRAM_PROGRAM_CLAIMS_H

#include "paper/claims/claims.h"
#include "paper/program/program_results.h"

typedef struct sb_program_claims { /* {0} holds none */
    sb_claims claims;
    sb_group group; /* one for all conditions: it has no name */
    sb_configuration *setting; /* [n_conditions] */
    sb_result cell;
    const sb_result *cells; /* &cell */
} sb_program_claims;

/* The results must outlive the claims. SB_E_USAGE with "PATH:LINE: ..." where the file makes no sense. A failed call leaves
 * nothing to free. */
sb_status sb_program_claims_judge(sb_program_claims *claims, const char *path, const sb_program_results *results);
void sb_program_claims_free(sb_program_claims *claims);

#endif
