#include "backend/context.h"
#include "core/command/usage.h"
#include "core/rows/arithmetics.h"
#include "ops/subnormal.h"

#include <assert.h>
#include <string.h>

/* These two run anywhere. */
static bool sb_native_available(char *why, size_t size)
{
    (void)why, (void)size;
    return true;
}
#define sb_cuda_on_cpu_available sb_native_available

enum { CPU, GPU };
enum { LIBRARY, WRITTEN };

const sb_backend sb_backends[] = {
#define ROW(id, name, device, order, settings, summary)                                                                \
    {name, summary, sb_##id##_open, sb_##id##_available, device == GPU, order == WRITTEN},
    SB_BACKENDS(ROW){0}};

const sb_backend *sb_backend_find(const char *name)
{
    for (const sb_backend *backend = sb_backends; backend->name; backend++)
        if (strcmp(backend->name, name) == 0) return backend;
    return NULL;
}

sb_status sb_backend_unknown(const char *name)
{
    sb_nearest nearest = sb_nearest_begin(name);
    for (const sb_backend *backend = sb_backends; backend->name; backend++) sb_nearest_offer(&nearest, backend->name);
    return sb_usage_unknown(NULL, "backend", &nearest, "samebits info");
}

/* A backend computes every operation: none is left to crash in the middle of a training. */
static bool is_complete(const sb_ops *ops)
{
    bool complete = ops->allocate && ops->release && ops->error;
#define FILLED(slot, ...) complete = complete && ops->slot;
    SB_SLOTS(FILLED)
#undef FILLED
    return complete;
}

/* Imitations are the CPU's, and float32's: a GPU has the real thing, and in float64 there is nothing to imitate. A GPU's
 * kernels lack the rule of tiny results. */
static sb_status check_arithmetic(const sb_backend *backend, const sb_backend_options *options)
{
    const sb_arithmetic *arithmetic = sb_arithmetic_find(options->arithmetic);
    if (!backend->in_written_order) return SB_OK;
    if (!arithmetic)
        return sb_fail(SB_E_USAGE, "unknown arithmetic '%.64s' (one of %s)", options->arithmetic, SB_ARITHMETIC_WORDS);
    const bool imitates = arithmetic->rules & SB_IMITATED_ALL;
    if ((imitates || arithmetic->rules & SB_RULE_TINY) && strcmp(backend->name, "native") != 0)
        return sb_fail(SB_E_USAGE, "backend %s has no arithmetic '%s'%s", backend->name, arithmetic->name,
                       imitates ? ": it imitates a GPU on the CPU, with native" : "; native has it");
    if (imitates && sizeof(sb_real) != sizeof(float))
        return sb_fail(SB_E_USAGE, "arithmetic '%s' imitates float32, and this program computes in %s",
                       arithmetic->name, SB_REAL_NAME);
    return SB_OK;
}

static void watch(sb_ops *ops, const sb_backend *backend, const char *arithmetic)
{
    const unsigned rules = backend->in_written_order ? sb_arithmetic_rules(arithmetic) : 0;
    sb_subnormal_watch(ops, rules & SB_IMITATED_FLUSH ? SB_SUBNORMAL_MODE
                            : rules & SB_RULE_TINY    ? SB_SUBNORMAL_TINY
                                                      : SB_SUBNORMAL_KEEP);
}

sb_status sb_backend_open(sb_ops **ops, const char *name, const sb_backend_options *options)
{
    char why[256];
    *ops = NULL;
    const sb_backend *backend = sb_backend_find(name);
    if (!backend) return sb_backend_unknown(name);
    if (backend->is_on_gpu) SB_TRY(sb_cuda_choose(options->device));
    if (!backend->available(why, sizeof why)) return sb_fail(SB_E_MISSING, "backend %s cannot run here: %s", name, why);
    SB_TRY(check_arithmetic(backend, options));
    SB_TRY(backend->open(ops, options));
    assert(is_complete(*ops));
    if ((*ops)->host_memory) watch(*ops, backend, options->arithmetic);
    return SB_OK;
}

void sb_backend_close(sb_ops *ops)
{
    if (ops) sb_context_of(ops)->close(sb_context_of(ops));
}

int sb_backend_threads(const sb_ops *ops)
{
    return sb_context_of(ops)->threads;
}

void sb_backend_begin(sb_ops *ops, long update)
{
    sb_context *context = sb_context_of(ops);
    context->update = update;
    context->operation = 0;
}

sb_backend_met sb_backend_subnormal(const sb_ops *ops)
{
    const sb_context *context = sb_context_of(ops);
    return (sb_backend_met){context->subnormal.met, context->subnormal.operations * context->threads};
}

double sb_backend_copy_seconds(const sb_ops *ops)
{
    return sb_context_of(ops)->copy_seconds;
}

double sb_backend_device_seconds(const sb_ops *ops)
{
    return sb_context_of(ops)->device_seconds;
}

void sb_backend_choices(const sb_ops *ops, sb_facts *facts)
{
    const sb_context *context = sb_context_of(ops);
    if (context->facts) context->facts(context, facts);
}

const char *sb_backend_variant(const sb_ops *ops)
{
    return sb_context_of(ops)->variant;
}
