/* The shapes of a list of layers, and every sentence about one that does not fit. */
#include "net/sequential/sequential.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const char *const sb_layer_kind_name[SB_N_LAYER_KINDS] = {
#define KIND_NAME(id, name) name,
    SB_LAYER_KINDS(KIND_NAME)};

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
    return sb_fail(SB_E_USAGE, "%slayer %d (%s): %s", place, i + 1,
                   *row->name ? row->name : sb_layer_kind_name[row->kind], why);
}

static sb_status check_conv(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *out)
{
    const sb_layer_row *row = &list->row[i];
    const int k = row->conv.kernel, padding = row->conv.padding;
    *out = (sb_map_size){row->conv.channels, in.h + 2 * padding - k + 1, in.w + 2 * padding - k + 1};
    if (row->conv.channels < 1 || k < 1) return sb_layer_refuse(list, i, "it has no channels, or no kernel");
    if (out->h >= 1 && out->w >= 1) return SB_OK;
    if (!padding)
        return sb_layer_refuse(list, i, "a %dx%d kernel without padding does not fit a map of %dx%d", k, k, in.w, in.h);
    return sb_layer_refuse(list, i, "a %dx%d kernel with padding %d does not fit a map of %dx%d", k, k, padding, in.w,
                           in.h);
}

static sb_status check_pool(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *out)
{
    const int window = list->row[i].window;
    if (window < 1) return sb_layer_refuse(list, i, "it has no window");
    *out = (sb_map_size){in.c, in.h / window, in.w / window};
    if (window > 16) return sb_layer_refuse(list, i, "windows have at most 16 x 16 numbers");
    if (out->h >= 1 && out->w >= 1) return SB_OK;
    return sb_layer_refuse(list, i, "windows of %dx%d do not fit a map of %dx%d", window, window, in.w, in.h);
}

static bool is_same_size(sb_map_size a, sb_map_size b)
{
    return a.c == b.c && a.h == b.h && a.w == b.w;
}

/* The residuals that are open. */
typedef struct open_rows {
    int n, row[SB_LAYERS_OF_LIST_MAX];
} open_rows;

static sb_status check_residual_end(const sb_layer_list *list, int i, sb_map_size in, const sb_map_size *size,
                                    open_rows *open)
{
    if (!open->n) return sb_layer_refuse(list, i, "no residual begins before it");
    const int begin = open->row[--open->n];
    const sb_map_size x = size[begin];
    if (begin == i - 1) return sb_layer_refuse(list, i, "no layer stands between it and its beginning");
    if (is_same_size(x, in)) return SB_OK;
    return sb_layer_refuse(list, i, "it adds a map of %d channels of %dx%d to one of %d channels of %dx%d", x.c, x.w,
                           x.h, in.c, in.w, in.h);
}

static sb_status check_row(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size, open_rows *open)
{
    const sb_layer_row *row = &list->row[i];
    sb_map_size *out = &size[i];
    *out = in;
    switch (row->kind) {
    case SB_LAYER_CONV:
        return check_conv(list, i, in, out);
    case SB_LAYER_MAX_POOL:
        return check_pool(list, i, in, out);
    case SB_LAYER_GLOBAL_POOL:
        *out = (sb_map_size){in.c, 1, 1};
        return in.h * in.w <= 256 ? SB_OK
                                  : sb_layer_refuse(list, i, "a map of %dx%d is more than 256 numbers", in.w, in.h);
    case SB_LAYER_RESIDUAL:
        open->row[open->n++] = i;
        return SB_OK;
    case SB_LAYER_RESIDUAL_END:
        return check_residual_end(list, i, in, size, open);
    case SB_LAYER_DENSE:
        *out = (sb_map_size){row->dense.units, 1, 1};
        return row->dense.units >= 1 ? SB_OK : sb_layer_refuse(list, i, "it has no units");
    case SB_LAYER_NORM:
    case SB_LAYER_ACTIVATION:
    case SB_LAYER_SCALE:
        return SB_OK;
    case SB_N_LAYER_KINDS:
        break;
    }
    return sb_layer_refuse(list, i, "there is no such layer");
}

sb_status sb_layer_list_check(const sb_layer_list *list, sb_map_size size[SB_LAYERS_OF_LIST_MAX])
{
    open_rows open = {0};
    sb_map_size in = list->input;
    for (int i = 0; i < list->n_rows; i++) {
        SB_TRY(check_row(list, i, in, size, &open));
        in = size[i];
    }
    if (open.n) return sb_layer_refuse(list, open.row[open.n - 1], "it does not end");
    if (list->n_classes < 2 || list->n_classes > SB_CLASSES_MAX)
        return sb_fail(SB_E_USAGE, "%s: it tells 2 to %d classes apart, and the data has %d", list->model,
                       SB_CLASSES_MAX, list->n_classes);
    if (list->n_rows && in.c == list->n_classes && in.h == 1 && in.w == 1) return SB_OK;
    return sb_layer_refuse(list, list->n_rows - 1,
                           "it is the last and gives %d numbers for each sample, not one for each of %d classes",
                           in.c * in.h * in.w, list->n_classes);
}
