/* A user's own network: the layers of core/rows/layer_text.h as rows (net/sequential/sequential.h). Layers of a kind
 * are numbered, and called so in files: conv1, norm1, dense1. */
#include "core/rows/layer_text.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)SB_LAYER_TEXT_LAYERS <= (int)SB_LAYERS_OF_LIST_MAX, "a list takes what a file may have");
enum { UNITS_MAX = 65536, CHANNELS_MAX = 4096, KERNEL_MAX = 15 };

/* How many of each kind there were. */
typedef struct counts {
    int of[SB_N_LAYER_WORDS];
} counts;

static bool has(const sb_layer_line *line, int flag)
{
    return line->flags >> flag & 1;
}

static sb_status range(const sb_layer_list *list, const char *what, double number, double least, double most)
{
    if (number >= least && number <= most && number == (double)(long)number) return SB_OK;
    return sb_layer_refuse(list, list->n_rows, "%s wants a whole number in [%.0f, %.0f], not %g", what, least, most,
                           number);
}

static sb_status fill_conv(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->kind = SB_LAYER_CONV;
    SB_TRY(range(list, "the number of channels", line->number[0], 1, CHANNELS_MAX));
    SB_TRY(range(list, "the kernel", line->number[1], 1, KERNEL_MAX));
    row->conv.channels = (int)line->number[0], row->conv.kernel = (int)line->number[1];
    row->conv.padding = has(line, 0) ? 0 : row->conv.kernel / 2;
    row->conv.bias = has(line, 1);
    return SB_OK;
}

static sb_status fill_norm(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->kind = SB_LAYER_NORM;
    row->norm.is_scale_frozen = has(line, 0);
    if (!line->n_numbers) return SB_OK;
    SB_TRY(range(list, "the number of groups", line->number[0], 1, CHANNELS_MAX));
    row->norm.groups = (int)line->number[0];
    return SB_OK;
}

static sb_status fill_pool(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    const bool is_all = has(line, 0);
    row->kind = is_all ? SB_LAYER_GLOBAL_POOL : SB_LAYER_MAX_POOL;
    if (is_all == (line->n_numbers == 1))
        return sb_layer_refuse(list, list->n_rows,
                               "a pool has either a window, 'pool 2', or all of the map, 'pool all'");
    if (is_all) return SB_OK;
    SB_TRY(range(list, "the window", line->number[0], 1, 16));
    row->window = (int)line->number[0];
    return SB_OK;
}

static sb_status fill_dense(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->kind = SB_LAYER_DENSE;
    row->dense.bias = !has(line, 1);
    row->dense.units = list->n_classes;
    if (has(line, 0) == (line->n_numbers == 1))
        return sb_layer_refuse(list, list->n_rows, "it has either a number of units or 'classes'");
    if (has(line, 0)) return SB_OK;
    SB_TRY(range(list, "the number of units", line->number[0], 1, UNITS_MAX));
    row->dense.units = (int)line->number[0];
    return SB_OK;
}

static sb_status fill_row(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    switch (line->word) {
    case SB_WORD_CONV:
        return fill_conv(list, line, row);
    case SB_WORD_NORM:
        return fill_norm(list, line, row);
    case SB_WORD_POOL:
        return fill_pool(list, line, row);
    case SB_WORD_DENSE:
        return fill_dense(list, line, row);
    case SB_WORD_RESIDUAL:
        row->kind = SB_LAYER_RESIDUAL;
        return SB_OK;
    case SB_WORD_END:
        row->kind = SB_LAYER_RESIDUAL_END;
        return SB_OK;
    case SB_WORD_SCALE:
        row->kind = SB_LAYER_SCALE, row->factor = line->number[0];
        return SB_OK;
    case SB_WORD_ACTIVATION:
        row->kind = SB_LAYER_ACTIVATION;
        row->activation.kind = line->activation;
        row->activation.alpha = line->n_numbers ? line->number[0] : 1;
        if (!line->n_numbers || (line->activation == SB_ACTIVATION_celu && line->number[0] >= 1e-3)) return SB_OK;
        return sb_layer_refuse(list, list->n_rows, "celu alone has a number, of at least 0.001");
    case SB_N_LAYER_WORDS:
        break;
    }
    return sb_layer_refuse(list, list->n_rows, "there is no such layer");
}

/* The row is in its place before it counts, for sentences. */
static sb_status add_layer(sb_layer_list *list, const sb_layer_line *line, counts *n)
{
    sb_layer_row *row = &list->row[list->n_rows];
    *row = (sb_layer_row){0};
    const char *word = line->word == SB_WORD_CONV    ? "conv"
                       : line->word == SB_WORD_NORM  ? "norm"
                       : line->word == SB_WORD_DENSE ? "dense"
                                                     : "";
    if (*word) snprintf(row->name, sizeof row->name, "%s%d", word, ++n->of[line->word]);
    SB_TRY(fill_row(list, line, row));
    list->n_rows++;
    return SB_OK;
}

sb_status sb_layers_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    const char *at = settings->layers;
    counts n = {0};
    if (!at || !*at)
        return sb_fail(SB_E_USAGE, "--model layers wants --layers FILE, a network of your own (docs/own-network.md)");
    *list = sb_layer_list_of("layers", settings, data);
    list->places = settings->layer_file;
    while (at) {
        const sb_layer_line line = sb_layer_text_next(&at);
        SB_TRY(add_layer(list, &line, &n));
    }
    return SB_OK;
}
