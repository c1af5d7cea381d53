/* ResNet-9 for small pictures (D. Page, 2018), in every rung of its ladder (core/rows/rungs.h):
 *
 *     (whiten)  prep  layer1 + res2(res1)  layer2  layer3 + res2(res1)  global pool  linear  logit scale
 *
 * A block is conv, batch norm, activation; in layer1, layer2 and layer3 with a 2x2 pool, after the activation or before
 * batch norm. A residual is x + res2(res1(x)), and the sum is not activated. Whitening is a fixed convolution of every
 * 3x3 patch onto one channel for each number of the patch; prep is then 1x1. */
#include "net/models.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>
#include <string.h>

enum { N_WIDTHS = 4 };

/* What the blocks have in common. */
typedef struct style {
    const sb_settings *settings;
    sb_layer_row activation;
    bool pools_before, is_scale_frozen;
} style;

static bool is_on(const char *word, const char *wanted)
{
    return word && strcmp(word, wanted) == 0;
}

static void add_pool(sb_layer_list *list, bool pools)
{
    if (pools) sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_pool, .window = 2});
}

/* A block has three tensors in the network with a learned scale. All rungs use the parameter numbers of that network
 * for their random streams, so the convolutions of all rungs have the same initial weights for a seed. */
static void add_block(sb_layer_list *list, const style *s, const char *name, int number, int channels, int kernel,
                      bool pools)
{
    sb_layer_row conv = {.kind = &sb_layer_conv}, norm = {.kind = &sb_layer_norm};
    snprintf(conv.name, sizeof conv.name, "%.24s/conv", name);
    conv.conv.channels = channels, conv.conv.kernel = kernel, conv.conv.padding = kernel / 2;
    conv.conv.stream = 1 + 3 * number;
    snprintf(norm.name, sizeof norm.name, "%.24s/bn", name);
    norm.norm.groups = (int)s->settings->groups, norm.norm.is_scale_frozen = s->is_scale_frozen;
    sb_layer_add(list, conv);
    add_pool(list, pools && s->pools_before);
    sb_layer_add(list, norm);
    sb_layer_add(list, s->activation);
    add_pool(list, pools && !s->pools_before);
}

static void add_residual(sb_layer_list *list, const style *s, const char *layer, int number, int channels)
{
    char name[SB_LAYER_NAME];
    sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_residual});
    for (int k = 1; k <= 2; k++) {
        snprintf(name, sizeof name, "%s/res%d", layer, k);
        add_block(list, s, name, number + k - 1, channels, 3, false);
    }
    sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_end});
}

static void add_whitening(sb_layer_list *list)
{
    sb_layer_row row = {.kind = &sb_layer_conv, .name = "whiten"};
    row.conv.channels = 9 * list->input.c, row.conv.kernel = 3, row.conv.padding = 1, row.conv.is_frozen = true;
    sb_layer_add(list, row);
}

static void add_linear(sb_layer_list *list, double logit_scale)
{
    sb_layer_row row = {.kind = &sb_layer_dense, .name = "linear"};
    row.dense.units = list->n_classes, row.dense.stream = 25;
    sb_layer_add(list, row);
    sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_scale, .factor = logit_scale});
}

static style style_of(const sb_settings *settings)
{
    style s = {.settings = settings, .activation = {.kind = &sb_layer_activation}};
    s.activation.activation.kind = sb_activation_find(settings->activation);
    s.activation.activation.alpha = settings->alpha;
    s.pools_before = is_on(settings->pool_at, "before");
    s.is_scale_frozen = is_on(settings->norm_scale, "frozen");
    return s;
}

sb_status sb_resnet9_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    const sb_list *widths = &settings->widths;
    const bool whitens = is_on(settings->whiten, "on");
    const style s = style_of(settings);
    if (widths->n != N_WIDTHS)
        return sb_fail(SB_E_USAGE, "resnet9: --widths wants four numbers, of prep, layer1, layer2 and layer3, not %d",
                       widths->n);
    *list = sb_layer_list_of("resnet9", settings, data);
    list->is_summed = true;
    if (whitens) add_whitening(list);
    add_block(list, &s, "prep", 0, widths->item[0], whitens ? 1 : 3, false);
    add_block(list, &s, "layer1", 1, widths->item[1], 3, true);
    add_residual(list, &s, "layer1", 2, widths->item[1]);
    add_block(list, &s, "layer2", 4, widths->item[2], 3, true);
    add_block(list, &s, "layer3", 5, widths->item[3], 3, true);
    add_residual(list, &s, "layer3", 6, widths->item[3]);
    sb_layer_add(list, (sb_layer_row){&sb_layer_pool, "global_pool"});
    add_linear(list, settings->logit_scale);
    return SB_OK;
}
