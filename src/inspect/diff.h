/* Where two runs part, from their run files alone. */
#ifndef SB_INSPECT_DIFF_H
#define SB_INSPECT_DIFF_H

#include "core/status.h"
#include "inspect/generations.h"
#include "inspect/links.h"
#include "inspect/losses.h"
#include "io/h5/h5.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_diff_fact { /* an attribute that differs, or that one run alone has */
    const char *group;        /* "config", "env" */
    char *name, *value[2];    /* value NULL: it has none */
} sb_diff_fact;

typedef struct sb_diff_point {
    int64_t update;
    double distance;
} sb_diff_point;

typedef struct sb_diff { /* two runs, A and B: of samebits, or (external/recorded.h) of another program */
    const char *path[2];
    sb_parting parting;
    bool differs;         /* an entry of the chains does */
    struct {              /* of another program; NULL and "": not known */
        const char *kind; /* "other network", "other initial weights", "other batch", "other generator" */
        const char *how;  /* of a batch: "the same samples in another order" */
        char tensor[256]; /* the first that differs */
    } other;
    int64_t loss_update;                /* the first whose recorded losses differ; 0: none of those that both have */
    size_t n_updates;                   /* that both have */
    sb_selection selection;             /* of runs without gradients: their parents */
    bool update_there, last_there;      /* both have a loss of the update of the first entry that differs; any loss */
    double loss_there[2], loss_last[2]; /* of that update, and of the last that both have */
    sb_diff_fact *fact;
    size_t n_facts;
    size_t n_tensors, n_different; /* of the weights at the end; 0: not at the same update */
    double distance, largest;      /* L2, and of one number */
    char where[96];                /* of the largest */
    sb_diff_point *point;          /* L2 distance of the weights on the way, from their sketches */
    size_t n_points;
} sb_diff;

/* Compare two run files (finished or not) link by link and loss by loss, then configuration and environment, then the
 * weights. SB_E_EMPTY if they have no entry of the chain in common, and what else they have in common does not differ
 * and is less than all of their losses and weights. Whatever comes back, the caller frees. */
sb_status sb_diff_runs(sb_diff *diff, const char *path_a, const char *path_b);
void sb_diff_free(sb_diff *diff);

/* One more fact, of which copies are kept. */
sb_status sb_diff_keep(sb_diff *diff, const char *group, const char *name, const char *a, const char *b);

/* The same bits over the updates both have? */
bool sb_diff_is_same(const sb_diff *diff);

/* SB_OK: the same bits over the updates both have; SB_E_DIFFERS, with a sentence that says where they part. */
sb_status sb_diff_judge(const sb_diff *diff);

void sb_diff_print(const sb_diff *diff, FILE *out);

/* The facts of a group, a line each. */
void sb_diff_print_group(const sb_diff *diff, const char *group, FILE *out);

/* What differs between the attributes of a group ("config", "env") of two open run files, a line each. */
sb_status sb_diff_group(sb_h5 *a, sb_h5 *b, const char *group, FILE *out);

#endif
