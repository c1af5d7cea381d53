/* Where two runs diverge, from their run files alone. */
#pragma once

#include "core/status.h"
#include "inspect/generations.h"
#include "inspect/links.h"
#include "io/h5/h5.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_diff_fact { /* an attribute that differs, or that only one run has */
    const char *group;        /* "config", "env"; of recordings also "optimizer" */
    char *name, *value[2];    /* value NULL: the run has none */
} sb_diff_fact;

typedef struct sb_diff_point {
    int64_t update;
    double distance;
} sb_diff_point;

typedef struct sb_diff { /* two runs, A and B, of samebits or of another program (external/recorded.h) */
    const char *path[2];
    sb_parting parting;
    bool differs;         /* an entry of the chains differs */
    struct {              /* for another program; NULL and "": not known */
        const char *kind; /* "other network", "other initial weights", "other batch", "other generator", "no step" */
        const char *how;  /* for a batch: "the same samples in another order"; for a step: which run made none */
        char tensor[256]; /* the first tensor that differs */
    } other;
    int64_t loss_update;                /* first update whose recorded losses differ; 0: none that both runs have */
    size_t n_updates;                   /* updates that both have */
    sb_parents_compared selection;             /* for runs without gradients: their parents */
    bool update_there, last_there;      /* both have a loss at the first entry that differs; both have any loss */
    double loss_there[2], loss_last[2]; /* losses of that update, and of the last update that both have */
    sb_diff_fact *fact;
    size_t n_facts;
    size_t n_tensors, n_different; /* tensors of the final weights; 0: the runs end at different updates */
    double distance, largest;      /* L2 distance of the weights, and largest difference of one number */
    char where[96];                /* place of the largest */
    sb_diff_point *point;          /* L2 distances of the weights during the run, from sketches */
    size_t n_points;
} sb_diff;

/* Compare two run files (finished or not): entries of the chain, losses, configuration, environment, weights.
 * SB_E_EMPTY: the runs have no entry in common, no other common data differs, and not all of their losses and weights
 * could be compared. The caller frees diff, also after a failure. */
sb_status sb_diff_runs(sb_diff *diff, const char *path_a, const char *path_b);
void sb_diff_free(sb_diff *diff);

/* Add a fact; the texts are copied. */
sb_status sb_diff_keep(sb_diff *diff, const char *group, const char *name, const char *a, const char *b);

/* Are all updates that both have the same, bit for bit? */
bool sb_diff_is_same(const sb_diff *diff);

/* SB_OK: all updates that both have are the same, bit for bit. SB_E_DIFFERS with a message: where they diverge. */
sb_status sb_diff_judge(const sb_diff *diff);

void sb_diff_print(const sb_diff *diff, FILE *out);

/* Print the facts of a group, a line each. */
void sb_diff_print_group(const sb_diff *diff, const char *group, FILE *out);

/* Print the differences between the attributes of a group ("config", "env") of two open run files, a line each. */
sb_status sb_diff_group(sb_h5 *a, sb_h5 *b, const char *group, FILE *out);
