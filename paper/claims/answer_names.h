/* Parts of answer_write.c: findings of one verdict, and what a sentence calls their machines. */
#pragma once

#include "paper/claims/answer.h"

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
