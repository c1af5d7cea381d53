/* Rules for the kernels of the GPU backends. One source is device code for nvcc and host code for any C compiler, which
 * executes it thread by thread (kernels_host.c). So tests without a device check indices and bits of the same code that
 * a device runs.
 *
 * Elementwise: NAME_args, whose first member is `long n`, and NAME_each(args, i), called once for each i in [0, n).
 *
 * Tiled: NAME_threads of a block; NAME_resident, number of blocks whose registers must fit into one processor;
 * NAME_args; NAME_shared, one per block; NAME_own, one per thread; NAME_steps(args, spot), the same number for all
 * threads of a block; NAME_step(args, spot, step, shared, own). All threads of a block wait for each other between two
 * steps, and only there. So in a step no thread may read memory that another thread of the block writes in the same
 * step.
 *
 * Of libm only fma and sqrt are used: the bits are defined by order.h. Tensors are planes [n][gates * c][h][w]. No
 * elementwise kernel has more than 2^31 - 1 elements (gpu->kernel checks it), and so no tensor or operand that it
 * makes. Indices have 32 bits, because devices divide these faster.
 */
#pragma once

#include "ops/order.h"

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Asynchronous copies from device to shared memory, where a device has them: BEGIN starts one copy, CLOSE ends a group,
 * WAIT(n) waits for all groups except the n latest. Other devices and the CPU copy at once. */
#ifdef __CUDA_ARCH__
#define SB_UNROLL               _Pragma("unroll")
#define SB_UNROLL_4             _Pragma("unroll 4") /* with the loads of four or sixteen rounds in flight */
#define SB_UNROLL_16            _Pragma("unroll 16")
#define SB_UNROLL_BY(n)         SB_PRAGMA(unroll n) /* n: a constant of the function */
#define SB_PRAGMA(words)        _Pragma(#words)
#define SB_LATE(number)         asm volatile("" : "+r"(number)) /* what follows from it is not computed before a loop */
#define SB_ROLL                 _Pragma("unroll 1")
#define SB_COPY_BEGIN(to, from) __pipeline_memcpy_async(to, from, sizeof *(to))
#define SB_COPY_CLOSE()         __pipeline_commit()
#define SB_COPY_WAIT(n)         __pipeline_wait_prior(n)
#else
#define SB_UNROLL
#define SB_UNROLL_4
#define SB_UNROLL_16
#define SB_UNROLL_BY(n)
#define SB_LATE(number) ((void)0)
#define SB_ROLL
#define SB_COPY_BEGIN(to, from) (*(to) = *(from))
#define SB_COPY_CLOSE()         ((void)0)
#define SB_COPY_WAIT(n)         ((void)0)
#endif

/* Four numbers that are loaded and stored together. */
typedef struct sb_four {
    alignas(16) sb_real x[4];
} sb_four;

/* A divisor whose quotients are multiplications, because devices have no instruction that divides (Granlund and
 * Montgomery, PLDI 1994). With 2^shift >= by and factor = 2^(31 + shift) / by, rounded up, the quotient of 0 <= x < 2^31
 * is exact. */
typedef struct sb_divisor {
    int by, shift;
    uint32_t factor;
} sb_divisor;

static inline sb_divisor sb_divisor_of(int by)
{
    sb_divisor d = {.by = by};
    while ((INT64_C(1) << d.shift) < by) d.shift++;
    d.factor = (uint32_t)(((UINT64_C(1) << (31 + d.shift)) + (uint64_t)by - 1) / (uint64_t)by);
    return d;
}

SB_HOST_DEVICE int sb_quotient(int x, sb_divisor d)
{
    return (int)((uint64_t)(uint32_t)x * d.factor >> (31 + d.shift));
}

/* The indices of a thread. */
typedef struct sb_spot {
    int x, y, z; /* block */
    int thread;
} sb_spot;

/* Row and column of a thread in a tile that is `across` threads wide (an even number). Threads form pairs with the same
 * column and neighboring rows. So half a warp reads eight sb_four of neighboring columns and two of rows from shared
 * memory at once. */
SB_HOST_DEVICE int sb_thread_row(int thread, int across)
{
    return thread / 2 / across * 2 + thread % 2;
}

SB_HOST_DEVICE int sb_thread_column(int thread, int across)
{
    return thread / 2 % across;
}
