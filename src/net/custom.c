/* A user's own network: the layers of core/rows/layer_text.h as rows (net/sequential/sequential.h). Layers of a kind
 * are numbered, and called so in files: conv1, norm1, dense1. */
#include "net/layers/kind.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>

_Static_assert((int)SB_LAYER_TEXT_LAYERS <= (int)SB_LAYERS_OF_LIST_MAX, "a list takes what a file may have");

/* The row is in its place before it counts, for sentences. */
static sb_status add_layer(sb_layer_list *list, const sb_layer_line *line, int n[SB_N_LAYERS])
{
    sb_layer_row *row = &list->row[list->n_rows];
    *row = (sb_layer_row){.kind = sb_layer_kinds[line->id]};
    if (row->kind->has_tensors) snprintf(row->name, sizeof row->name, "%s%d", row->kind->name, ++n[line->id]);
    if (row->kind->read) SB_TRY(row->kind->read(list, line, row));
    list->n_rows++;
    return SB_OK;
}

sb_status sb_layer_list_read(sb_layer_list *list, const char *line)
{
    int n[SB_N_LAYERS] = {0};
    while (line) {
        const sb_layer_line layer = sb_layer_text_next(&line);
        SB_TRY(add_layer(list, &layer, n));
    }
    return SB_OK;
}

sb_status sb_layers_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    if (!settings->layers || !*settings->layers)
        return sb_fail(SB_E_USAGE, "--model layers wants --layers FILE, a network of your own (docs/own-network.md)");
    *list = sb_layer_list_of("layers", settings, data);
    list->places = settings->layer_file;
    SB_TRY(sb_layer_list_read(list, settings->layers));
    if (list->row[0].kind == &sb_layer_embedding) sb_layer_list_of_tokens(list);
    return SB_OK;
}
