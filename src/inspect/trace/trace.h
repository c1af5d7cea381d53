/* A trace: hashes of the tensors that each operation of one update reads and writes.
 *
 *     sb_trace *trace;
 *     SB_TRY(sb_trace_open(&trace, learner, SB_TRACE_HASHES)); put between the network and its backend
 *     ... sb_learner_update(learner, ...) ...
 *     sb_trace_stop(trace);                                    removed again
 *     const sb_trace_row *row = sb_trace_rows(trace, &n);
 *     sb_trace_close(trace);
 *
 * Tensors are hashed in the layout of the specification, [channel][row][column], so that the traces of two backends can
 * be compared row by row. Data in a backend's own form (operands, packed weights, accumulators) is represented by the
 * tensors from which it was made; making it has no row. A weight gradient is one row, at conv_end, for all frames of
 * the window, because backends take different numbers of frames in one call.
 */
#pragma once

#include "core/hash.h"
#include "train/learner.h"

enum { SB_TRACE_TENSORS_MAX = 4 + 2 * (1 + SB_STATES_MAX_OF_OPTIMIZER), SB_TRACE_NAME = 64 };

typedef struct sb_trace_tensor {
    char role[16];            /* the argument in ops/ops.h: "y", "dx"; for several terms "x", "x 2", "x 3" */
    char name[SB_TRACE_NAME]; /* its name in the network: "E of layer 1, frame 3"; "": it has no name */
    bool written;             /* false: read */
    int c, h, w;              /* for a vector: 1, 1, number of elements */
    sb_hash hash;
    sb_real *numbers; /* [c][h][w], only in the row that is kept; else NULL */
} sb_trace_tensor;

typedef struct sb_trace_row {
    char operation[32]; /* the slot's name in sb_ops: "conv_forward" */
    int n;
    sb_trace_tensor tensor[SB_TRACE_TENSORS_MAX]; /* [n], the tensors that are read first, then the written ones */
} sb_trace_row;

typedef struct sb_trace sb_trace;

enum { SB_TRACE_HASHES = -1 };

/* keep: the row whose numbers are kept, too, from 0; SB_TRACE_HASHES: none. The learner must outlive the trace. */
sb_status sb_trace_open(sb_trace **trace, sb_learner *learner, long keep);

/* Stop tracing. SB_E_MEMORY: some operations were lost. */
sb_status sb_trace_stop(sb_trace *trace);

const sb_trace_row *sb_trace_rows(const sb_trace *trace, size_t *n);
void sb_trace_close(sb_trace *trace); /* stops it, too; NULL does nothing */
