#include "ops/subnormal.h"

#include "ops/order.h"

#include <omp.h>

/* ---- the CPU ---- */

#if defined(__SSE2__)

#include <immintrin.h>
typedef unsigned int control;
enum { HAS_MODE = true, ZERO = 1 << 15 | 1 << 6, MET = 1 << 4 | 1 << 1 }; /* FTZ and DAZ; UE and DE of MXCSR */

static control read_control(void)
{
    return _mm_getcsr();
}

static void write_control(control c)
{
    _mm_setcsr(c);
}

static control read_flags(void)
{
    return _mm_getcsr() & MET;
}

static void write_flags(control flags)
{
    _mm_setcsr((_mm_getcsr() & ~(control)MET) | flags);
}

#elif defined(__aarch64__)

typedef uint64_t control;
enum { HAS_MODE = true, ZERO = 1 << 24, MET = 1 << 3 }; /* FZ of FPCR: both; UFC of FPSR */

static control read_control(void)
{
    control c;
    __asm__ volatile("mrs %0, fpcr" : "=r"(c));
    return c;
}

static void write_control(control c)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(c) : "memory");
}

static control read_flags(void)
{
    control c;
    __asm__ volatile("mrs %0, fpsr" : "=r"(c) : : "memory");
    return c & MET;
}

static void write_flags(control flags)
{
    control c;
    __asm__ volatile("mrs %0, fpsr" : "=r"(c) : : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"((c & ~(control)MET) | flags) : "memory");
}

#else

#include <fenv.h>
typedef int control;
enum { HAS_MODE = false, ZERO = 0 };

static control read_control(void)
{
    return 0;
}

static void write_control(control c)
{
    (void)c;
}

static control read_flags(void)
{
    return fetestexcept(FE_UNDERFLOW);
}

static void write_flags(control flags)
{
    if (flags)
        feraiseexcept(flags);
    else
        feclearexcept(FE_UNDERFLOW);
}

#endif

bool sb_subnormal_has_mode(void)
{
    return HAS_MODE;
}

/* ---- the rule of order.h: tiny elements of tensors are zero ---- */

static const sb_real least = (sb_real)0x1p-63;

static bool has_tiny(const sb_real *x, size_t n)
{
    int found = 0;
    for (size_t i = 0; i < n; i++) found |= (x[i] < least) & (x[i] > -least) & (x[i] != 0);
    return found;
}

static void clear_tiny(const sb_tensor *tensor)
{
    enum { BLOCK = 1024 };
    const size_t n_all = sb_tensor_size(tensor);
#pragma omp for schedule(static)
    for (size_t first = 0; first < n_all; first += BLOCK) {
        sb_real *x = tensor->x + first;
        const size_t n = n_all - first < BLOCK ? n_all - first : BLOCK;
        if (!has_tiny(x, n)) continue;
        for (size_t i = 0; i < n; i++) x[i] = x[i] < least && x[i] > -least ? 0 : x[i];
    }
}

/* What an operation writes (ops/slots.h): tensors are cleared, of the passes forward and backward. */
#define CLEAR_forward(...)  __VA_ARGS__
#define CLEAR_backward(...) __VA_ARGS__
#define CLEAR_update(...)
#define CLEAR_memory(...)
#define TENSOR(x) clear_tiny(x);
#define TENSOR_IF(condition, x)                                                                                        \
    if (condition) clear_tiny(x);
#define NUMBERS_OF(x) clear_tiny(x);
#define VECTOR(...)
#define VECTOR_OF(...)
#define VECTOR_IF(...)
#define CLASSES(...)
#define DOUBLE(...)
#define DOUBLES(...)
#define STATES(...)
#define MADE_OF(...)
#define FORGOTTEN(...)
#define ACCUMULATED(...)

/* ---- around each operation ---- */

/* Of a thread, before an operation. */
typedef struct before {
    control mode, flags;
} before;

/* What was raised before does not count here. It counts for an operation that calls this one, so it comes back. */
static before begin(const sb_subnormal *subnormal)
{
    before was = {.flags = read_flags()};
    if (was.flags) write_flags(0);
    if (subnormal->rule != SB_SUBNORMAL_MODE) return was;
    was.mode = read_control();
    write_control(was.mode | ZERO);
    return was;
}

static void add_one(long *n)
{
#pragma omp atomic
    (*n)++;
}

/* A team of one may be any thread of several that work side by side, as in an evolution. */
static void end(sb_context *context, before was)
{
    sb_subnormal *subnormal = &context->subnormal;
    const control met = read_flags();
    if (context->threads == 1 || omp_get_thread_num() == 0) add_one(&subnormal->operations);
    if (met) add_one(&subnormal->met);
    if (subnormal->rule == SB_SUBNORMAL_MODE) write_control(was.mode);
    if (met || was.flags) write_flags(was.flags);
}

#define WATCHED(slot, pass, parameters, arguments, shape, flop, row, reads, writes)                                    \
    static void watched_##slot parameters                                                                              \
    {                                                                                                                  \
        sb_subnormal *subnormal = &sb_context_of(ops)->subnormal;                                                      \
        const before was = begin(subnormal);                                                                           \
        subnormal->inner.slot(ops, UNPACKED arguments);                                                                \
        if (subnormal->rule == SB_SUBNORMAL_TINY) {                                                                    \
            CLEAR_##pass(writes)                                                                                       \
        }                                                                                                              \
        end(sb_context_of(ops), was);                                                                                  \
    }
#define UNPACKED(...) __VA_ARGS__

SB_SLOTS(WATCHED)

void sb_subnormal_watch(sb_ops *ops, sb_subnormal_rule rule)
{
    sb_subnormal *subnormal = &sb_context_of(ops)->subnormal;
    subnormal->inner = *ops;
    subnormal->rule = rule;
#define FILL(slot, ...) ops->slot = watched_##slot;
    SB_SLOTS(FILL)
}
