/* A perceptron: dense layers with relu between. Weights start at U(-b, b), b = sqrt(6 / (inputs + outputs)), biases at
 * 0. */
#include "net/models.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>

sb_status sb_mlp_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    const sb_list *widths = &settings->widths;
    *list = sb_layer_list_of("mlp", settings, data);
    for (int i = 0; i <= widths->n; i++) {
        sb_layer_row row = {.kind = &sb_layer_dense};
        snprintf(row.name, sizeof row.name, "dense%d", i + 1);
        row.dense.units = i < widths->n ? widths->item[i] : data->n_classes;
        row.dense.bias = true, row.dense.start = SB_LAYER_START_GLOROT;
        sb_layer_add(list, row);
        if (i < widths->n)
            sb_layer_add(list, (sb_layer_row){&sb_layer_activation, .activation = {SB_ACTIVATION_relu, 0}});
    }
    return SB_OK;
}
