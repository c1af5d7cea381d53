/* What each operation of one update read and wrote, as hashes.
 *
 *     sb_trace *trace;
 *     SB_TRY(sb_trace_open(&trace, learner, SB_TRACE_HASHES)); between the network and its backend
 *     ... sb_learner_update(learner, ...) ...
 *     sb_trace_stop(trace);                                    the backend is the network's again
 *     const sb_trace_row *row = sb_trace_rows(trace, &n);
 *     sb_trace_close(trace);
 *
 * Tensors are hashed in the layout of the specification, [channel][row][column], so that the traces of two backends are
 * compared row by row. What a backend keeps in a form of its own (operands, packed weights, accumulators) is known by
 * what it was made of, and making it has no row. A weight gradient is one row, at conv_end, for all frames of the
 * window: how many of them one call takes is a backend's affair.
 */
#ifndef SB_INSPECT_TRACE_H
#define SB_INSPECT_TRACE_H

#include "core/hash.h"
#include "train/learner.h"

enum { SB_TRACE_TENSORS_MAX = 4 + 2 * (1 + SB_STATES_MAX_OF_OPTIMIZER), SB_TRACE_NAME = 64 };

typedef struct sb_trace_tensor {
    char role[16];            /* the argument in ops/ops.h: "y", "dx"; of several terms "x", "x 2", "x 3" */
    char name[SB_TRACE_NAME]; /* what it is to the network: "E of layer 1, frame 3"; "" where it has no name */
    bool written;             /* else read */
    int c, h, w;              /* of a vector: 1, 1, elements */
    sb_hash hash;
    sb_real *numbers; /* [c][h][w], of the one row to be kept; else NULL */
} sb_trace_tensor;

typedef struct sb_trace_row {
    char operation[32]; /* the slot's name in sb_ops: "conv_forward" */
    int n;
    sb_trace_tensor tensor[SB_TRACE_TENSORS_MAX]; /* the read ones first */
} sb_trace_row;

typedef struct sb_trace sb_trace;

enum { SB_TRACE_HASHES = -1 };

/* keep: the row whose numbers are wanted, too, from 0; SB_TRACE_HASHES: none. The learner must outlive the trace. */
sb_status sb_trace_open(sb_trace **trace, sb_learner *learner, long keep);

/* No more operations; SB_E_MEMORY if some were lost. */
sb_status sb_trace_stop(sb_trace *trace);

const sb_trace_row *sb_trace_rows(const sb_trace *trace, size_t *n);
void sb_trace_close(sb_trace *trace); /* stops it, too; NULL is fine */

#endif
