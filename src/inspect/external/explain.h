/* Two traces of one update of another program: the first operation that differs, and why. */
#ifndef SB_INSPECT_EXPLAIN_H
#define SB_INSPECT_EXPLAIN_H

#include "inspect/external/align.h"

#include <stdio.h>

typedef enum sb_cause {
    SB_CAUSE_NONE,
    SB_CAUSE_OTHER_WEIGHTS,   /* the weights differ before the update */
    SB_CAUSE_OTHER_BATCH,
    SB_CAUSE_OTHER_GENERATOR, /* the state of a random number generator, which no operation made */
    SB_CAUSE_OTHER_INPUT,     /* numbers that no operation of the update wrote */
    SB_CAUSE_CHANGED_OUTSIDE, /* numbers that changed between two operations */
    SB_CAUSE_UNINITIALISED,
    SB_CAUSE_OTHER_ARGUMENT,
    SB_CAUSE_OTHER_OPERATION, /* executed by one side alone */
    SB_CAUSE_OTHER_TYPE,
    SB_CAUSE_OTHER_RESULT,
    SB_CAUSE_UNSTABLE,
    SB_CAUSES
} sb_cause;

extern const char *const sb_cause_names[SB_CAUSES]; /* "other initial weights", "changed outside", ... */

enum { SB_BOTH = 2 }; /* of which side something is said: 0 a, 1 b */

typedef struct sb_explanation {
    sb_cause cause;
    const sb_traced_update *of[2];
    sb_alignment alignment;
    int64_t row[2];        /* the first pair that differs; -1: none on that side */
    int64_t blamed[2];     /* of other operations: the row to blame on each side, -1: none; else as `row` */
    int side;              /* whose numbers changed, or whose operation it is: 0, 1, SB_BOTH */
    int64_t tensor[2];     /* the input that makes the difference, on each side; -1: none */
    size_t unpaired[2];    /* operations without a partner, copies left out */
} sb_explanation;

/* The caller frees. SB_E_USAGE: traces of two updates. */
sb_status sb_explain(const sb_traced_update *a, const sb_traced_update *b, sb_explanation *e);
void sb_explanation_free(sb_explanation *e);

/* The tensor that `row` of `side` has in the role of x, a tensor of the other side's row; -1: it has none. The only result
 * of an operation is that of its form in place, which has the role of the argument that it overwrites. */
int64_t sb_explanation_counterpart(const sb_explanation *e, int side, const sb_traced_op *row, const sb_traced_tensor *x);

/* The side and the row that a reader is to look at. */
int sb_explanation_row(const sb_explanation *e, int64_t *row);

/* Names of tensors that the blamed rows read, write and feed, joined by ", ". */
void sb_explanation_names(const sb_explanation *e, char *text, size_t size);

void sb_explanation_print(const sb_explanation *e, FILE *out);

/* Lines of settings that differ: "group 0 lr = 0.1 | 0.05"; how many there were. */
size_t sb_settings_print(const char *a, const char *b, FILE *out);

#endif
