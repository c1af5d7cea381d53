/* The operations of ops/slots.h as a trace sees them: what each reads, the backend's own work, what it wrote. */
#include "inspect/trace/trace_parts.h"

/* The words of a row's reads and writes. `written` says which of the two the row is in. */
#define TENSOR(x) sb_trace_planes(trace, #x, written, x);
#define TENSOR_IF(condition, x)                                                                                        \
    if (condition) sb_trace_planes(trace, #x, written, x);
#define NUMBERS_OF(t)         sb_trace_vector(trace, #t, written, (t)->x, sb_tensor_size(t));
#define VECTOR(x, n)          sb_trace_vector(trace, #x, written, x, n);
#define VECTOR_OF(role, x, n) sb_trace_vector(trace, role, written, x, n);
#define VECTOR_IF(role, x, n)                                                                                          \
    if (x) sb_trace_vector(trace, role, written, x, n);
#define BYTES(x, n)         sb_trace_bytes(trace, #x, written, (const uint8_t *)x, n);
#define CLASSES(x, n)       sb_trace_classes(trace, #x, written, x, n);
#define NUMBER(x)           sb_trace_numbers(trace, #x, written, &(const sb_real){(sb_real)(x)}, 1);
#define NUMBERS(x, n)       sb_trace_numbers(trace, #x, written, (const sb_real *)x, n);
#define DOUBLE(x)           sb_trace_doubles(trace, #x, written, x, 1);
#define DOUBLES(role, x, n) sb_trace_doubles(trace, role, written, x, (size_t)(n));
#define STATES(id, block)                                                                                              \
    for (int k = 0; k < sb_optimizers[SB_OPTIMIZER_##id].n_states; k++)                                                \
        sb_trace_vector(trace, sb_optimizers[SB_OPTIMIZER_##id].state[k], written, (block)->state[k], (block)->n);
#define TERMS(role, n_terms, term)                                                                                     \
    for (int t = 0; t < n_terms; t++) sb_trace_source_of(trace, role, (term)[t].operand);
#define SOURCES(role, memory)  sb_trace_source_of(trace, role, memory);
#define MADE_OF(operand, x)    sb_trace_made(trace, operand, x);
#define FORGOTTEN(accumulator) sb_trace_forget(trace, accumulator);
#define ACCUMULATED(accumulator, n_frames, x, dy)                                                                      \
    for (int frame = 0; frame < n_frames; frame++) sb_trace_accumulate(trace, accumulator, (x)[frame], (dy)[frame]);

/* The trace itself, with a row begun in it, or without. */
#define row(name) sb_trace_begin(ops, #name)
#define unlisted  (sb_trace *)ops

/* The barrier is for operations that end without one. */
#define TRACED(slot, pass, parameters, arguments, shape, flop, row, reads, writes)                                     \
    static void traced_##slot parameters                                                                               \
    {                                                                                                                  \
        sb_trace *trace = row;                                                                                         \
        {                                                                                                              \
            enum { written = false };                                                                                  \
            (void)written;                                                                                             \
            reads                                                                                                      \
        }                                                                                                              \
        trace->inner->slot(trace->inner, UNPACKED arguments);                                                          \
        _Pragma("omp barrier") enum { written = true };                                                                \
        (void)written;                                                                                                 \
        writes                                                                                                         \
    }
#define UNPACKED(...) __VA_ARGS__

SB_SLOTS(TRACED)

void sb_trace_fill(sb_ops *ops)
{
#define FILL(slot, ...) ops->slot = traced_##slot;
    SB_SLOTS(FILL)
}
