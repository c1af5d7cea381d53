/* Lists of layers, their rows as short as a table of them wants, and the backend they run on:
 *
 *     const sb_layer_list list = LIST(colours, CLASSES, norm("a", 2), dense("b", CLASSES, true));
 */
#pragma once

#include "support.h"

#include "backend/backend.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>

static inline sb_ops *open_native(int threads, const char *arithmetic)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = threads, .arithmetic = arithmetic, .winograd_channels = 1};
    assert_int_equal(sb_backend_open(&ops, "native", &options), SB_OK);
    return ops;
}

static inline sb_layer_row named(sb_layer_row row, const char *name)
{
    snprintf(row.name, sizeof row.name, "%s", name);
    return row;
}

static inline sb_layer_row conv(const char *name, int channels, int kernel, int padding)
{
    return named((sb_layer_row){&sb_layer_conv, .conv = {.channels = channels, .kernel = kernel, .padding = padding}},
                 name);
}

static inline sb_layer_row norm(const char *name, int groups)
{
    return named((sb_layer_row){&sb_layer_norm, .norm = {.groups = groups}}, name);
}

static inline sb_layer_row activation(sb_activation kind, double alpha)
{
    return (sb_layer_row){&sb_layer_activation, .activation = {kind, alpha}};
}

static inline sb_layer_row pool(int window)
{
    return named((sb_layer_row){&sb_layer_pool, .window = window}, window ? "" : "global_pool");
}

static inline sb_layer_row plain(const sb_layer_kind *kind)
{
    return (sb_layer_row){kind, .factor = kind == &sb_layer_scale ? 0.25 : 0};
}

static inline sb_layer_row dense(const char *name, int units, bool bias)
{
    return named((sb_layer_row){&sb_layer_dense, .dense = {.units = units, .bias = bias}}, name);
}

static inline sb_layer_list list_of(sb_map_size input, int n_classes, int n, const sb_layer_row *row)
{
    sb_layer_list list = {.model = "test", .input = input, .loss = &sb_loss_cross_entropy, .n_classes = n_classes};
    for (int i = 0; i < n; i++) sb_layer_add(&list, row[i]);
    return list;
}
#define LIST(input, classes, ...)                                                                                      \
    list_of(input, classes, (int)(sizeof((sb_layer_row[]){__VA_ARGS__}) / sizeof(sb_layer_row)),                       \
            (sb_layer_row[]){__VA_ARGS__})

/* What a list begins with. */
static const sb_map_size digit = {1, 28, 28}, colours = {3, 9, 7};
