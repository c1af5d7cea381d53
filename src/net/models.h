/* The networks by name. To add a network, add its row to core/rows/models.h and write sb_ID_list
 * (sequential/sequential_models.h), or for a network that learns from video sb_ID_model_open.
 *
 *     const sb_model *model = sb_model_find("prednet");
 *     SB_TRY(model->open(&net, ops, settings, &(sb_data_shape){3, 120, 160}));
 */
#pragma once

#include "core/rows/setting.h"
#include "net/net.h"

typedef enum sb_model_data { SB_LEARNS_FROM_VIDEO, SB_LEARNS_FROM_IMAGES, SB_LEARNS_FROM_TEXT } sb_model_data;

/* The shape of the data: channels, rows and columns of a frame or image, and the number of classes (0: no labels). Of a
 * text: n_classes is its vocabulary, and the other members are not read. */
typedef struct sb_data_shape {
    int c, h, w, n_classes;
} sb_data_shape;

typedef struct sb_model {
    const char *name;
    sb_model_data data; /* sb_model_data_of says it of the settings */
    /* Open the network for data of that shape; the caller closes it (sb_net_close). SB_E_USAGE: the settings do not fit
     * the shape. */
    sb_status (*open)(sb_net **net, sb_ops *ops, const sb_settings *settings, const sb_data_shape *data);
} sb_model;

/* NULL: no network has that name. */
const sb_model *sb_model_find(const char *name);

/* Does the network of that name learn from video? The name must be of an existing network. */
bool sb_model_learns_from_video(const char *name);

/* What the network of these settings learns from. Of a list of layers that begins with an embedding: text. */
sb_model_data sb_model_data_of(const sb_settings *settings);

/* SB_E_USAGE for a name that no network has. path: the file that contains the name, or "settings".
 * "walk.h5: there is no network 'lenet'; this program knows prednet|autoencoder". */
sb_status sb_model_unknown(const char *path, const char *name);

#define SB_MODEL_OPEN(id, name, data, keys, recipe, summary)                                                           \
    sb_status sb_##id##_model_open(sb_net **net, sb_ops *ops, const sb_settings *settings, const sb_data_shape *data);
SB_MODELS(SB_MODEL_OPEN)
