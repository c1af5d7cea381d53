/* What the files of a trace share: how an operation's row is begun, what it reads and writes is put down (trace.c), and
 * the table of operations that does so (trace_ops.c). All but `sb_trace_fill` are called by the whole team. */
#ifndef SB_INSPECT_TRACE_PARTS_H
#define SB_INSPECT_TRACE_PARTS_H

#include "inspect/trace/trace.h"

/* An operand or an accumulator, known by what it was made of. */
typedef struct sb_trace_source {
    const void *memory;
    sb_trace_tensor tensor;
} sb_trace_source;

struct sb_trace {
    sb_ops ops; /* first: the operations get it as their ops */
    sb_ops *inner;
    const sb_learner *learner;
    sb_net *net; /* the learner's */
    long keep;
    bool lost;      /* memory was short */
    size_t n, room; /* rows */
    sb_trace_row *row;
    size_t n_sources, sources_room;
    sb_trace_source *source;
    sb_real *planes, *host; /* one tensor on its way to the hash: on the device, on the host */
    size_t planes_room;     /* elements of both */
};

/* A row for an operation that is about to be done. */
sb_trace *sb_trace_begin(sb_ops *ops, const char *operation);

void sb_trace_planes(sb_trace *trace, const char *role, bool written, const sb_tensor *tensor);
void sb_trace_vector(sb_trace *trace, const char *role, bool written, const sb_real *x, size_t n);
void sb_trace_bytes(sb_trace *trace, const char *role, bool written, const uint8_t *host, size_t n);
void sb_trace_classes(sb_trace *trace, const char *role, bool written, const uint8_t *x, size_t n);
void sb_trace_numbers(sb_trace *trace, const char *role, bool written, const sb_real *host, size_t n);
void sb_trace_doubles(sb_trace *trace, const char *role, bool written, const double *x, size_t n);

/* The operand was made of that tensor: no row of its own, for how often it is made again is a backend's affair. */
void sb_trace_made(sb_trace *trace, const void *operand, const sb_tensor *tensor);
/* The row reads what an operand was made of, or what went into an accumulator. */
void sb_trace_source_of(sb_trace *trace, const char *role, const void *memory);
/* Nothing went into the accumulator so far; one more pair of operands did. */
void sb_trace_forget(sb_trace *trace, const void *accumulator);
void sb_trace_accumulate(sb_trace *trace, const void *accumulator, const void *x, const void *dy);

/* Every operation of ops/slots.h, wrapped. */
void sb_trace_fill(sb_ops *ops);

#endif
