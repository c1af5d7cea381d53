/* What the results are asked, and what answers it:
 *
 *   claims     their claims name a question (`question:` of a file of claims), or were made of results that compare no
 *              machines and no target buffers: the answer counts the claims by their outcomes, and says of each what
 *              came out
 *   hardware   "does the target buffer or the hardware change what the network learns?": answer.h
 *   none       neither claims that say anything of these results, nor anything to compare
 *
 * The sentences are made of verdicts and say no more than these. They go to any language of core/text/writer.h.
 *
 *     const sb_question question = sb_question_of(&report->claims, &report->hardware, &report->arms);
 *     if (question.kind == SB_QUESTION_CLAIMS) ... question.text, sb_question_write_count, sb_question_write_claim ...
 */
#pragma once

#include "core/text/writer.h"
#include "io/yaml/claim_file.h"
#include "paper/claims/answer.h"
#include "paper/claims/claims.h"
#include "paper/effects/arms.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_question_kind { SB_QUESTION_HARDWARE, SB_QUESTION_CLAIMS, SB_QUESTION_NONE } sb_question_kind;

typedef struct sb_question {
    sb_question_kind kind;
    char text[4 * SB_QUESTION_LENGTH + 1]; /* UTF-8; it ends with '?' */
    const sb_claims *claims;
    size_t n_counted, n_judged; /* claims that are counted, and of these those that some run speaks to */
} sb_question;

/* The claims must outlive it. */
sb_question sb_question_of(const sb_claims *claims, const sb_claims *hardware, const sb_arms *arms);

/* Of a question that claims answer: its answer in one or two sentences, then how many claims came out how. */
void sb_question_write_answer(sb_writer *out, const sb_question *question, sb_answer_form *form);

/* "native-cuda ends with the same bits as native (28 pairs of runs). Whether cudnn differs from native is not decided."
 * Returns whether there was anything to say: whether claims compare settings with the same target. */
bool sb_question_write_settings(sb_writer *out, const sb_question *question);

/* "4 of the 7 claims of this study are supported, 1 refuted, 2 without runs here; ..." */
void sb_question_write_count(sb_writer *out, const sb_question *question);

/* The claims that are counted and judged, one after the other, in the order of their file; NULL after the last. */
const sb_claim_result *sb_question_next(const sb_question *question, const sb_claim_result *after);

/* "Supported: With SGD a batch ... The test error of sgd-4096 is 61.40 times that of sgd-32 (95 % interval ..., 6 pairs).
 * One-sided p = 0.0156." */
void sb_question_write_claim(sb_writer *out, const sb_claim_result *result, sb_answer_form *form);

/* The claims to which no run speaks; nothing where there is none. */
bool sb_question_has_gaps(const sb_question *question);
void sb_question_write_gaps(sb_writer *out, const sb_question *question);

/* All of these as lines: the answer, each claim that is judged, the gaps. */
void sb_question_write_claims(sb_writer *out, const sb_question *question, sb_answer_form *form);

/* Of results without a question, after the sentences of answer.h. */
void sb_question_write_none(sb_writer *out, const sb_arms *arms);
