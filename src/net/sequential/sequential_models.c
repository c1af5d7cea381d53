#include "net/sequential/sequential_models.h"

sb_layer_list sb_layer_list_of(const char *model, const sb_settings *settings, const sb_data_shape *data)
{
    return (sb_layer_list){.model = model,
                           .input = {data->c, data->h, data->w},
                           .loss = &sb_loss_cross_entropy,
                           .n_classes = data->n_classes,
                           .smoothing = settings->smoothing};
}

void sb_layer_list_of_tokens(sb_layer_list *list)
{
    list->input = (sb_map_size){1, 1, list->row[0].embedding.context};
    list->loss = &sb_loss_token_cross_entropy;
}

/* ---- the rows of core/rows/models.h ---- */

static sb_status open_list(sb_net **net, sb_ops *ops, const sb_settings *settings, const sb_data_shape *data,
                           sb_layer_list_fill *fill)
{
    sb_layer_list list;
    const sb_settings resolved = sb_settings_resolved(settings);
    const sb_sequential_form form = {.batch = (int)sb_settings_samples(settings),
                                     .n_shards = (int)settings->shards,
                                     .n_steps = (int)settings->sync_every,
                                     .seed = (uint64_t)settings->seed};
    *net = NULL;
    SB_TRY(fill(&list, &resolved, data));
    return sb_sequential_open(net, ops, &list, &form);
}

#define OPEN_VIDEO(id)
#define OPEN_IMAGES(id)                                                                                                \
    sb_status sb_##id##_model_open(sb_net **net, sb_ops *ops, const sb_settings *settings, const sb_data_shape *data)  \
    {                                                                                                                  \
        return open_list(net, ops, settings, data, sb_##id##_list);                                                    \
    }
#define OPEN_TEXT(id)                               OPEN_IMAGES(id)
#define OPEN(id, name, data, keys, recipe, summary) OPEN_##data(id)
SB_MODELS(OPEN)
