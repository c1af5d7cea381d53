/* The figures of a group. Each is a file of its own, figure_KIND.c, and reads its numbers from the arms. */
#ifndef SB_PAPER_FIGURES_H
#define SB_PAPER_FIGURES_H

#include "core/status.h"
#include "paper/arms.h"
#include "paper/gnuplot.h"

#include <stdbool.h>

typedef enum sb_figure_kind { SB_FIGURE_EFFECT, SB_FIGURE_FINAL, SB_FIGURE_CURVES, SB_N_FIGURES } sb_figure_kind;

/* The most points of a loss curve; longer ones are thinned (band.h). */
enum { SB_FIGURE_CURVE_POINTS = 120, SB_FIGURE_NAME = 128 };

/* The name of its files without folder and ending: "effect-prednet-walk". */
void sb_figure_name(sb_figure_kind kind, const sb_group *group, char name[SB_FIGURE_NAME]);

/* Whether there is anything to draw: an effect needs pairs. */
bool sb_figure_wanted(sb_figure_kind kind, const sb_group *group);

/* All wanted figures of all groups into an existing folder. */
sb_status sb_figures_draw(const sb_arms *arms, const char *folder);

/* Shared over copy for each pair of seeds, with geometric mean and interval, a rule at 1. */
sb_status sb_figure_effect(const sb_group *group, const char *folder, const char *name);
/* The final loss of every cell, with mean and interval of its arm, pairs joined. */
sb_status sb_figure_final(const sb_group *group, const char *folder, const char *name);
/* Loss over updates: median and range over the seeds, a panel for each setting and loss. */
sb_status sb_figure_curves(const sb_group *group, const char *folder, const char *name);

/* -- shared by them -- */

/* A seed's place beside the middle of its arm, in [-0.5, 0.5]; the same in every figure and run. */
double sb_figure_jitter(long seed);

/* Whether any setting of the group has that arm. */
bool sb_figure_has_target(const sb_group *group, int target);

/* Whether the group holds measured (false) or emulated (true) cells, for the key. */
bool sb_figure_has(const sb_group *group, bool emulated);

#endif
