/* The networks that are lists of layers (net/sequential/sequential.h): what fills a list from settings and the data's
 * shape. */
#ifndef SB_NET_SEQUENTIAL_MODELS_H
#define SB_NET_SEQUENTIAL_MODELS_H

#include "net/models.h"
#include "net/sequential/sequential.h"

/* A list without layers for that data, with what all of these networks have. */
sb_layer_list sb_layer_list_of(const char *model, const sb_settings *settings, const sb_data_shape *data);

/* Append the layers of a network in one line (core/rows/layer_text.h), numbered by kind: conv1, norm1, dense1. SB_E_USAGE. */
sb_status sb_layer_list_read(sb_layer_list *list, const char *line);

/* Fill a list, of each network of core/rows/models.h that learns from images: sb_ID_list. Settings are resolved
 * (sb_settings_resolved). SB_E_USAGE: the widths are not as many as it has layers, or a layer of a user's network does not
 * fit. */
typedef sb_status sb_layer_list_fill(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data);
#define SB_LIST_OF_VIDEO(id)
#define SB_LIST_OF_IMAGES(id)                             sb_layer_list_fill sb_##id##_list;
#define SB_LIST_OF(id, name, data, keys, recipe, summary) SB_LIST_OF_##data(id)
SB_MODELS(SB_LIST_OF)

#endif
