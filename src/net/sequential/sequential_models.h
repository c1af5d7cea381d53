/* Functions that fill a list of layers (net/sequential/sequential.h) from the settings and the shape of the data. */
#pragma once

#include "net/models.h"
#include "net/sequential/sequential.h"

/* A list without layers for that data, with the members that all of these networks share. */
sb_layer_list sb_layer_list_of(const char *model, const sb_settings *settings, const sb_data_shape *data);

/* Of a list that begins with an embedding: the input, windows of tokens, and the loss, the next token's. */
void sb_layer_list_of_tokens(sb_layer_list *list);

/* Append the layers of a network written in one line (core/rows/layer_text.h), numbered by kind: conv1, norm1, dense1.
 * SB_E_USAGE: the line is not valid. */
sb_status sb_layer_list_read(sb_layer_list *list, const char *line);

/* Fill a list: sb_ID_list, for each network of core/rows/models.h that is a list. Settings are resolved
 * (sb_settings_resolved). SB_E_USAGE: the number of widths is not the number of layers, or a layer of a user's network
 * does not fit. */
typedef sb_status sb_layer_list_fill(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data);
#define SB_LIST_OF_VIDEO(id)
#define SB_LIST_OF_IMAGES(id)                             sb_layer_list_fill sb_##id##_list;
#define SB_LIST_OF_TEXT(id)                               sb_layer_list_fill sb_##id##_list;
#define SB_LIST_OF(id, name, data, keys, recipe, summary) SB_LIST_OF_##data(id)
SB_MODELS(SB_LIST_OF)
