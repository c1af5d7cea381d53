#include "paper/figures/network_modules.h"

#include "paper/results/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct layer {
    const char *name, *kind, *inputs, *kernel, *activation;
    long channels, height, width, parameters;
} layer;

static const sb_row_column columns[] = {
    {"name", sb_field_text, offsetof(layer, name)},
    {"kind", sb_field_text, offsetof(layer, kind)},
    {"inputs", sb_field_text, offsetof(layer, inputs)},
    {"out_channels", sb_field_int, offsetof(layer, channels)},
    {"height", sb_field_int, offsetof(layer, height)},
    {"width", sb_field_int, offsetof(layer, width)},
    {"kernel", sb_field_text, offsetof(layer, kernel)},
    {"activation", sb_field_text, offsetof(layer, activation)},
    {"parameters", sb_field_int, offsetof(layer, parameters)},
    {0},
};

/* "lstm3" of "lstm3/h@t-1". */
static void cut_name(const char *name, char module[48])
{
    snprintf(module, 48, "%.*s", (int)strcspn(name, "/@"), name);
}

static size_t find_module(const sb_network_modules *layers, const char *name)
{
    size_t i = 0;
    while (i < layers->n_modules && strcmp(layers->module[i].name, name) != 0) i++;
    return i;
}

static int level_of(const char *name)
{
    size_t digits = strlen(name);
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
    return (int)strtol(name + digits, NULL, 10);
}

static void add_layer(sb_network_modules *layers, const layer *l)
{
    char name[48];
    cut_name(l->name, name);
    const size_t i = find_module(layers, name);
    sb_module *module = &layers->module[i];
    if (i == layers->n_modules) {
        layers->n_modules++;
        *module =
            (sb_module){.kind = l->kind, .kernel = l->kernel, .activation = l->activation, .level = level_of(name)};
        memcpy(module->name, name, sizeof name);
    }
    module->parameters += l->parameters;
    module->pooled = module->pooled || strcmp(l->kind, "pooling") == 0;
    if (strcmp(l->kind, "upsampling") == 0) return; /* for the module below, at its resolution */
    module->channels = l->channels, module->height = l->height, module->width = l->width;
}

static void add_link(sb_network_modules *layers, sb_module_link link)
{
    if (link.from == link.to) return;
    for (size_t i = 0; i < layers->n_links; i++) {
        const sb_module_link *other = &layers->link[i];
        if (other->from == link.from && other->to == link.to && other->late == link.late) return;
    }
    layers->link[layers->n_links++] = link;
}

static sb_status add_links(sb_network_modules *layers, const layer *l, size_t row)
{
    char to[48], from[48], inputs[256], *rest = NULL;
    cut_name(l->name, to);
    snprintf(inputs, sizeof inputs, "%s", l->inputs);
    for (char *input = strtok_r(inputs, " ", &rest); input; input = strtok_r(NULL, " ", &rest)) {
        cut_name(input, from);
        size_t i = find_module(layers, from);
        if (i == layers->n_modules)
            return sb_row_fail(&layers->table, row, "%s reads %s, which is no layer", to, input);
        add_link(layers, (sb_module_link){i, find_module(layers, to), strchr(input, '@') != NULL});
    }
    return SB_OK;
}

static sb_status read_layers(sb_network_modules *layers)
{
    const size_t n = layers->table.n_rows;
    SB_FREED layer *layer_of = calloc(n + 1, sizeof *layer_of);
    layers->module = calloc(n + 1, sizeof *layers->module);
    layers->link = calloc(n * n + 1, 2 * sizeof *layers->link);
    if (!layer_of || !layers->module || !layers->link)
        return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu layers", layers->table.path, n);
    for (size_t row = 0; row < n; row++) {
        SB_TRY(sb_row_read(columns, &layers->table, row, NULL, &layer_of[row]));
        add_layer(layers, &layer_of[row]);
    }
    for (size_t row = 0; row < n; row++) SB_TRY(add_links(layers, &layer_of[row], row));
    return SB_OK;
}

sb_status sb_network_modules_read(sb_network_modules *layers, const char *path)
{
    *layers = (sb_network_modules){0};
    SB_TRY(sb_table_read(&layers->table, path, &sb_columns_layers));
    return read_layers(layers);
}

void sb_network_modules_free(sb_network_modules *layers)
{
    free(layers->module);
    free(layers->link);
    sb_table_free(&layers->table);
    *layers = (sb_network_modules){0};
}
