/* The figures. Each is a file of its own, figure_KIND.c, that draws it and words its caption; the table in figures.c
 * says which there are. A figure of a group is drawn for every group that it says something about, the others once. */
#ifndef SB_PAPER_FIGURES_FIGURES_H
#define SB_PAPER_FIGURES_FIGURES_H

#include "core/status.h"
#include "paper/claims/answer.h"
#include "paper/claims/question.h"
#include "paper/compare/published.h"
#include "paper/effects/arms.h"
#include "paper/effects/batches.h"
#include "paper/effects/spread.h"
#include "paper/figures/gnuplot.h"
#include "paper/results/distance_curves.h"
#include "paper/results/families.h"
#include "paper/results/generation_curves.h"
#include "paper/results/trust_ratios.h"
#include "paper/results/turns.h"

#include <stdbool.h>
#include <stdio.h>

/* The most points of a loss curve; longer ones are thinned (band.h). */
enum { SB_FIGURE_CURVE_POINTS = 120, SB_FIGURE_NAME = 128 };

/* What figures are drawn from. */
typedef struct sb_figure_subject {
    const sb_group *group; /* NULL for a figure of all results */
    const sb_arms *arms;
    const sb_spreads *spreads;
    const sb_published *published;
    const sb_distance_curves *distances;
    const sb_generation_curves *generations;
    const sb_families *families;
    const sb_trust_ratios *trust;
    const sb_batches *batches;
    const sb_turns *turns;
    const sb_baseline_losses *baselines;
    const sb_answer *answer;
    const sb_question *question;
    const char *folder; /* of the collected results, for layers-MODEL.csv */
} sb_figure_subject;

typedef struct sb_figure {
    char name[SB_FIGURE_NAME]; /* of its files without folder and ending: "effect-prednet-walk" */
    const char *kind;          /* "effect" */
    const sb_group *group;     /* NULL: of all results */
    const char *label;         /* in a few words, for those who do not see it */
    char *caption;             /* plain text, whole sentences; the list's */
} sb_figure;

typedef struct sb_figures { /* {0} is an empty list */
    size_t n, room;
    sb_figure *figure; /* those of all results first, then group by group */
} sb_figures;

/* Draw every figure that has something to show into an existing folder, as NAME.gp, NAME.svg and NAME-narrow.svg. The
 * subject's group is set here. A failed call leaves nothing to free. */
sb_status sb_figures_draw(sb_figures *figures, const sb_figure_subject *subject, const char *folder);
void sb_figures_free(sb_figures *figures);

/* -- one kind each: whether there is anything to draw, the picture, and what a reader must know to read it -- */

/* Shared over copy for each pair of seeds, with geometric mean and interval, a rule at 1. */
bool sb_figure_effect_wanted(const sb_figure_subject *s);
sb_status sb_figure_effect(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_effect_caption(sb_writer *out, const sb_figure_subject *s);

/* The final loss of every cell, with mean and interval of its arm, pairs joined. */
sb_status sb_figure_final(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_final_caption(sb_writer *out, const sb_figure_subject *s);

/* Loss over updates: median and range over the seeds, a panel for each setting and loss. */
sb_status sb_figure_curves(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_curves_caption(sb_writer *out, const sb_figure_subject *s);

/* Final loss by target and device, CPU and GPU: the two by two of the question. */
bool sb_figure_devices_wanted(const sb_figure_subject *s);
sb_status sb_figure_devices(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_devices_caption(sb_writer *out, const sb_figure_subject *s);

/* Final loss of every published configuration, in the published order; absent ones too. */
bool sb_figure_configurations_wanted(const sb_figure_subject *s);
sb_status sb_figure_configurations(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_configurations_caption(sb_writer *out, const sb_figure_subject *s);

/* -- of all results -- */

/* What the answer rests on: the pairs of the buffer and of the hardware, on one axis of ratios. */
bool sb_figure_answer_wanted(const sb_figure_subject *s);
sb_status sb_figure_answer(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_answer_caption(sb_writer *out, const sb_figure_subject *s);

/* What the claims came to that answer the results' own question: a strip of pairs for each, on one axis of ratios. */
bool sb_figure_verdicts_wanted(const sb_figure_subject *s);
sb_status sb_figure_verdicts(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_verdicts_caption(sb_writer *out, const sb_figure_subject *s);

/* The networks, from layers-prednet.csv and layers-autoencoder.csv among the results. */
bool sb_figure_prednet_wanted(const sb_figure_subject *s);
sb_status sb_figure_prednet(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_prednet_caption(sb_writer *out, const sb_figure_subject *s);
bool sb_figure_autoencoder_wanted(const sb_figure_subject *s);
sb_status sb_figure_autoencoder(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_autoencoder_caption(sb_writer *out, const sb_figure_subject *s);

/* How far final losses come apart by one source alone, beside published ones. */
bool sb_figure_spread_wanted(const sb_figure_subject *s);
sb_status sb_figure_spread(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_spread_caption(sb_writer *out, const sb_figure_subject *s);

/* The effect of the buffer by the length of the window, where there are runs of three lengths. */
bool sb_figure_dose_wanted(const sb_figure_subject *s);
sb_status sb_figure_dose(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_dose_caption(sb_writer *out, const sb_figure_subject *s);

/* The same by how much the video changes from frame to frame, where there are runs on three data sets. */
bool sb_figure_change_wanted(const sb_figure_subject *s);
sb_status sb_figure_change(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_change_caption(sb_writer *out, const sb_figure_subject *s);

/* How far apart the weights of paired runs are over the updates. */
bool sb_figure_distance_wanted(const sb_figure_subject *s);
sb_status sb_figure_distance(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_distance_caption(sb_writer *out, const sb_figure_subject *s);

/* Best, median and worst individual by generation, of runs without gradients. */
bool sb_figure_fitness_wanted(const sb_figure_subject *s);
sb_status sb_figure_fitness(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_fitness_caption(sb_writer *out, const sb_figure_subject *s);

/* Who descends from whom among the parents of each generation, and the line of the best one. */
bool sb_figure_family_wanted(const sb_figure_subject *s);
sb_status sb_figure_family(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_family_caption(sb_writer *out, const sb_figure_subject *s);

/* In which generation an arithmetic first turned a comparison, where there are two arms of Deep GA. */
bool sb_figure_turns_wanted(const sb_figure_subject *s);
sb_status sb_figure_turns(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_turns_caption(sb_writer *out, const sb_figure_subject *s);

/* By which ratios layer-wise optimisers multiplied the rate of each tensor. */
bool sb_figure_trust_wanted(const sb_figure_subject *s);
sb_status sb_figure_trust(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_trust_caption(sb_writer *out, const sb_figure_subject *s);

/* Test images that are wrong by batch, a panel for each optimiser, and means with their intervals. */
bool sb_figure_batches_wanted(const sb_figure_subject *s);
sb_status sb_figure_batches(const sb_figure_subject *s, const char *folder, const char *name);
void sb_figure_batches_caption(sb_writer *out, const sb_figure_subject *s);

/* -- shared by them -- */

/* " Without learning ...": the last-frame losses of the baselines of a group; nothing where they are not known. */
void sb_figure_baselines_caption(sb_writer *out, const sb_figure_subject *s);

/* A recipe in words (recipe.h) as a title of two lines. */
enum { SB_FIGURE_TITLE = 160 };
void sb_figure_recipe_title(const char *recipe, char title[SB_FIGURE_TITLE]);

/* Of a run without gradients: "openblas Haswell, 2 threads", "native imitate-tf32"; "ga: deep-ga, openblas Haswell". */
void sb_figure_search_setting(const sb_result *cell, char text[SB_FIGURE_TITLE]);
void sb_figure_search_title(const sb_result *cell, char title[SB_FIGURE_TITLE]);

/* The interval of a mean loss as it is drawn: the mean itself of too few runs; on logarithmic axes a lower end near or
 * below 0 stops at a quarter of the smallest loss. */
double sb_figure_low(const sb_summary *summary);
double sb_figure_high(const sb_summary *summary);

/* From the smallest to the largest final loss of a group's cells, or end of an interval. */
void sb_figure_loss_range(const sb_group *group, sb_metric metric, double *low, double *high);

/* A seed's place beside the middle of its arm, in [-0.5, 0.5]; the same in every figure and run. */
double sb_figure_jitter(long seed);

/* Behind "open: emulated": ", crosses: imitated" where the group has such runs, else nothing. NULL: nothing. */
const char *sb_figure_crosses(const sb_group *group);

/* The settings of a group that are drawn, one after the other; NULL behind the last. One whose runs are those of an
 * earlier setting, bit for bit, is drawn with that one. */
const sb_configuration *sb_figure_next(const sb_group *group, const sb_configuration *after);
size_t sb_figure_count(const sb_group *group);

/* What a setting and those drawn with it are called: "openblas, i5-4590, i5-7600k and i7-6800k". */
enum { SB_FIGURE_WORDS = 384 };
void sb_figure_words(const sb_group *group, const sb_configuration *setting, char words[SB_FIGURE_WORDS]);

/* The same as the beginning of a list's name in a script: "openblas_i5_4590". */
enum { SB_FIGURE_LIST = 96 };
void sb_figure_list(const sb_configuration *setting, char name[SB_FIGURE_LIST]);

/* The losses that a group's runs tell apart: 1 where both are the same numbers, as those of an autoencoder are. */
int sb_figure_n_metrics(const sb_group *group);
const char *sb_figure_metric_title(const sb_group *group, int metric);

/* Whether any setting of the group has that arm. */
bool sb_figure_has_target(const sb_group *group, int target);

/* Settings up to which a caption names every one. */
enum { SB_FIGURE_NAMED = 4 };

#endif
