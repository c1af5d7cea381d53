/* Subnormal numbers as zeros, as nvcc's -ftz=true has them: the CPU's own mode, around each operation. */
#include "ops/imitate/imitate.h"

#if defined(__SSE2__)

#include <immintrin.h>
typedef unsigned int mode;
enum { HAS_MODE = true };

/* Flush to zero: subnormal results. Denormals are zero: subnormal inputs. */
static mode begin(void)
{
    const mode was = _mm_getcsr();
    _mm_setcsr(was | 1u << 15 | 1u << 6);
    return was;
}

static void end(mode was)
{
    _mm_setcsr(was);
}

#elif defined(__aarch64__)

typedef uint64_t mode;
enum { HAS_MODE = true };

/* FZ of the register FPCR: both. */
static mode begin(void)
{
    mode was;
    __asm__ volatile("mrs %0, fpcr" : "=r"(was));
    __asm__ volatile("msr fpcr, %0" : : "r"(was | (mode)1 << 24) : "memory");
    return was;
}

static void end(mode was)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(was) : "memory");
}

#else

typedef int mode;
enum { HAS_MODE = false };

static mode begin(void)
{
    return 0;
}

static void end(mode was)
{
    (void)was;
}

#endif

bool sb_flush_available(void)
{
    return HAS_MODE;
}

#define FLUSHED(slot, pass, parameters, arguments, shape, flop, row, reads, writes)                                    \
    static void flushed_##slot parameters                                                                              \
    {                                                                                                                  \
        const mode was = begin();                                                                                      \
        sb_context_of(ops)->imitation->inner.slot(ops, UNPACKED arguments);                                            \
        end(was);                                                                                                      \
    }
#define UNPACKED(...) __VA_ARGS__

SB_SLOTS(FLUSHED)

void sb_flush_fill(sb_ops *ops)
{
    sb_context_of(ops)->imitation->inner = *ops;
#define FILL(slot, ...) ops->slot = flushed_##slot;
    SB_SLOTS(FILL)
}
