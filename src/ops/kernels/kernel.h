/* How the kernels of the GPU backends are written, so that one source is device code for nvcc and, walked thread by
 * thread, host code for any C compiler (kernels_host.c): what CTest proves about indices and bits without a device is
 * proved about the code that a device runs.
 *
 * Elementwise: NAME_args, whose first member is `long n`, and NAME_each(args, i), called once for each i in [0, n).
 *
 * Tiled: NAME_threads of a block; NAME_resident, blocks that the registers of one processor are to hold; NAME_args;
 * NAME_shared, one per block; NAME_own, one per thread; NAME_steps(args, spot), the same number for all threads of a
 * block; NAME_step(args, spot, step, shared, own). Between two steps all threads of a block wait for each other, and
 * only there: in one step no one reads what another thread of the block writes in it.
 *
 * No libm but fma and sqrt: the bits are order.h's. Tensors are planes [n][gates * c][h][w]. No elementwise kernel has
 * more than 2^31 - 1 elements (gpu->kernel sees to it), and so neither has a tensor or an operand that one of them
 * makes: their indices have 32 bits, which devices divide faster.
 */
#ifndef SB_OPS_KERNELS_KERNEL_H
#define SB_OPS_KERNELS_KERNEL_H

#include "ops/order.h"

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies from device to shared memory that go on under the arithmetic, where a device has them: begun one by one,
 * closed into groups; to wait for n is to wait for all but the n latest groups. Other devices and the CPU copy at
 * once. */
#ifdef __CUDA_ARCH__
#define SB_UNROLL               _Pragma("unroll")
#define SB_UNROLL_4             _Pragma("unroll 4") /* with the loads of four or sixteen rounds in flight */
#define SB_UNROLL_16            _Pragma("unroll 16")
#define SB_ROLL                 _Pragma("unroll 1")
#define SB_COPY_BEGIN(to, from) __pipeline_memcpy_async(to, from, sizeof *(to))
#define SB_COPY_CLOSE()         __pipeline_commit()
#define SB_COPY_WAIT(n)         __pipeline_wait_prior(n)
#else
#define SB_UNROLL
#define SB_UNROLL_4
#define SB_UNROLL_16
#define SB_ROLL
#define SB_COPY_BEGIN(to, from) (*(to) = *(from))
#define SB_COPY_CLOSE()         ((void)0)
#define SB_COPY_WAIT(n)         ((void)0)
#endif

/* Four numbers that move as one. */
typedef struct sb_four {
    alignas(16) sb_real x[4];
} sb_four;

/* Where a thread stands. */
typedef struct sb_spot {
    int x, y, z; /* block */
    int thread;
} sb_spot;

/* A tile's threads, `across` side by side (an even number), in pairs of one column and neighbouring rows: half a warp
 * then reads eight fours of neighbouring columns from shared memory at once, and two of rows. */
SB_HOST_DEVICE int sb_thread_row(int thread, int across)
{
    return thread / 2 / across * 2 + thread % 2;
}

SB_HOST_DEVICE int sb_thread_column(int thread, int across)
{
    return thread / 2 % across;
}

#endif
