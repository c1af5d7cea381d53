/* Two traces of one update of another program: the first operation that differs, and why. */
#pragma once

#include "core/status.h"
#include "record/traced.h"

#include <stdbool.h>
#include <stdio.h>

/* Aligns the operations of two traces by the longest common subsequence of their keys, so that lists of different
 * length can be compared. A key is the class of the operation, its phase, its module and the shape of its first result;
 * in the optimizer also the names that it reads and writes. The key of a mark is its name. */

enum { SB_ALIGN_NONE = -1, SB_ALIGN_COPY = -2 }; /* no partner; a copy, which is skipped and has no partner */

typedef struct sb_alignment { /* {0} is empty */
    int64_t *of_a, *of_b;     /* the row of the other side, or one of the above */
    size_t n_pairs;
} sb_alignment;

/* SB_E_MEMORY leaves nothing to free. */
sb_status sb_align(const sb_traced_update *a, const sb_traced_update *b, sb_alignment *alignment);
void sb_alignment_free(sb_alignment *alignment);

/* The first tensor that a row writes, except states of generators; NULL: none. */
const sb_traced_tensor *sb_traced_result(const sb_traced_update *t, const sb_traced_op *row);

/* Is that row a copy whose result has the same bits as its input? */
bool sb_traced_is_copy(const sb_traced_update *t, const sb_traced_op *row);

/* Is that tensor the state of a random number generator? */
bool sb_traced_is_generator(const sb_traced_update *t, const sb_traced_tensor *x);

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

/* Classes of other frameworks' operations: the same computation with different names, in place or not. */

enum { SB_CLASS_TEXT = 96 };

/* "native_batch_norm" and "cudnn_batch_norm" give "batch_norm", "add_" gives "add". */
void sb_class_of(const char *operation, char text[SB_CLASS_TEXT]);

/* Does this class only move numbers? An operation of it that reads and writes the same bits is skipped. */
bool sb_class_is_copy(const char *operation);

/* Does this class fill memory with constants, so that earlier content does not matter? */
bool sb_class_is_fill(const char *operation);

/* Do two trainings differ by more than the effect of one rounding? At each mark: the distance of traces a and b,
 * divided by the distance of a from traces of the same run whose initial weights were all moved by one rounding.
 * Distances are computed from sketches. */

enum { SB_CARRIED_MOST = 100 }; /* a larger ratio is more than the effect of rounding */

typedef struct sb_carried {
    size_t marks;     /* number of compared tensors of marks */
    bool is_more;     /* a ratio is above SB_CARRIED_MOST; `ratio` is the first of these */
    double ratio;     /* else the largest; INFINITY: the rounding changed nothing there */
    double before;    /* the largest before the first ratio above SB_CARRIED_MOST */
    int64_t tensor;   /* of trace a, for `ratio`; -1: none */
} sb_carried;

/* SB_E_USAGE: a trace without sketches, or of another update. */
sb_status sb_carried_compare(const sb_traced_update *a, const sb_traced_update *b, const sb_traced_update *nudged, size_t n,
                             sb_carried *carried);

void sb_carried_print(const sb_carried *carried, const sb_traced_update *a, size_t n, FILE *out);
