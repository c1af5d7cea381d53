/* The autoencoder of a shape, as its settings open it. */
#pragma once

#include "core/rows/activations.h"
#include "net/models.h"

typedef struct autoencoder_shape {
    int inputs;
    sb_list hidden;
    int batch;
    sb_activation of_hidden, of_outputs;
} autoencoder_shape;

static inline sb_status autoencoder_open(sb_net **net, sb_ops *ops, const autoencoder_shape *shape)
{
#define NAME_OF(id, name) name,
    static const char *const names[] = {SB_ACTIVATIONS(NAME_OF)};
#undef NAME_OF
    sb_settings settings;
    sb_settings_default(&settings);
    settings.model = "autoencoder", settings.hidden = shape->hidden, settings.batch = shape->batch;
    settings.hidden_activation = names[shape->of_hidden], settings.output_activation = names[shape->of_outputs];
    return sb_autoencoder_model_open(net, ops, &settings, &(sb_data_shape){1, 1, shape->inputs, 0});
}
