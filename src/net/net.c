#include "net/net.h"

#include "core/size.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

sb_step_result sb_net_measure_terms(const double *term, int n_terms, int n_samples)
{
    double sum = 0;
    (void)n_samples;
    for (int i = 0; i < n_terms; i++) sum += term[i];
    return (sb_step_result){.loss_last = term[n_terms - 1], .loss_mean = sum / n_terms};
}

sb_step_result sb_net_measure_totals(const double *term, int n_terms, int n_samples)
{
    (void)n_terms;
    const double mean = term[SB_TOTAL_LOSS] / n_samples;
    return (sb_step_result){.loss_last = mean,
                            .loss_mean = mean,
                            .cross_entropy = term[SB_TOTAL_ENTROPY] / n_samples,
                            .correct = term[SB_TOTAL_CORRECT]};
}

void sb_net_add_state(sb_net *net, sb_state_kind kind, int rank, const size_t *dim, sb_real *memory, double start,
                      const char *name_format, ...)
{
    assert(net->n_states < SB_STATES_MAX && rank >= 1 && rank <= 4);
    sb_state *state = &net->state[net->n_states++];
    size_t n = 1;
    *state = (sb_state){.kind = kind, .rank = rank, .start = start};
    for (int i = 0; i < rank; i++) n *= state->dim[i] = dim[i];
    state->tensor = (sb_tensor){1, 1, 1, 1, (int)n, memory};
    va_list arguments;
    va_start(arguments, name_format);
    vsnprintf(state->name, sizeof state->name, name_format, arguments);
    va_end(arguments);
}

static sb_status start_state(sb_ops *ops, const sb_state *state)
{
    const size_t n = sb_tensor_size(&state->tensor);
    if (state->kind == SB_STATE_FROZEN) return SB_OK;
    ops->zero(ops, state->tensor.x, n * sizeof(sb_real));
    if (state->start == 0) return ops->error(ops);
    SB_FREED sb_real *host = sb_size_allocate(n, sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the state of a network");
    for (size_t i = 0; i < n; i++) host[i] = (sb_real)state->start;
    ops->to_device(ops, state->tensor.x, host, n * sizeof *host);
    return ops->error(ops);
}

sb_status sb_net_start(sb_net *net, uint64_t seed, uint64_t ulp)
{
    sb_ops *ops = net->ops;
    size_t n_bytes = net->params.total * sizeof(sb_real);
    sb_real *host = malloc(n_bytes);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the initial weights");
    sb_params_draw(&net->params, seed, host);
    if (ulp) sb_params_nudge(&net->params, ulp, host);
    ops->to_device(ops, net->weight, host, n_bytes);
    free(host);
    sb_status status = ops->error(ops);
    for (int i = 0; status == SB_OK && i < net->n_states; i++) status = start_state(ops, &net->state[i]);
    return status;
}

static const sb_param *param_at(const sb_params *params, size_t element)
{
    for (int i = 0; i < params->n; i++)
        if (element - params->list[i].offset < params->list[i].n) return &params->list[i];
    return NULL;
}

bool sb_net_name_block(const sb_net *net, const sb_real *block, const char *what, const void *memory, size_t n,
                       char *text, size_t size)
{
    const sb_real *at = memory;
    if (at < block || at >= block + net->params.total || n == 0) return false;
    size_t first = (size_t)(at - block);
    const sb_param *begin = param_at(&net->params, first), *end = param_at(&net->params, first + n - 1);
    if (!begin || !end) return false;
    if (n == net->params.total)
        snprintf(text, size, "%sall weights", what);
    else if (begin == end)
        snprintf(text, size, "%s%s", what, begin->name);
    else
        snprintf(text, size, "%s%s .. %s", what, begin->name, end->name);
    return true;
}

bool sb_net_name(const sb_net *net, const void *memory, size_t n, char *text, size_t size)
{
    return sb_net_name_block(net, net->weight, "", memory, n, text, size) ||
           sb_net_name_block(net, net->grad, "gradient of ", memory, n, text, size) ||
           net->name(net, memory, text, size);
}

void sb_net_close(sb_net *net)
{
    if (net) net->close(net);
}
