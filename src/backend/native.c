/* The native backend: kernels of the best instruction set, chosen when it is opened, and host memory. */
#include "backend/context.h"
#include "core/machine/stack.h"
#include "core/rows/isas.h"
#include "ops/imitate/imitate.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct isa {
    const char *name;
    void (*fill)(sb_ops *ops);
    sb_imitation_fill *imitated;
} isa;

#define DECLARE_OPERATIONS(name) void sb_ops_native_##name(sb_ops *ops);
SB_ISAS_HERE(DECLARE_OPERATIONS)

#ifdef SB_REAL_IS_DOUBLE
#define sb_ops_imitated_plain NULL /* the registry refuses imitations in float64 */
#define sb_ops_imitated_avx2  NULL
#else
#define DECLARE_IMITATIONS(name) sb_imitation_fill sb_ops_imitated_##name;
SB_ISAS_HERE(DECLARE_IMITATIONS)
#endif

/* Best first. */
static const isa isas[] = {
#define ROW(name) {#name, sb_ops_native_##name, sb_ops_imitated_##name},
    SB_ISAS_HERE(ROW)
#undef ROW
        {0},
};

static const isa *find_isa_named(const char *name)
{
    for (const isa *i = isas; i->name; i++)
        if (strcmp(i->name, name) == 0) return i;
    return NULL;
}

bool sb_isa_available(const char *name)
{
#ifdef SB_HAVE_AVX2
    if (strcmp(name, "avx512") == 0 && !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")))
        return false;
    if (strcmp(name, "avx2") == 0 && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))) return false;
#endif
    return find_isa_named(name) != NULL; /* plain, and neon, which every AArch64 has */
}

static const isa *best_isa(void)
{
    const isa *i = isas;
    while (!sb_isa_available(i->name)) i++;
    return i;
}

const char *sb_isa_best(void)
{
    return best_isa()->name;
}

/* ---- memory ---- */

/* Large blocks on huge pages, where the system grants them: operands are read in dozens of distant streams, more than
 * the CPU's address cache has entries for small pages. */
static void *allocate(sb_ops *ops, size_t n_bytes)
{
    (void)ops;
    const size_t huge_page = (size_t)2 << 20;
    size_t alignment = n_bytes >= 2 * huge_page ? huge_page : 64;
    size_t rounded = (n_bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, rounded ? rounded : alignment);
    if (!memory) {
        sb_fail(SB_E_MEMORY, "not enough memory: %.1f MiB asked", n_bytes / 1048576.0);
        return NULL;
    }
    if (alignment == huge_page) madvise(memory, rounded, MADV_HUGEPAGE);
    memset(memory, 0, rounded);
    return memory;
}

static void release(sb_ops *ops, void *memory)
{
    (void)ops;
    free(memory);
}

/* Shared among the threads in pieces of a page. */
static void copy(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    (void)ops;
    enum { PIECE = 1 << 16 };
#pragma omp for schedule(static)
    for (size_t first = 0; first < n_bytes; first += PIECE)
        memcpy((char *)to + first, (const char *)from + first, n_bytes - first < PIECE ? n_bytes - first : PIECE);
}

static void zero(sb_ops *ops, void *memory, size_t n_bytes)
{
    (void)ops;
    enum { PIECE = 1 << 16 };
#pragma omp for schedule(static)
    for (size_t first = 0; first < n_bytes; first += PIECE)
        memset((char *)memory + first, 0, n_bytes - first < PIECE ? n_bytes - first : PIECE);
}

static sb_status error(sb_ops *ops)
{
    (void)ops;
    return SB_OK;
}

static bool is_isa_anywhere(const char *name)
{
#define IS_IT(isa) strcmp(name, #isa) == 0 ||
    return SB_ISAS(IS_IT) false;
#undef IS_IT
}

static sb_status find_isa(const sb_backend_options *options, const isa **found)
{
    const char *wanted = options->isa && strcmp(options->isa, "auto") != 0 ? options->isa : getenv("SAMEBITS_ISA");
    *found = wanted && *wanted ? find_isa_named(wanted) : best_isa();
    if (*found && sb_isa_available((*found)->name)) return SB_OK;
    if (!is_isa_anywhere(wanted))
        return sb_fail(SB_E_USAGE, "unknown instruction set '%.32s' (one of %s)", wanted, SB_ISA_LIST);
    return sb_fail(SB_E_MISSING, "this %s has no %s; the best it has is %s", *found ? "CPU" : "program", wanted,
                   sb_isa_best());
}

/* Layers narrower than this gain nothing from Winograd's transforms, and vectors of channels would be half empty. */
enum { WINOGRAD_CHANNELS = 16 };

/* Enough tiles of one weight gradient that its sums go to memory seldom; more would only take memory. */
enum { PIXELS_PER_PRODUCT = 8000 };

/* What the operations of one thread want of its stack, most of it conv_winograd_whole.c and conv_winograd_gradient.c. Where
 * threads have stacks of 2 MB (`ulimit -s unlimited`) it has to be less. */
enum { STACK_BYTES = 3 << 19 };

/* Samples are the lanes of convolutions without padding: tiles of all instruction sets divide this number. */
enum { SAMPLES_WHOLE = 32 };

/* A trace numbers the products, so in one the number of frames of a product is fixed, and that of samples. */
enum { FRAMES_TRACED = 4 };

static sb_status choose_arithmetic(sb_ops *ops, const sb_backend_options *options, const isa *found)
{
    const bool winograd = sb_arithmetic_rules(options->arithmetic) & SB_RULE_WINOGRAD;
    ops->winograd_channels = !winograd                    ? INT_MAX
                             : options->winograd_channels ? options->winograd_channels
                                                          : WINOGRAD_CHANNELS;
    ops->frames_per_product = winograd && options->is_traced ? FRAMES_TRACED : 1;
    ops->pixels_per_product = winograd && !options->is_traced ? PIXELS_PER_PRODUCT : 0;
    ops->samples_least = options->is_traced ? SB_SAMPLES_LEAST : 1;
    const sb_imitates of = {sb_arithmetic_imitated(options->arithmetic), options->seed, options->draw};
    /* imitations number the operations, too: random orders are drawn by these numbers */
    ops->samples_whole = options->is_traced || of.set ? 0 : SAMPLES_WHOLE;
    return of.set ? sb_imitation_open(ops, &of, found->imitated) : SB_OK;
}

static void close_context(sb_context *context)
{
    sb_imitation_close(context->imitation);
    free(context);
}

sb_status sb_native_open(sb_ops **ops, const sb_backend_options *options)
{
    const isa *found;
    SB_TRY(find_isa(options, &found));
    SB_TRY(sb_stack_grow(STACK_BYTES));
    if (options->threads > 1) SB_TRY(sb_stack_check_threads(STACK_BYTES));
    sb_context *context = calloc(1, sizeof *context);
    if (!context) return sb_fail(SB_E_MEMORY, "not enough memory for a backend");
    context->threads = options->threads;
    context->close = close_context;
    snprintf(context->variant, sizeof context->variant, "%s", found->name);
    context->ops = (sb_ops){
        .name = "native",
        .context = context,
        .host_memory = true,
        .allocate = allocate,
        .release = release,
        .zero = zero,
        .copy = copy,
        .to_device = copy,
        .to_host = copy,
        .error = error,
    };
    found->fill(&context->ops);
    const sb_status status = choose_arithmetic(&context->ops, options, found);
    if (status == SB_OK)
        *ops = &context->ops;
    else
        close_context(context);
    return status;
}
