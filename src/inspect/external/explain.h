/* Two traces of one update of another program: the first operation that differs, and why. */
#pragma once

#include "inspect/external/align.h"

#include <stdio.h>

typedef enum sb_cause {
    SB_CAUSE_NONE,
    SB_CAUSE_OTHER_WEIGHTS,   /* the weights before the update differ */
    SB_CAUSE_OTHER_BATCH,
    SB_CAUSE_OTHER_GENERATOR, /* the state of a random number generator, which no operation wrote */
    SB_CAUSE_OTHER_INPUT,     /* numbers that no operation of the update wrote */
    SB_CAUSE_CHANGED_OUTSIDE, /* numbers that changed between two operations */
    SB_CAUSE_UNINITIALISED,
    SB_CAUSE_OTHER_ARGUMENT,
    SB_CAUSE_OTHER_OPERATION, /* executed by only one side */
    SB_CAUSE_OTHER_TYPE,
    SB_CAUSE_OTHER_RESULT,
    SB_CAUSE_UNSTABLE,
    SB_CAUSES
} sb_cause;

extern const char *const sb_cause_names[SB_CAUSES]; /* "other initial weights", "changed outside", ... */

enum { SB_BOTH = 2 }; /* a side: 0 is a, 1 is b, or SB_BOTH */

typedef struct sb_explanation {
    sb_cause cause;
    const sb_traced_update *of[2];
    sb_alignment alignment;
    int64_t row[2];        /* the first pair that differs; -1: none on that side */
    int64_t blamed[2];     /* for SB_CAUSE_OTHER_OPERATION: the row that causes the difference on each side, -1: none;
                            * else as `row` */
    int side;              /* the side whose numbers changed or that has the operation: 0, 1, SB_BOTH */
    int64_t tensor[2];     /* the input that causes the difference, on each side; -1: none */
    size_t unpaired[2];    /* number of operations without a partner, except copies */
} sb_explanation;

/* The caller frees e. SB_E_USAGE: the traces are of different updates. */
sb_status sb_explain(const sb_traced_update *a, const sb_traced_update *b, sb_explanation *e);
void sb_explanation_free(sb_explanation *e);

/* The tensor of `row` on `side` with the role of x, a tensor of the other side's row; -1: none. If one side computes in
 * place, its result has the role of the overwritten argument; it corresponds to the other side's only result. */
int64_t sb_explanation_counterpart(const sb_explanation *e, int side, const sb_traced_op *row, const sb_traced_tensor *x);

/* The side (returned) and the row to show to the user. */
int sb_explanation_row(const sb_explanation *e, int64_t *row);

/* Names of the tensors that the blamed rows read and write, and of those computed from them, joined by ", ". */
void sb_explanation_names(const sb_explanation *e, char *text, size_t size);

void sb_explanation_print(const sb_explanation *e, FILE *out);

/* Call `each` for a setting that differs: its name, and its value on both sides, NULL where it is absent. The texts
 * are valid during the call. A side without any settings made no step: then nothing is known to differ. False: `each`
 * returned false, or there is not enough memory. */
bool sb_settings_each(const char *a, const char *b,
                      bool (*each)(void *context, const char *name, const char *a, const char *b), void *context);

/* Print the settings that differ, a line each, "group 0 lr = 0.1 | 0.05". Returns their number. */
size_t sb_settings_print(const char *a, const char *b, FILE *out);
