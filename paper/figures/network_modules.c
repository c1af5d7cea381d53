#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "paper/figures/network_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct columns {
    size_t name, kind, inputs, channels, height, width, kernel, activation, parameters;
} columns;

static sb_status find_columns(const sb_table *table, columns *c)
{
    const struct {
        const char *name;
        size_t *column;
    } wanted[] = {
        {"name", &c->name},
        {"kind", &c->kind},
        {"inputs", &c->inputs},
        {"out_channels", &c->channels},
        {"height", &c->height},
        {"width", &c->width},
        {"kernel", &c->kernel},
        {"activation", &c->activation},
        {"parameters", &c->parameters},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        SB_TRY(sb_table_column(table, wanted[i].name, wanted[i].column));
    return SB_OK;
}

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

static sb_status read_row(sb_network_modules *layers, const columns *c, size_t row)
{
    const sb_table *table = &layers->table;
    char name[48];
    cut_name(sb_table_text(table, row, c->name), name);
    size_t i = find_module(layers, name);
    sb_module *module = &layers->module[i];
    const char *kind = sb_table_text(table, row, c->kind);
    if (i == layers->n_modules) {
        layers->n_modules++;
        *module = (sb_module){.kind = kind, .level = level_of(name)};
        memcpy(module->name, name, sizeof name);
        module->kernel = sb_table_text(table, row, c->kernel);
        module->activation = sb_table_text(table, row, c->activation);
    }
    long parameters;
    SB_TRY(sb_table_int(table, row, c->parameters, &parameters));
    module->parameters += parameters;
    module->pooled = module->pooled || strcmp(kind, "pooling") == 0;
    if (strcmp(kind, "upsampling") == 0) return SB_OK; /* for the module below, at its resolution */
    SB_TRY(sb_table_int(table, row, c->channels, &module->channels));
    SB_TRY(sb_table_int(table, row, c->height, &module->height));
    return sb_table_int(table, row, c->width, &module->width);
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

static sb_status read_links(sb_network_modules *layers, const columns *c, size_t row)
{
    char to[48], from[48], inputs[256], *rest = NULL;
    cut_name(sb_table_text(&layers->table, row, c->name), to);
    snprintf(inputs, sizeof inputs, "%s", sb_table_text(&layers->table, row, c->inputs));
    for (char *input = strtok_r(inputs, " ", &rest); input; input = strtok_r(NULL, " ", &rest)) {
        cut_name(input, from);
        size_t i = find_module(layers, from);
        if (i == layers->n_modules)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s reads %s, which is no layer", layers->table.path,
                           sb_table_line(row), to, input);
        add_link(layers, (sb_module_link){i, find_module(layers, to), strchr(input, '@') != NULL});
    }
    return SB_OK;
}

static sb_status read_rows(sb_network_modules *layers)
{
    columns c;
    size_t n = layers->table.n_rows;
    SB_TRY(find_columns(&layers->table, &c));
    layers->module = calloc(n + 1, sizeof *layers->module);
    layers->link = calloc(n * n + 1, 2 * sizeof *layers->link);
    if (!layers->module || !layers->link)
        return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu layers", layers->table.path, n);
    for (size_t row = 0; row < n; row++) SB_TRY(read_row(layers, &c, row));
    for (size_t row = 0; row < n; row++) SB_TRY(read_links(layers, &c, row));
    return SB_OK;
}

sb_status sb_network_modules_read(sb_network_modules *layers, const char *path)
{
    *layers = (sb_network_modules){0};
    SB_TRY(sb_table_read(&layers->table, path, &sb_columns_layers));
    sb_status status = read_rows(layers);
    if (status != SB_OK) sb_network_modules_free(layers);
    return status;
}

void sb_network_modules_free(sb_network_modules *layers)
{
    free(layers->module);
    free(layers->link);
    sb_table_free(&layers->table);
    *layers = (sb_network_modules){0};
}
