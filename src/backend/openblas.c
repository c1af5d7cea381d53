/* The openblas backend: native's table with the matrix products given to OpenBLAS, whose kernel type and number of
 * threads are set and then verified, because a wrong one would silently be another experiment. */
#define _POSIX_C_SOURCE 200809L
#include "ops/openblas.h"
#include "backend/context.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool wants_choice(const char *blas_kernel)
{
    return blas_kernel && *blas_kernel && strcmp(blas_kernel, "auto") != 0;
}

void sb_backend_facts(sb_facts *facts)
{
    sb_facts_add(facts, "openblas", "%s", openblas_get_config());
    sb_facts_add(facts, "openblas_kernel", "%s", openblas_get_corename());
    sb_cuda_facts(facts);
}

bool sb_openblas_available(char *why, size_t size)
{
    (void)why, (void)size;
    return true;
}

sb_status sb_openblas_open(sb_ops **ops, const sb_backend_options *options)
{
    const char *kernel = openblas_get_corename();
    if (wants_choice(options->blas_kernel) && strcasecmp(kernel, options->blas_kernel) != 0)
        return sb_fail(SB_E_USAGE, "OpenBLAS runs its %s kernels, not %s", kernel, options->blas_kernel);
    openblas_set_num_threads(options->threads);
    int threads = openblas_get_num_threads();
    if (threads != options->threads)
        return sb_fail(SB_E_USAGE, "OpenBLAS runs at most %d threads, not %d", threads, options->threads);
    SB_TRY(sb_native_open(ops, options));
    sb_context *context = sb_context_of(*ops);
    (*ops)->name = "openblas";
    sb_conv_openblas(*ops);
    sb_dense_openblas(*ops);
    snprintf(context->variant, sizeof context->variant, "%s", kernel);
    return SB_OK;
}
