/* Cells grouped into what is compared.
 *
 *   group    one study on one data set: whatever may stand on one axis
 *   setting  all that two arms share but the target: backend, arithmetic, hardware, threads, ...
 *   arm      a setting with one target; its cells differ in the seed alone
 *   pair     the two cells of a setting with one seed, that is with the same initial weights
 *
 * Cells of different evidence, or of another draw of imitated atomics, never share an arm; cells of a one-ulp ensemble
 * (ulp > 0, verdict.h) are in none. The order is fixed: studies, data sets and settings by the lists in arms.c, then
 * by name, so that the rows of the csv files may come in any order.
 */
#pragma once

#include "core/status.h"
#include "paper/results/condition.h"
#include "paper/results/results.h"
#include "paper/statistics/stats.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_arm {
    const struct sb_group *group;
    const struct sb_configuration *setting;
    sb_target target;
    size_t n;               /* cells; 0: this condition was not run */
    const sb_result **cell; /* by seed, ascending, each seed once */
    size_t n_diverged;      /* of them */
    /* Where some diverged, there is no mean: NaN but for n, and min and max of the others. */
    sb_summary summary[SB_N_METRICS];
} sb_arm;

typedef struct sb_pair {
    const sb_result *cell[SB_N_TARGETS];
} sb_pair;

typedef struct sb_configuration {
    const sb_result *cell; /* any of its cells, for the facts all of them share */
    char label[256];       /* what tells it from the others of its group, parts separated by ", " */
    char part[96];         /* the same as part of a number's label: "openblas-i5-4590" */
    sb_arm arm[SB_N_TARGETS];
    size_t n_pairs;
    sb_pair *pair;                       /* by seed, ascending */
    sb_ratio effect[SB_N_METRICS];       /* shared over copy; where a run of a pair diverged, NaN but for n */
    const struct sb_configuration *twin; /* the first of the group that has the very same runs, if that is another */
} sb_configuration;

typedef struct sb_group {
    const char *study, *data;
    sb_result_list cells; /* of all arms, by setting, target and seed */
    char slug[64];        /* study and data as part of a file name */
    char part[64];        /* the same as part of a number's label: the study alone where it has one data set */
    size_t n_settings;
    sb_configuration *setting;
    size_t n_pairs; /* of all settings */
} sb_group;

typedef struct sb_arms {
    size_t n_groups;
    sb_group *group;
    size_t n;
    const sb_arm **arm; /* all arms that have cells, in the order of the groups and their settings */
    /* What the above point into. */
    sb_result_list sorted; /* fewer than the results have: cells of an ensemble are not among them */
    sb_configuration *setting;
    sb_pair *pair;
} sb_arms;

/* Group, pair and measure. results must outlive arms. A seed that stands twice in an arm is SB_E_INTEGRITY. The caller
 * frees, also after a failure. */
sb_status sb_arms_group(sb_arms *arms, const sb_results *results);
void sb_arms_free(sb_arms *arms);

/* A note for each setting that lacks a target which others of its group have, or partners. A target that a whole group
 * lacks is a gap only where the study asks about targets, and is none of a network that classifies. */
sb_status sb_arms_note_gaps(const sb_arms *arms, bool asks_of_targets, sb_notes *notes);

/* A note for each arm of which runs diverged. */
sb_status sb_arms_note_divergence(const sb_arms *arms, sb_notes *notes);

/* "STUDY/SETTING TARGET"; of another program's results the condition. */
enum { SB_ARM_TEXT = 384 };
void sb_arm_text(const sb_arm *arm, char text[SB_ARM_TEXT]);

/* The same seeds ended with the same weights and losses. */
bool sb_arm_same_runs(const sb_arm *a, const sb_arm *b);
