/* Each condition of another program's results over the first one of its study, in one metric: what can be said where no claim
 * says what to compare.
 *
 *     SB_TRY(sb_program_compare(&comparisons, &results, metric));
 *     for (size_t i = 0; i < comparisons.n; i++)
 *         sb_verdict_effect_text(&comparisons.item[i].judgement.comparison->verdict, text);
 *     sb_program_comparisons_free(&comparisons);
 */
#ifndef SB_PAPER_PROGRAM_PROGRAM_COMPARE_H
#define SB_PAPER_PROGRAM_PROGRAM_COMPARE_H

#include "core/text/writer.h"
#include "paper/program/program_claims.h"
#include "paper/program/program_results.h"

/* Ratios up to it count as equal, as in samebits-report judge. */
#define SB_PROGRAM_MARGIN 1.05

typedef struct sb_program_comparison {
    size_t of, over; /* conditions */
    sb_judgement judgement;
} sb_program_comparison;

typedef struct sb_program_comparisons { /* {0} holds none */
    size_t n;
    sb_program_comparison *item; /* [n] in the order of the conditions; p is adjusted for all of them */
} sb_program_comparisons;

/* A failed call leaves nothing to free. */
sb_status sb_program_compare(sb_program_comparisons *comparisons, const sb_program_results *results, size_t metric);
void sb_program_comparisons_free(sb_program_comparisons *comparisons);

/* A plain line that ends with '?': what the claims ask, else how many runs there are. */
enum { SB_PROGRAM_QUESTION = 4 * SB_QUESTION_LENGTH + 1 };
void sb_program_question(const sb_program_results *results, const sb_program_claims *claims, char text[SB_PROGRAM_QUESTION]);

/* The question, and the answer in sentences: the claims, if there are any, else the comparisons. SB_E_MEMORY only. */
sb_status sb_program_write_answer(sb_writer *out, const sb_program_results *results, const sb_program_claims *claims);

#endif
