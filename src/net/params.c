#include "net/params.h"

#include "core/random.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

size_t sb_params_add(sb_params *params, double sd, int rank, const size_t *dim, const char *name_format, ...)
{
    assert(params->n < SB_PARAMS_MAX && rank >= 1 && rank <= 4);
    sb_param *param = &params->list[params->n++];
    *param = (sb_param){
        .kind = rank > 1 ? SB_PARAM_WEIGHT : SB_PARAM_BIAS, .rank = rank, .n = 1, .offset = params->total, .sd = sd};
    param->stream = (uint32_t)params->n - 1;
    va_list arguments;
    va_start(arguments, name_format);
    vsnprintf(param->name, sizeof param->name, name_format, arguments);
    va_end(arguments);
    for (int i = 0; i < rank; i++) param->n *= param->dim[i] = dim[i];
    params->total += param->n;
    return param->offset;
}

static double start_of(const sb_param *param, uint64_t seed, uint64_t k)
{
    if (param->sd > 0) return param->sd * sb_random_normal(seed, param->stream, k);
    if (param->bound > 0) return (2 * sb_random_uniform(seed, param->stream, k) - 1) * param->bound;
    return param->value;
}

void sb_params_draw(const sb_params *params, uint64_t seed, sb_real *host_weight)
{
    for (int p = 0; p < params->n; p++) {
        const sb_param *param = &params->list[p];
        /* Rounded to float in both builds, so that float64 starts from the very same weights. */
        for (size_t k = 0; k < param->n; k++) host_weight[param->offset + k] = (sb_real)(float)start_of(param, seed, k);
    }
}

void sb_params_nudge(const sb_params *params, uint64_t which, sb_real *host_weight)
{
    const uint32_t stream = SB_PARAMS_MAX; /* no parameter's */
    for (uint64_t try = 0;; try++) {
        size_t k = (size_t)(sb_random_uniform(which, stream, try) * (double)params->total);
        if (host_weight[k] == 0) continue; /* a bias, or a peephole drawn as zero */
        host_weight[k] = (sb_real)nextafterf((float)host_weight[k], INFINITY);
        return;
    }
}
