/* Two recordings of other programs: the first update, part and tensor that differ, and what tells the runs apart. */
#ifndef SB_INSPECT_RECORDED_H
#define SB_INSPECT_RECORDED_H

#include "core/status.h"
#include "record/external.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_recorded_diff {
    const char *path[2];
    sb_external side[2];
    size_t compared; /* entries of the chain that both have, up to the first that differs */
    int64_t last, same; /* the last that was compared; the last same one before the difference, -1: none */
    bool differs;
    int64_t update;
    const char *part;    /* "parameters", "batch", "loss", ..., "length" */
    const char *kind;    /* "other network", "other initial weights", "other batch", "other generator"; NULL */
    const char *how;     /* of a batch: "the same samples in another order"; NULL */
    char tensor[256];    /* the first that differs, "" where it is not known */
    size_t n_different, n_tensors; /* of the part; 0: not known */
    bool has_loss;
    double loss[2]; /* of that update */
} sb_recorded_diff;

/* The caller frees, whatever is returned. SB_E_USAGE: one of them is no recording. SB_E_EMPTY: no update in common. */
sb_status sb_recorded_compare(sb_recorded_diff *d, const char *path_a, const char *path_b);
void sb_recorded_free(sb_recorded_diff *d);

/* SB_OK: the same bits. SB_E_DIFFERS; SB_E_USAGE: other parameters, which are not comparable. */
sb_status sb_recorded_judge(const sb_recorded_diff *d);

void sb_recorded_print(const sb_recorded_diff *d, FILE *out);

/* Is any of the two a recording, or a trace of another program? */
bool sb_recorded_is(const char *path);

/* A settings text that held at that update; "" if none is known. */
const char *sb_recorded_settings(const sb_external *e, int64_t update);

/* Pairs that differ, each once; value NULL: absent. */
typedef void sb_recorded_visit(void *context, const char *name, const char *a, const char *b);
void sb_recorded_each(const sb_pairs *a, const sb_pairs *b, sb_recorded_visit *visit, void *context);

#endif
