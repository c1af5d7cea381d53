/* What the results say to the question "does the hardware you train on change what the network learns?", in sentences
 * that are made of verdicts and never stronger than these:
 *
 *   the answer     what the target buffer does in the most important study that has pairs, with effect, interval, number
 *                  of pairs and p, and what the hardware does; what is decided comes first
 *   the hardware   the hardware in detail: ratio, number of pairs, verdict and its reason
 *   the gaps       what was not answered, and why
 *
 * The sentences go to any language of core/text/writer.h; how a number looks there, a form says.
 */
#pragma once

#include "core/text/writer.h"
#include "paper/claims/claims.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_answer {
    const sb_finding *buffer; /* NULL: no two runs differ in the buffer alone */
    struct {                  /* findings of a kind other than the buffer, of the most important study that has any */
        size_t n;
        const sb_finding *part;
    } hardware[SB_N_ASKED];
    const sb_finding *beside; /* the buffer in the reference of the study whose hardware is told, if that is another */
    bool gpu_ran, published_size_ran;
    bool
        learned_little; /* each run of `buffer` has a larger loss of the last frame than a copy of the frame before has */
    size_t n_claims, n_waiting; /* for hardware */
    const char *see;            /* the results that have GPU runs where these have none, by the claims file; NULL */
} sb_answer;

/* What it points into must outlive it. */
sb_answer sb_answer_of(const sb_claims *hardware, const sb_results *results, const sb_claims *claims);

/* What the answer rests on, for a figure or a table: the buffer, then the hardware; of more than SB_ANSWER_ROWS those
 * of the hardware whose ratio is nearest to 1 are left out. Returns how many of SB_ANSWER_ROWS there are. */
enum { SB_ANSWER_ROWS = 8 };
size_t sb_answer_rows(const sb_answer *answer, const sb_finding *row[SB_ANSWER_ROWS], size_t *n_left_out);

/* How a language shows a number: some words, which belong to the number of that label. NULL: the words alone. */
typedef void sb_answer_form(sb_writer *out, const char *label, const char *words);

/* A number of some words, the ratio of a verdict, and "95 % interval 1.05 to 1.15, " (nothing where it has none), each
 * as the number of that label. */
void sb_answer_write_number(sb_writer *out, sb_answer_form *form, const char *label, const char *words);
void sb_answer_write_ratio(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *verdict);
void sb_answer_write_interval(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *verdict);

/* "1.001 to 1.002", one number where both read alike */
void sb_answer_write_range(sb_writer *out, sb_answer_form *form, const sb_finding *low, const sb_finding *high);

/* "raises", and " by 10 % (95 % interval 5 to 15 %, ": the caller ends the bracket. From a ratio of 2 on "multiplies". */
const char *sb_answer_effect_verb(const sb_verdict *verdict);
void sb_answer_write_effect(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *verdict);

/* Why nothing is decided, in one clause: "2 pairs are too few". `count` is "2 pairs". */
void sb_answer_write_undecided(sb_writer *out, const sb_verdict *verdict, const char *count);

/* Clauses that "; " separates, such as a verdict's reason: each as a sentence of its own, with a space first. */
void sb_answer_write_sentences(sb_writer *out, const char *clauses);

/* Whole sentences. The answer and the gaps always say something; the hardware says nothing where none was compared. */
void sb_answer_write(sb_writer *out, const sb_answer *answer, sb_answer_form *form);
void sb_answer_write_hardware(sb_writer *out, const sb_answer *answer, sb_answer_form *form);
void sb_answer_write_gaps(sb_writer *out, const sb_answer *answer);

/* "PredNet at the published size", "PredNet with channels 3 8 16 32". */
void sb_answer_write_network(sb_writer *out, const sb_result *cell);

/* -- findings of one verdict, and what a sentence calls their machines: answer_names.c -- */

/* The findings of one verdict, in the order of their study. */
typedef struct sb_chosen {
    const sb_finding *part;
    size_t n, n_total, n_settings;
    sb_verdict_word word;
} sb_chosen;

extern const sb_verdict_word sb_chosen_order[SB_N_VERDICTS]; /* in which sentences name them */

sb_chosen sb_chosen_of(const sb_finding *part, size_t n, sb_verdict_word word);
const sb_finding *sb_chosen_next(const sb_chosen *chosen, const sb_finding *after); /* NULL after the last */

/* "i5-4590, i5-7600k and ryzen5-3600 (emulated)", of many their number */
enum { SB_CHOSEN_NAMES = 1024 };
void sb_chosen_names(const sb_chosen *chosen, char names[SB_CHOSEN_NAMES]);

/* "1.001 to 1.002 times", "no ratio to" */
void sb_chosen_write_ratios(sb_writer *out, sb_answer_form *form, const sb_chosen *chosen);

/* "6 pairs each", "5 runs or more each" */
enum { SB_CHOSEN_COUNT = 64 };
void sb_chosen_count(const sb_chosen *chosen, char text[SB_CHOSEN_COUNT]);

/* The hardware that the question is about first: a GPU, where one was compared. */
int sb_answer_main_kind(const sb_answer *answer);

/* Whether all of them were emulated. */
bool sb_answer_all_emulated(const sb_finding *part, size_t n);

/* Where all findings of the main kind have this verdict, "the emulated CPUs" and "the reference", else their names. */
typedef struct sb_names {
    char subject[SB_CHOSEN_NAMES], in_sentence[SB_CHOSEN_NAMES]; /* at the beginning, and later in a sentence */
    char count[SB_CHOSEN_COUNT];
    const char *object;
    bool plural;
} sb_names;
void sb_answer_names(sb_names *names, const sb_answer *answer, const sb_chosen *chosen);
