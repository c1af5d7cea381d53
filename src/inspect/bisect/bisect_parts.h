/* Shared by the files of a bisection: its two sides and the traces of their updates (bisect_side.c), the trial of
 * single settings (bisect_causes.c), and runs without gradients (bisect_generations.c). */
#pragma once

#include "core/file.h"
#include "inspect/bisect/bisect.h"
#include "inspect/bisect/divergence.h"
#include "inspect/links.h"
#include "train/readback.h"

enum { SB_BISECT_WORDS = 2 * SB_READBACK_SETTINGS + 16 };

typedef struct sb_bisect_side {
    char letter; /* 'a' or 'b' */
    const char *path;
    sb_h5 *run;
    sb_links links;
    sb_readback readback;
    sb_traced traced;
} sb_bisect_side;

typedef struct sb_bisection {
    const sb_bisect_options *options;
    sb_bisect_facts *facts;
    FILE *out;
    char folder[SB_PATH_MAX - 64];
    sb_bisect_side a, b;
    sb_parting parting;      /* the first update that differs, directly after the last one that is the same */
    char start[SB_PATH_MAX]; /* a run that ends before that update; "": the initial weights */
} sb_bisection;

/* Open a run file; read its chain and its settings. */
sb_status sb_bisect_side_open(sb_bisect_side *side, char letter, const char *path);
void sb_bisect_side_close(sb_bisect_side *side);

/* The path of NAME in the folder of the bisection. */
void sb_bisect_path(const sb_bisection *bisection, const char *name, char path[SB_PATH_MAX]);

/* Train with the settings for `updates` updates into the run file at path. all_links: an entry of the chain for each
 * update, else only for the last. */
sb_status sb_bisect_train(const sb_bisection *bisection, const sb_readback *settings, int64_t updates, bool all_links,
                          const char *path);

/* Trace the update at which the two runs diverge, from the same state. keep: the row whose numbers are kept, or
 * SB_TRACE_HASHES. what: name of the trace in the progress on stderr. */
sb_status sb_bisect_trace(const sb_bisection *bisection, const sb_readback *settings, long keep, const char *what,
                          sb_traced *traced);

/* Find which differing setting causes the difference: try each alone, B's value in A and A's value in B. */
sb_status sb_bisect_causes(const sb_bisection *bisection);

/* repeat: train one side again up to the recorded divergence, with an entry for each update, and replace its chain by
 * the new one. *repeats: this machine reproduces the recorded entries. other_machine: print what it means that a side
 * does not repeat; returns SB_E_DIFFERS. */
sb_status sb_bisect_repeat(const sb_bisection *bisection, sb_bisect_side *side, bool *repeats);
sb_status sb_bisect_other_machine(const sb_bisection *bisection, bool a_repeats, bool b_repeats);

/* For two runs without gradients that diverge: where they chose different parents, and which setting causes it. A trial
 * evolves from the start up to that generation. */
sb_status sb_bisect_generations(sb_bisection *bisection);

/* Evolve with these settings up to the divergence. *got: the run with the same entries. */
sb_status sb_bisect_evolve(const sb_bisection *bisection, const sb_readback *settings, const char *what,
                           sb_bisect_bits *got);

typedef struct sb_bisect_trial {
    const char *setting;       /* "backend" */
    sb_bisect_bits in_a, in_b; /* of A with B's setting, of B with A's */
} sb_bisect_trial;

/* Print the conclusion from the trials of all differing settings, in one or two sentences. A setting alone causes the
 * difference if it turns A into B, or B into A. Normally both hold; if only one does, the other side's bits depend on
 * more settings. */
void sb_bisect_conclude(const sb_bisect_trial *trial, int n, FILE *out);
