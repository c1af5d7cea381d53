/* The shapes of a list of layers, and every sentence about one that does not fit. */
#include "net/layers/kind.h"
#include "net/losses/loss.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void sb_layer_add(sb_layer_list *list, sb_layer_row row)
{
    assert(list->n_rows < SB_LAYERS_OF_LIST_MAX);
    list->row[list->n_rows++] = row;
}

/* Layers are numbered from 1; one without a name is called by its kind. */
sb_status sb_layer_refuse(const sb_layer_list *list, int i, const char *format, ...)
{
    char why[512], place[SB_PATH_MAX + 16] = "";
    const sb_layer_row *row = &list->row[i];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (list->places) snprintf(place, sizeof place, "%s:%d: ", list->places->path, list->places->line[i]);
    return sb_fail(SB_E_USAGE, "%slayer %d (%s): %s", place, i + 1, *row->name ? row->name : row->kind->name, why);
}

sb_status sb_layer_list_check(const sb_layer_list *list, sb_map_size size[SB_LAYERS_OF_LIST_MAX])
{
    sb_map_size in = list->input;
    for (int i = 0; i < list->n_rows; i++) {
        size[i] = in;
        if (list->row[i].kind->shape) SB_TRY(list->row[i].kind->shape(list, i, in, size));
        in = size[i];
    }
    return list->loss->check(list, in);
}
