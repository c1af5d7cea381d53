/* The study's MNIST autoencoder: inputs - hidden - inputs, and deeper ones of that family, whose encoder has a layer for
 * each number of hidden units and whose decoder is its mirror image: hidden 128, 64, 32 is inputs - 128 - 64 - 32 - 64 -
 * 128 - inputs. An activation follows each layer, relu in the study; the loss is the mean squared error over all
 * elements of the batch. Parameters encoder/w [hidden][inputs], encoder/b, decoder/w [inputs][hidden], decoder/b; of
 * several layers encoder1/w, encoder1/b, encoder2/w, ..., decoder1/w, ..., in the order of a pass forward. */
#include "net/models.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>

/* Numbers that layer i of 2 n gives. */
static int units(const sb_list *hidden, int inputs, int i)
{
    const int n = hidden->n;
    if (i + 1 == 2 * n) return inputs;
    return hidden->item[i < n ? i : 2 * n - 2 - i];
}

/* "encoder", "decoder"; where they have several layers "encoder1", "encoder2", ... */
static void name_layer(char name[SB_LAYER_NAME], int n, int i)
{
    const char *half = i < n ? "encoder" : "decoder";
    if (n == 1)
        snprintf(name, SB_LAYER_NAME, "%s", half);
    else
        snprintf(name, SB_LAYER_NAME, "%s%d", half, i % n + 1);
}

sb_status sb_autoencoder_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    const sb_list *hidden = &settings->hidden;
    const int inputs = data->c * data->w * data->h, n_layers = 2 * hidden->n;
    *list = sb_layer_list_of("autoencoder", settings, data);
    list->input = (sb_map_size){inputs, 1, 1};
    list->loss = &sb_loss_squared_error, list->learns_last = true;
    for (int i = 0; i < n_layers; i++) {
        const sb_activation kind =
            sb_activation_find(i + 1 < n_layers ? settings->hidden_activation : settings->output_activation);
        sb_layer_row row = {.kind = &sb_layer_dense, .dense = {units(hidden, inputs, i), .bias = true}};
        row.dense.start = SB_LAYER_START_NORMAL, row.dense.relu = kind == SB_ACTIVATION_relu;
        name_layer(row.name, hidden->n, i);
        sb_layer_add(list, row);
        if (kind == SB_ACTIVATION_relu || kind == SB_ACTIVATION_linear) continue;
        sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_activation, .activation = {kind, 1}});
    }
    return SB_OK;
}
