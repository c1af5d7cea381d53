/* The figures. Each is a file of its own, figure_KIND.c: it draws the figure, words its caption, and ends with the
 * constant row that says where the figure belongs. SB_FIGURES lists the rows. */
#pragma once

#include "core/status.h"
#include "paper/claims/question.h"
#include "paper/compare/compare.h"
#include "paper/effects/arms.h"
#include "paper/effects/measures.h"
#include "paper/figures/chart.h"
#include "paper/results/curves.h"

#include <stdbool.h>

/* The most points of a loss curve; longer ones are thinned. */
enum { SB_FIGURE_CURVE_POINTS = 120, SB_FIGURE_NAME = 128 };

/* What figures are drawn from. */
typedef struct sb_figure_subject {
    const struct sb_figure_kind *kind;
    const sb_group *group; /* NULL for a figure of all results */
    const sb_arms *arms;
    const sb_spreads *spreads;
    const sb_published *published;
    const sb_curves *distances, *generations;
    const sb_families *families;
    const sb_trust_ratios *trust;
    const sb_batches *batches;
    const sb_turns *turns;
    const sb_baseline_losses *baselines;
    const sb_question *hardware, *question; /* of the hardware, whatever the results ask; theirs */
    const char *folder; /* of the collected results, for layers-MODEL.csv */
} sb_figure_subject;

/* Each figure in the order in which it is drawn: X(ROW, FILE) is the constant sb_figure_ROW of figure_FILE.c. Nothing
 * else lists them: the program's sources come from here, too (paper/CMakeLists.txt). */
#define SB_FIGURES(X)                                                                                                  \
    X(answer, verdicts)                                                                                                \
    X(verdicts, verdicts)                                                                                              \
    X(architecture_prednet, architecture)                                                                              \
    X(architecture_autoencoder, architecture)                                                                          \
    X(dose, dose)                                                                                                      \
    X(change, dose)                                                                                                    \
    X(spread, spread)                                                                                                  \
    X(distance, distance)                                                                                              \
    X(fitness, fitness)                                                                                                \
    X(turns, turns)                                                                                                    \
    X(family, family)                                                                                                  \
    X(batches, batches)                                                                                                \
    X(trust, trust)                                                                                                    \
    X(effect, effect)                                                                                                  \
    X(devices, devices)                                                                                                \
    X(configurations, devices)                                                                                         \
    X(final, final)                                                                                                    \
    X(curves, curves)

/* Where on the page a figure is, and below it the figures of that section in the order of the list. */
typedef enum sb_figure_section {
    SB_SECTION_NONE,     /* a file alone */
    SB_SECTION_ANSWER,   /* next to the answer of the hardware question */
    SB_SECTION_VERDICTS, /* next to the answer of a question of claims */
    SB_SECTION_COMPARED,
    SB_SECTION_EFFECT, /* of a study with several settings */
    SB_SECTION_STUDY,
    SB_SECTION_SPREAD,
    SB_SECTION_GENERATIONS,
    SB_SECTION_BATCHES,
    SB_SECTION_LAYERS,
    SB_SECTION_NETWORKS
} sb_figure_section;

typedef struct sb_figure_kind {
    const char *name;  /* "effect" */
    const char *label; /* in a few words, for those who do not see it */
    sb_figure_section section;
    bool of_group;             /* drawn for each group; else once, of all results */
    const void *of;            /* data by which the file distinguishes its figures */
    const sb_chart_form *form; /* of a chart, which */
    sb_status (*fill)(sb_chart *chart, const sb_figure_subject *s); /* this fills; without a panel it is not drawn */
    bool (*is_wanted)(const sb_figure_subject *s);                  /* of what is no chart; NULL: always */
    sb_status (*draw)(const sb_figure_subject *s, const char *folder, const char *name);
    void (*caption)(sb_writer *out, const sb_figure_subject *s); /* what a reader must know to read it */
} sb_figure_kind;

#define SB_FIGURE_ROW(row, file) extern const sb_figure_kind sb_figure_##row;
SB_FIGURES(SB_FIGURE_ROW)
#undef SB_FIGURE_ROW

typedef struct sb_figure {
    char name[SB_FIGURE_NAME]; /* of its files without folder and ending: "effect-prednet-walk" */
    const sb_figure_kind *kind;
    const sb_group *group; /* NULL: of all results */
    char *caption;         /* plain text, whole sentences; the list's */
} sb_figure;

typedef struct sb_figures { /* {0} is an empty list */
    size_t n, room;
    sb_figure *figure; /* first the figures of all results, then group by group */
} sb_figures;

/* Draw every figure that has something to show into an existing folder, as NAME.gp, NAME.svg and NAME-narrow.svg. The
 * subject's group is set here. The caller frees, also after a failure. */
sb_status sb_figures_draw(sb_figures *figures, const sb_figure_subject *subject, const char *folder);
void sb_figures_free(sb_figures *figures);

/* -- shared by them -- */

/* The beginning of a table of series: grey marks by evidence, with their words in the key. */
#define SB_RATIO_MARKS(measured, emulated, imitated, at, jitter)                                                       \
    [SB_EVIDENCE_MEASURED] = {"measured", SB_MARKS, SB_STYLE_RATIO, measured, at, jitter},                             \
    [SB_EVIDENCE_EMULATED] = {"emulated", SB_MARKS, SB_STYLE_RATIO_OPEN, emulated, at, jitter},                        \
    [SB_EVIDENCE_IMITATED] = {"imitated", SB_MARKS, SB_STYLE_RATIO_CROSS, imitated, at, jitter}
enum { SB_SERIES_MEAN = SB_N_EVIDENCES_OF_RUNS, SB_N_RATIO_SERIES }; /* the means of such a table, after the marks */

/* Shared over copied target: each pair of a setting and their mean, as points of such series; x is their place in a
 * chart without rows. */
void sb_figure_pairs(sb_chart *chart, const sb_configuration *setting, int metric, double x);

/* " Without learning ...": the last-frame losses of the baselines of a group; nothing where they are not known. */
void sb_figure_baselines_caption(sb_writer *out, const sb_figure_subject *s);

/* The beginning of a table of series: the runs of each target, circles and squares, by evidence; KEY(TARGET, EVIDENCE)
 * gives their words in the key. After them the means. */
#define SB_RUN_MARK(target, evidence, style, key, jitter)                                                              \
    {                                                                                                                  \
        target "_" evidence, SB_MARKS, style, key(target, evidence), 0, jitter                                         \
    }
#define SB_RUN_MARKS(key, jitter)                                                                                      \
    SB_RUN_MARK("copy", "measured", SB_STYLE_SEED, key, jitter),                                                       \
        SB_RUN_MARK("copy", "emulated", SB_STYLE_SEED_OPEN, key, jitter),                                              \
        SB_RUN_MARK("copy", "imitated", SB_STYLE_SEED_CROSS, key, jitter),                                             \
        SB_RUN_MARK("shared", "measured", SB_STYLE_SEED + 1, key, jitter),                                             \
        SB_RUN_MARK("shared", "emulated", SB_STYLE_SEED_OPEN + 1, key, jitter),                                        \
        SB_RUN_MARK("shared", "imitated", SB_STYLE_SEED_CROSS + 1, key, jitter)
#define SB_RUN_KEY(target, evidence)    target ", " evidence
#define SB_RUN_NO_KEY(target, evidence) NULL
enum { SB_SERIES_RUN_MEAN = SB_N_TARGETS * SB_N_EVIDENCES_OF_RUNS, SB_N_RUN_SERIES };

/* The runs of a setting with one target and their mean, at their heights in the last row. */
void sb_figure_runs(sb_chart *chart, const sb_configuration *setting, int target, int metric, double at,
                    double at_mean);

/* A recipe in words (recipe.h) as a title of two lines. */
enum { SB_FIGURE_TITLE = 160 };
void sb_figure_recipe_title(const char *recipe, char title[SB_FIGURE_TITLE]);

/* Of a run without gradients: "openblas Haswell, 2 threads", "native imitate-tf32"; "ga: deep-ga, openblas Haswell". */
void sb_figure_search_setting(const sb_result *cell, char text[SB_FIGURE_TITLE]);
void sb_figure_search_title(const sb_result *cell, char title[SB_FIGURE_TITLE]);

/* After "open: emulated": ", crosses: imitated" where the group has such runs, else nothing. NULL: nothing. */
const char *sb_figure_crosses(const sb_group *group);

/* The settings of a group that are drawn, one after the other; NULL after the last. One whose runs are the runs of an
 * earlier setting, bit for bit, is drawn with that one. */
const sb_configuration *sb_figure_next(const sb_group *group, const sb_configuration *after);
size_t sb_figure_count(const sb_group *group);

/* What a setting and those drawn with it are called: "openblas, i5-4590, i5-7600k and i7-6800k". */
enum { SB_FIGURE_WORDS = 384 };
void sb_figure_words(const sb_group *group, const sb_configuration *setting, char words[SB_FIGURE_WORDS]);

/* The number of different losses of a group's runs: 1 if both losses are the same numbers, as for an autoencoder. */
int sb_figure_n_metrics(const sb_group *group);
const char *sb_figure_metric_title(const sb_group *group, int metric);

/* Whether any setting of the group has runs with this target. */
bool sb_figure_has_target(const sb_group *group, int target);

/* The loss curves of an arm as one of at most n_max points; none, where every training diverged at once. arm->n >= 1. The
 * curve of one that diverged ends early, and the points after it are of the others. SB_E_INTEGRITY if the other curves
 * of the arm differ in length. A failed call leaves nothing to free. */
sb_status sb_curve_of_arm(sb_curve *curve, const sb_arm *arm, sb_metric metric, size_t n_max);

/* The points of a curve, at most about n_most of them; 0: all. */
void sb_figure_curve(sb_chart *chart, const sb_curve *curve, int series, size_t n_most);

/* How many runs the conditions of a figure have: "5 seeds in each condition.", "3 to 5 seeds in a condition." */
typedef struct sb_figure_counts { /* {0}: of none */
    size_t least, most;
} sb_figure_counts;
void sb_figure_count_runs(sb_figure_counts *counts, size_t n);
void sb_figure_write_counts(sb_writer *out, const sb_figure_counts *counts, const char *what);

/* Settings up to which a caption names every one. */
enum { SB_FIGURE_NAMED = 4 };

/* Findings as strips, one below the other, on one axis of ratios: a mark for each pair of runs, the mean with its
 * interval, and a rule at 1. */
enum { SB_STRIPS_MOST = 8 }; /* a first screen holds no more */

typedef struct sb_strip {
    const sb_finding *finding;
    int series; /* series of its pairs; the last series of the chart is of the means */
    char words[2 * SB_FIGURE_WORDS + 128];
} sb_strip;

typedef struct sb_strips {
    size_t n, n_left_out;
    sb_strip row[SB_STRIPS_MOST];
} sb_strips;

#define SB_STRIP_MARKS(name, style, key)                                                                               \
    {                                                                                                                  \
        name, SB_MARKS, style, key, 0.13, 0.1                                                                          \
    }
#define SB_STRIP_MEAN                                                                                                  \
    {                                                                                                                  \
        "mean", SB_MEANS, SB_STYLE_MEAN, "mean, 95 % interval", -0.13                                                  \
    }

/* The one panel of such a chart. Its axis is never so narrow that a difference of one rounding looks like one of
 * anything; its width is that at which its text is as large as the page's, next to the answer and alone. */
#define SB_STRIPS_FORM(table)                                                                                          \
    {                                                                                                                  \
        .rows = SB_ROWS_STRIPS, .layout = {.width = 700},                                                              \
        .x = {.label = "final loss relative to the partner; dotted: equal",                                            \
              .column = "ratio",                                                                                       \
              .low = 0.87,                                                                                             \
              .high = 1.15,                                                                                            \
              .room = 0.04},                                                                                           \
        .series = table, .n_series = sizeof table / sizeof *table                                                      \
    }
void sb_strips_fill(const sb_strips *strips, sb_chart *chart);
