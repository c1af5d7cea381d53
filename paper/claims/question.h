/* What the results are asked, and what answers it:
 *
 *   claims     their claims name a question (`question:` of a file of claims), or were made of results that compare no
 *              machines and no target buffers: the answer counts the claims by their outcomes, and says of each what
 *              came out
 *   hardware   "does the target buffer or the hardware change what the network learns?": the claims that are asked of
 *              every study (claims.h), of the most important study that has runs for them
 *   none       neither claims that say anything of these results, nor anything to compare
 *
 * The sentences are made of verdicts and say no more than these. They go to any language of core/text/writer.h.
 *
 *     const sb_question question = sb_question_of(&report->claims, &report->hardware, &report->arms);
 *     sb_write(out, "%s\n", question.text);
 *     sb_question_write_claims(out, &question, NULL);
 */
#pragma once

#include "core/text/writer.h"
#include "io/yaml/claim_file.h"
#include "paper/claims/claims.h"
#include "paper/effects/arms.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_question_kind { SB_QUESTION_HARDWARE, SB_QUESTION_CLAIMS, SB_QUESTION_NONE } sb_question_kind;

typedef struct sb_question {
    sb_question_kind kind;
    char text[4 * SB_QUESTION_LENGTH + 1]; /* UTF-8; it ends with '?' */
    const sb_claims *claims;               /* that answer it */
    const sb_claims *own;                  /* of the results */
    size_t n_counted, n_waiting;           /* of the results' own: that are counted, that wait for hardware */
    size_t n_judged;                       /* of those that answer it: that some run speaks to */
    size_t n_studies;
} sb_question;

/* The claims must outlive it. */
sb_question sb_question_of(const sb_claims *claims, const sb_claims *hardware, const sb_arms *arms);

/* The question of the hardware, whatever the results' own claims ask. */
sb_question sb_question_of_hardware(const sb_claims *claims, const sb_claims *hardware);

/* How a language shows a number: some words, which belong to the number of that label. NULL: the words alone. */
typedef void sb_number_form(sb_writer *out, const char *label, const char *words);

/* The answer in a few sentences; of claims then how many came out how. */
void sb_question_write_answer(sb_writer *out, const sb_question *question, sb_number_form *form);

/* "native-cuda ends with the same bits as native (28 pairs of runs). Whether cudnn differs from native is not decided."
 * Returns whether there was anything to say: whether claims compare settings with the same target. */
bool sb_question_write_settings(sb_writer *out, const sb_question *question);

/* "4 of the 7 claims of this study are supported, 1 refuted, 2 without runs here; ..." */
void sb_question_write_count(sb_writer *out, const sb_question *question);

/* The claims that are told, one after the other, in the order of their file; NULL after the last. */
const sb_claim_result *sb_question_next(const sb_question *question, const sb_claim_result *after);

/* What was not answered; nothing where there is no such thing. */
bool sb_question_has_gaps(const sb_question *question);
void sb_question_write_gaps(sb_writer *out, const sb_question *question);

/* All of these as lines: the answer, each claim that is told, the gaps. */
void sb_question_write_claims(sb_writer *out, const sb_question *question, sb_number_form *form);

/* -- a claim: question_claim.c -- */

/* "Supported: With SGD a batch ... The test error of sgd-4096 is 61.40 times that of sgd-32 (95 % interval ..., 6 pairs).
 * One-sided p = 0.0156." */
void sb_question_write_claim(sb_writer *out, const sb_claim_result *result, sb_number_form *form);

/* Has it one comparison, which is not pooled? */
bool sb_question_has_one_effect(const sb_claim_result *result);

/* Of such a claim "The test error of sgd-4096 is 61.40 times that of sgd-32 (95 % interval 1.13 to 245.90, 6 pairs)." */
void sb_question_write_effect(sb_writer *out, const sb_claim_result *result, sb_number_form *form);
