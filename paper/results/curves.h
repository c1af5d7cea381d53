/* Curves of many runs as one: at each point the median, the smallest and the largest value of them. Tables of collected
 * results as such curves, which lie over each other in panels. */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_curve {             /* {0} holds none */
    size_t n;                         /* points */
    double *at, *median, *low, *high; /* [n]; at: the update or generation */
    size_t n_none;                    /* values of the table that are in no point */
} sb_curve;

/* A curve without points, with room for n. */
sb_status sb_curve_make(sb_curve *curve, size_t n);
void sb_curve_free(sb_curve *curve);

/* A point of value [n], which is sorted; nothing where n is 0. */
void sb_curve_add(sb_curve *curve, double at, double *value, size_t n);

enum { SB_CURVES_MOST = 3 };

typedef struct sb_curve_panel {
    const sb_result *cell; /* any of the runs */
    size_t n_runs;         /* the most values of a point */
    sb_curve curve[SB_CURVES_MOST];
} sb_curve_panel;

typedef struct sb_curves { /* {0} holds none */
    size_t n;
    sb_curve_panel *panel;
} sb_curves;

/* The relative distances of the weights of paired cells over the updates, FOLDER/distances.csv: a panel for each recipe,
 * by the order of recipes, and a curve for each thing in which pairs differ. Pairs of the same bits, of distance 0, are
 * in no point.
 *
 * No such file is no distances. SB_E_INTEGRITY: a row makes no sense, or names a cell that is none of the results. A
 * failed call leaves nothing to free. */
typedef enum sb_differs { SB_DIFFERS_TARGET, SB_DIFFERS_SETTING, SB_DIFFERS_ULP, SB_N_DIFFERS } sb_differs;
extern const char *const sb_differs_name[SB_N_DIFFERS]; /* "target", "setting", "ulp" */
sb_status sb_curves_of_distances(sb_curves *curves, const char *folder, const sb_results *results);

/* What the generations of runs without gradients were like, FOLDER/generations.csv, in the same way: a panel for each
 * arm, in the order of cells.csv, and curves of the losses of the best, the median and the worst individual. An arm is
 * the runs of a study that differ in their seeds alone (recipe.h). Losses that are no number are in no point. */
typedef enum sb_individual_rank { SB_RANK_BEST, SB_RANK_MEDIAN, SB_RANK_WORST, SB_N_RANKS } sb_individual_rank;
sb_status sb_curves_of_generations(sb_curves *curves, const char *folder, const sb_results *results);

void sb_curves_free(sb_curves *curves);

/* Who descends from whom in runs of Deep GA: parents.csv as a family for each run. There is no crossover, so that
 * everybody has one ancestor in each generation. */

/* One that was chosen as a parent. */
typedef struct sb_kin {
    long generation, rank; /* rank 0 is the best */
    long individual;       /* its number in the generation */
    size_t parent;         /* the family's; SB_NO_KIN: of none that was chosen, as in the first generation */
    bool is_of_champion;   /* the best of the last generation, or an ancestor of it */
} sb_kin;

#define SB_NO_KIN SIZE_MAX

typedef struct sb_family {
    const sb_result *cell;
    bool is_first; /* of its arm (above) in cells.csv */
    size_t n;
    sb_kin *kin;   /* by generation and rank */
    long n_ranks;  /* the largest rank, and 1 */
    long ancestor; /* the last generation in which all of the last one have the same ancestor; -1: there is none */
} sb_family;

typedef struct sb_families { /* {0} holds none */
    size_t n;
    sb_family *family; /* in the order of cells.csv */
} sb_families;

/* FOLDER/parents.csv; no such file is no families. SB_E_INTEGRITY: a row makes no sense, or names a cell that is none
 * of the results. The caller frees, also after a failure. */
sb_status sb_families_read(sb_families *families, const char *folder, const sb_results *results);
void sb_families_free(sb_families *families);

typedef struct sb_turn {
    const sb_result *reference, *cell;
    long generation; /* -1: none */
} sb_turn;

typedef struct sb_turn_arm {
    const sb_result *reference, *cell; /* the first pair */
    long generations;                  /* that were compared, of the longest pair */
    size_t n, n_turned;                /* pairs */
    sb_turn *turn;                     /* [n] */
} sb_turn_arm;

typedef struct sb_turns { /* {0} holds none */
    size_t n;
    sb_turn_arm *arm; /* in the order of cells.csv */
} sb_turns;

/* Of all families that begin with the first generation. The families' cells must outlive it. The caller frees, also
 * after a failure. */
sb_status sb_turns_find(sb_turns *turns, const sb_families *families);
void sb_turns_free(sb_turns *turns);

/* By which ratios layer-wise optimisers multiplied the learning rates of the tensors: trust.csv as a row for each arm and
 * tensor. An arm is the runs of a study that differ in their seeds alone (recipe.h). */

enum { SB_TRUST_NAME = 64 };

typedef struct sb_trust_tensor {
    char name[SB_TRUST_NAME]; /* "conv1/w" */
    double first, last;       /* ratio at the end of the first and of the last epoch: median over the runs */
    double low, high;         /* of all epochs and runs */
} sb_trust_tensor;

typedef struct sb_trust_arm {
    const sb_result *cell; /* the first of the arm in cells.csv */
    size_t n_runs, n_epochs;
    size_t n;                /* tensors that ever had a ratio, */
    sb_trust_tensor *tensor; /* in the order of the network */
} sb_trust_arm;

typedef struct sb_trust_ratios { /* {0} holds none */
    size_t n;
    sb_trust_arm *arm; /* in the order of cells.csv */
} sb_trust_ratios;

/* Was its ratio always 1, as for vectors in most of these rules? */
static inline bool sb_trust_is_fixed(const sb_trust_tensor *tensor)
{
    return tensor->low == 1 && tensor->high == 1;
}

/* The arm's tensor of that name; NULL if it has none. */
const sb_trust_tensor *sb_trust_find(const sb_trust_arm *arm, const char *name);

/* Has any arm a tensor whose ratio was not 1 all the time? */
bool sb_trust_ratios_vary(const sb_trust_ratios *ratios);

/* FOLDER/trust.csv; no such file is no ratios. SB_E_INTEGRITY: a row makes no sense, runs of one arm have other tensors,
 * or a row names a cell that is none of the results. The caller frees, also after a failure. */
sb_status sb_trust_ratios_read(sb_trust_ratios *ratios, const char *folder, const sb_results *results);
void sb_trust_ratios_free(sb_trust_ratios *ratios);
