/* Findings as strips, one below the other, on one axis of ratios: a mark for each pair of runs, the mean with its
 * interval, and a rule at 1. */
#ifndef SB_PAPER_FIGURES_STRIPS_H
#define SB_PAPER_FIGURES_STRIPS_H

#include "paper/figures/figures.h"

enum { SB_STRIPS_MOST = SB_ANSWER_ROWS }; /* a first screen holds no more */

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
        .x = {.label = "final loss relative to the partner; dotted: equal",                                                          \
              .column = "ratio",                                                                                       \
              .low = 0.87,                                                                                             \
              .high = 1.15,                                                                                            \
              .room = 0.04},                                                                                           \
        .series = table, .n_series = sizeof table / sizeof *table                                                      \
    }
void sb_strips_fill(const sb_strips *strips, sb_chart *chart);

#endif
