#include "net/net.h"

#include <stdio.h>
#include <stdlib.h>

sb_status sb_net_start(sb_net *net, uint64_t seed, uint64_t ulp)
{
    sb_ops *ops = net->ops;
    size_t n_bytes = net->params.total * sizeof(sb_real);
    sb_real *host = malloc(n_bytes);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the start weights");
    sb_params_draw(&net->params, seed, host);
    if (ulp) sb_params_nudge(&net->params, ulp, host);
    ops->to_device(ops, net->weight, host, n_bytes);
    free(host);
    for (int i = 0; i < net->n_states; i++)
        ops->zero(ops, net->state[i].tensor.x, sb_tensor_size(&net->state[i].tensor) * sizeof(sb_real));
    return ops->error(ops);
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
