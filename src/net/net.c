#include "net/net.h"

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
    ops->zero(ops, net->moment1, n_bytes);
    ops->zero(ops, net->moment2, n_bytes);
    for (int i = 0; i < net->n_states; i++)
        ops->zero(ops, net->state[i].map.x, sb_map_size(&net->state[i].map) * sizeof(sb_real));
    return ops->error(ops);
}

void sb_net_close(sb_net *net)
{
    if (net) net->close(net);
}
