/* Shared by the files of a trace: the functions that begin a row and record its tensors (trace.c), and the table of
 * operations that calls them (trace_ops.c). All functions except sb_trace_fill are called by the whole team. */
#pragma once

#include "inspect/trace/trace.h"

/* An operand or an accumulator, and a tensor from which it was made. */
typedef struct sb_trace_source {
    const void *memory;
    sb_trace_tensor tensor;
} sb_trace_source;

struct sb_trace {
    sb_ops ops; /* must be first: operations receive a pointer to it */
    sb_ops *inner;
    const sb_learner *learner;
    sb_net *net; /* the learner's */
    long keep;
    bool lost;      /* there was not enough memory */
    size_t n, room; /* rows */
    sb_trace_row *row;
    size_t n_sources, sources_room;
    sb_trace_source *source;
    sb_real *planes, *host; /* one tensor to be hashed: copies on the device and on the host */
    size_t planes_room;     /* elements of both */
};

/* Begin the row of an operation, before it runs. */
sb_trace *sb_trace_begin(sb_ops *ops, const char *operation);

void sb_trace_planes(sb_trace *trace, const char *role, bool written, const sb_tensor *tensor);
void sb_trace_vector(sb_trace *trace, const char *role, bool written, const sb_real *x, size_t n);
void sb_trace_bytes(sb_trace *trace, const char *role, bool written, const uint8_t *host, size_t n);
void sb_trace_classes(sb_trace *trace, const char *role, bool written, const uint8_t *x, size_t n);
void sb_trace_numbers(sb_trace *trace, const char *role, bool written, const sb_real *host, size_t n);
void sb_trace_doubles(sb_trace *trace, const char *role, bool written, const double *x, size_t n);

/* Note that the operand was made from that tensor. It has no row, because backends make operands different numbers of
 * times. */
void sb_trace_made(sb_trace *trace, const void *operand, const sb_tensor *tensor);
/* Record as read the tensors from which an operand was made, or that were added to an accumulator. */
void sb_trace_source_of(sb_trace *trace, const char *role, const void *memory);
/* forget: the accumulator is empty. accumulate: a pair of operands was added to it. */
void sb_trace_forget(sb_trace *trace, const void *accumulator);
void sb_trace_accumulate(sb_trace *trace, const void *accumulator, const void *x, const void *dy);

/* Fill the table with wrappers of every operation of ops/slots.h. */
void sb_trace_fill(sb_ops *ops);
