/* Findings as strips, one below the other, on one axis of ratios: a mark for each pair of runs, the mean with its interval,
 * and a rule at 1.
 *
 *     sb_strips list = {.n = 1, .row = {{finding, 0, "shared / copied"}}, .mark = marks, .n_marks = 1};
 *     return sb_strips_draw(&list, "final loss relative to the partner", folder, name);
 */
#ifndef SB_PAPER_FIGURES_STRIPS_H
#define SB_PAPER_FIGURES_STRIPS_H

#include "paper/figures/figures.h"

/* How the pairs of some rows are drawn: a list of gnuplot's, its words in the key, and its style. */
typedef struct sb_strip_mark {
    const char *list, *title;
    int style;
} sb_strip_mark;

enum { SB_STRIPS_MOST = SB_ANSWER_ROWS }; /* a first screen holds no more */

typedef struct sb_strip {
    const sb_finding *finding;
    int mark; /* of its pairs */
    char words[2 * SB_FIGURE_WORDS + 128];
} sb_strip;

typedef struct sb_strips {
    size_t n, n_left_out;
    sb_strip row[SB_STRIPS_MOST];
    const sb_strip_mark *mark;
    int n_marks;
} sb_strips;

sb_status sb_strips_draw(const sb_strips *strips, const char *axis, const char *folder, const char *name);

#endif
