/* The device memory that a kernel reads and writes, as ranges of bytes: which launches must wait for which follows from
 * them (backend/dependences.h). ranges.c has one row for each kernel of list.h, as slots.h has for traces; a kernel
 * without a row does not compile. tests/test_gpu_order.c compares the rows with the bytes that the kernels touch. */
#pragma once

#include "ops/cuda.h"

/* A kernel touches no byte outside of its ranges. It may leave bytes in a range alone, such as the padding of a row. */
typedef struct sb_range {
    const void *at;
    size_t n_bytes;
    bool is_read, is_written;
} sb_range;

enum { SB_RANGES_MAX = 48 };

typedef struct sb_ranges {
    int n;
    bool is_unknown; /* the work may touch any byte; n is 0 */
    double flop;     /* floating-point operations of products, as the kernel computes them; 0: elementwise */
    sb_range range[SB_RANGES_MAX];
} sb_ranges;

/* Set the ranges of a launch. kernel: SB_KERNEL_NAME; args: its NAME_args. */
void sb_kernel_ranges(int kernel, const void *args, sb_ranges *ranges);

static inline bool sb_ranges_overlap(const sb_range *a, const sb_range *b)
{
    const uintptr_t at_a = (uintptr_t)a->at, at_b = (uintptr_t)b->at;
    return at_a < at_b + b->n_bytes && at_b < at_a + a->n_bytes;
}

/* Add a range; nothing if `at` is NULL. */
void sb_ranges_add(sb_ranges *ranges, const void *at, size_t n_bytes, bool is_read, bool is_written);
