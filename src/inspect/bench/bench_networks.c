#include "inspect/bench/bench_case.h"

#include "net/layers/kind.h"
#include "net/sequential/sequential_models.h"

#include <string.h>

#define ROW(name, channels, side, classes, optimizer, has_arithmetic, batch, other)                                    \
    {#name,                                                                                                            \
     #name "-evaluation",                                                                                              \
     #name "-evolution",                                                                                               \
     #name "-memory",                                                                                                  \
     #name "-path",                                                                                                    \
     #name "-kernels",                                                                                                 \
     {channels, side, side, classes},                                                                                  \
     optimizer,                                                                                                        \
     has_arithmetic,                                                                                                   \
     (other) ? 2 : 1,                                                                                                  \
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

/* Add a convolution: n_forward forward passes in a window, n_data data gradients and n_weight weight gradients. */
static void add(sb_flop *flop, double in, double out, double pixels, int n_forward, int n_data, int n_weight)
{
    double once = 2 * 9 * in * out * pixels;
    flop->forward += n_forward * once;
    flop->data_gradient += n_data * once;
    flop->weight_gradient += n_weight * once;
}

sb_flop sb_flop_prednet(const sb_prednet_shape *shape)
{
    const int t = shape->window;
    sb_flop flop = {0};
    for (int n = 0; n < shape->n_layers; n++) {
        const bool lowest = n == 0, has_above = n + 1 < shape->n_layers;
        const double c = shape->channels[n], pixels = (double)(shape->w >> n) * (shape->h >> n);
        const double c_above = has_above ? shape->channels[n + 1] : 0;
        const int t_lowest = lowest ? t - 1 : t;            /* E_0 of the first frame wants no gradient */
        add(&flop, 2 * c, 4 * c, pixels, t, t_lowest, t);   /* the gates of E */
        add(&flop, c_above, 4 * c, pixels, t, t, t);        /* of the layer above */
        add(&flop, c, 4 * c, pixels, t, t - 1, t);          /* of R, one frame earlier */
        add(&flop, 2 * c, c_above, pixels, t, t_lowest, t); /* ConvA of the layer above reads E */
        add(&flop, c, c, pixels, t, lowest ? t : t - 1, lowest ? t : t - 1); /* ConvP */
    }
    return flop;
}

sb_status sb_flop_layers(const sb_layer_list *list, int batch, sb_flop *flop)
{
    sb_map_size size[SB_LAYERS_OF_LIST_MAX];
    bool learned_before = false;
    *flop = (sb_flop){0};
    SB_TRY(sb_layer_list_check(list, size));
    for (int i = 0; i < list->n_rows; i++) {
        const sb_layer_row *row = &list->row[i];
        const bool learns = sb_layer_has(row, SB_LEARNS);
        const double products =
            row->kind->products ? row->kind->products(row, i ? size[i - 1] : list->input, size[i]) : 0;
        const double once = 2.0 * batch * products;
        flop->forward += once;
        const int operands = row->kind->has_tensors ? 1 : 2; /* attention multiplies maps, and both have gradients */
        flop->data_gradient += learned_before ? operands * once : 0;
        flop->weight_gradient += learns ? once : 0;
        learned_before = learned_before || learns;
    }
    return SB_OK;
}
