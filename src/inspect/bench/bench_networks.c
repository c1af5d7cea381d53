#include "inspect/bench/bench_networks.h"

#include "net/sequential/sequential_models.h"

#include <string.h>

#define ROW(name, channels, side, classes, optimizer, has_arithmetic, batch, other)                                    \
    {#name,           #name "-evaluation", #name "-evolution",                                                         \
     #name "-memory", #name "-path",       {channels, side, side, classes},                                            \
     optimizer,       has_arithmetic,      (other) ? 2 : 1,                                                            \
     {batch, other}},
const sb_bench_network sb_bench_networks[SB_N_BENCH_NETWORKS] = {SB_BENCH_NETWORKS(ROW)};
#undef ROW

#define ROW(name, ...) sb_##name##_list,
static sb_layer_list_fill *const fill_list[SB_N_BENCH_NETWORKS] = {SB_BENCH_NETWORKS(ROW)};
#undef ROW

const sb_bench_network *sb_bench_network_find(const char *model)
{
    for (int k = 0; k < SB_N_BENCH_NETWORKS; k++)
        if (strcmp(sb_bench_networks[k].model, model) == 0) return &sb_bench_networks[k];
    return NULL;
}

void sb_bench_network_settings(const sb_bench_network *network, sb_settings *settings)
{
    settings->model = network->model;
    settings->optimizer = network->optimizer;
    settings->rung = "4";
}

sb_status sb_bench_network_flop(const sb_bench_network *network, const sb_settings *settings, sb_flop *flop)
{
    const sb_settings resolved = sb_settings_resolved(settings);
    sb_layer_list list;
    SB_TRY(fill_list[network - sb_bench_networks](&list, &resolved, &network->data));
    return sb_flop_layers(&list, (int)settings->batch, flop);
}
