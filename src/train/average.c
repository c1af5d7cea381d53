#include "train/average.h"

#include "core/power.h"

static sb_ops *ops_of(const sb_average *average)
{
    return average->net->ops; /* asked for each time: a trace or a profile may stand before the backend */
}

static size_t largest(const sb_average *average)
{
    size_t n = 0;
    for (int i = 0; i < average->n; i++)
        if (average->block[i].n > n) n = average->block[i].n;
    return n;
}

static void list_blocks(sb_average *average)
{
    sb_net *net = average->net;
    average->block[average->n].value = net->weight;
    average->block[average->n++].n = net->params.total;
    for (int i = 0; i < net->n_states; i++) {
        if (net->state[i].kind != SB_STATE_RUNNING) continue;
        average->block[average->n].value = net->state[i].tensor.x;
        average->block[average->n++].n = sb_tensor_size(&net->state[i].tensor);
    }
}

static sb_status take_memory(sb_average *average)
{
    size_t total = largest(average);
    for (int i = 0; i < average->n; i++) total += average->block[i].n;
    average->memory = ops_of(average)->allocate(ops_of(average), total * sizeof(sb_real));
    if (!average->memory) return SB_E_MEMORY;
    sb_real *at = average->memory;
    for (int i = 0; i < average->n; i++) {
        average->block[i].mean = at;
        at += average->block[i].n;
    }
    average->spare = at;
    return SB_OK;
}

/* The averages as states, each by the name of what it is the average of. */
static void name_states(const sb_average *average)
{
    sb_net *net = average->net;
    const int n_states = net->n_states;
    for (int p = 0; p < net->params.n; p++) {
        const sb_param *param = &net->params.list[p];
        sb_net_add_state(net, SB_STATE_AVERAGE, param->rank, param->dim, average->block[0].mean + param->offset, 0,
                         "average/%s", param->name);
    }
    for (int i = 0, block = 1; i < n_states; i++) {
        const sb_state *state = &net->state[i];
        if (state->kind != SB_STATE_RUNNING) continue;
        sb_net_add_state(net, SB_STATE_AVERAGE, state->rank, state->dim, average->block[block++].mean, 0, "average/%s",
                         state->name);
    }
}

sb_status sb_average_open(sb_average *average, sb_net *net, const sb_settings *settings)
{
    const sb_settings resolved = sb_settings_resolved(settings);
    *average = (sb_average){0};
    if (!net->classes.n || !(resolved.ema_momentum > 0)) return SB_OK;
    if (net->params.n + 2 * net->n_states > SB_STATES_MAX)
        return sb_fail(SB_E_USAGE, "%s: has too many tensors for an average of them all", net->model);
    sb_average opened = {
        .net = net, .share = 1 - sb_power(resolved.ema_momentum, resolved.ema_every), .every = resolved.ema_every};
    list_blocks(&opened);
    SB_TRY(take_memory(&opened));
    name_states(&opened);
    *average = opened;
    return SB_OK;
}

void sb_average_close(sb_average *average)
{
    if (average->memory) ops_of(average)->release(ops_of(average), average->memory);
    *average = (sb_average){0};
}

void sb_average_start(const sb_average *average)
{
    for (int i = 0; i < average->n; i++)
        ops_of(average)->copy(ops_of(average), average->block[i].mean, average->block[i].value,
                              average->block[i].n * sizeof(sb_real));
}

void sb_average_update(const sb_average *average, long update)
{
    if (!average->n || (update - 1) % average->every) return;
    for (int i = 0; i < average->n; i++)
        ops_of(average)->average(ops_of(average), average->block[i].n, average->share, average->block[i].value,
                                 average->block[i].mean);
}

static void move(const sb_average *average, sb_real *to, const sb_real *from, size_t n)
{
    ops_of(average)->copy(ops_of(average), to, from, n * sizeof *to);
}

void sb_average_exchange(const sb_average *average)
{
    for (int i = 0; i < average->n; i++) {
        const size_t n = average->block[i].n;
        move(average, average->spare, average->block[i].value, n);
        move(average, average->block[i].value, average->block[i].mean, n);
        move(average, average->block[i].mean, average->spare, n);
    }
}
