/* LeNet: two 5x5 convolutions without padding, each with relu and a 2x2 pool, and two dense layers. */
#include "net/models.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>

static void add_conv(sb_layer_list *list, const char *name, int channels)
{
    sb_layer_row row = {.kind = SB_LAYER_CONV, .conv = {.channels = channels, .kernel = 5, .bias = true}};
    snprintf(row.name, sizeof row.name, "%s", name);
    sb_layer_add(list, row);
    sb_layer_add(list, sb_layer_relu());
    sb_layer_add(list, (sb_layer_row){.kind = SB_LAYER_MAX_POOL, .window = 2});
}

static void add_dense(sb_layer_list *list, const char *name, int units)
{
    sb_layer_row row = {.kind = SB_LAYER_DENSE, .dense = {.units = units, .bias = true}};
    snprintf(row.name, sizeof row.name, "%s", name);
    sb_layer_add(list, row);
}

sb_status sb_lenet_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    const sb_list *widths = &settings->widths;
    if (widths->n != 3)
        return sb_fail(SB_E_USAGE,
                       "lenet: --widths wants three numbers, of its two convolutions and its first dense "
                       "layer, not %d",
                       widths->n);
    *list = sb_layer_list_of("lenet", settings, data);
    add_conv(list, "conv1", widths->item[0]);
    add_conv(list, "conv2", widths->item[1]);
    add_dense(list, "dense1", widths->item[2]);
    sb_layer_add(list, sb_layer_relu());
    add_dense(list, "dense2", data->n_classes);
    return SB_OK;
}
