/* What the files of a bisection share: its two sides and how their updates are traced (bisect_side.c), the trial of
 * single settings (bisect_causes.c), and runs without gradients (bisect_generations.c). */
#ifndef SB_INSPECT_BISECT_PARTS_H
#define SB_INSPECT_BISECT_PARTS_H

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
    sb_parting parting;      /* the first update that differs, and no other between it and the last same one */
    char start[SB_PATH_MAX]; /* a run that ends before it; "" for the start weights */
} sb_bisection;

/* Open a run file: its links, and its settings. */
sb_status sb_bisect_side_open(sb_bisect_side *side, char letter, const char *path);
void sb_bisect_side_close(sb_bisect_side *side);

/* NAME in the folder of the bisection. */
void sb_bisect_path(const sb_bisection *bisection, const char *name, char path[SB_PATH_MAX]);

/* Train the settings for that number of updates into the run file at path, with a link for each or for the last one
 * alone. */
sb_status sb_bisect_train(const sb_bisection *bisection, const sb_readback *settings, int64_t updates, bool all_links,
                          const char *path);

/* Trace the update at which the two part, from the same start; keep: a row whose numbers are wanted, or
 * SB_TRACE_HASHES. what: who is traced, for the progress on stderr. */
sb_status sb_bisect_trace(const sb_bisection *bisection, const sb_readback *settings, long keep, const char *what,
                          sb_traced *traced);

/* Which of the settings that differ between the sides makes the difference: each is tried alone, B's in
 * A and A's in B. */
sb_status sb_bisect_causes(const sb_bisection *bisection);

/* One side once more, with a link for each update up to where they part as recorded, in place of those it has: does it
 * come out so here? And what is said where one of them does not: SB_E_DIFFERS. */
sb_status sb_bisect_repeat(const sb_bisection *bisection, sb_bisect_side *side, bool *repeats);
sb_status sb_bisect_other_machine(const sb_bisection *bisection, bool a_repeats, bool b_repeats);

/* Of two runs without gradients that part: where they chose other parents, and which setting makes the difference. A
 * trial evolves up to there, from the start. */
sb_status sb_bisect_generations(sb_bisection *bisection);

/* Whose links has an evolution with these settings, up to where the two part? */
sb_status sb_bisect_evolve(const sb_bisection *bisection, const sb_readback *settings, const char *what,
                           sb_bisect_bits *got);

typedef struct sb_bisect_trial {
    const char *setting;       /* "backend" */
    sb_bisect_bits in_a, in_b; /* of A with B's setting, of B with A's */
} sb_bisect_trial;

/* What the trials of all settings that differ between the sides say, in one or two sentences. A setting makes the
 * difference alone where it turns A into B, or B into A; both ways is what one expects, one way means that the other
 * side's bits depend on more than that. */
void sb_bisect_conclude(const sb_bisect_trial *trial, int n, FILE *out);

#endif
