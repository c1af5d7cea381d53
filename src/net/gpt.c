/* A transformer that predicts the next token of a text, as GPT-2 (Radford et al., 2019): embedding, blocks of attention
 * and of two dense layers, each with layer norm before it and added to what it read, layer norm, and logits. Weights
 * start at N(0, 0.02^2), those of the last dense layer before an addition at N(0, 0.02^2 / (2 blocks)), biases at 0.
 * Dropout is after the embedding and before each addition. */
#include "net/models.h"
#include "net/sequential/sequential_models.h"

#include <math.h>
#include <stdio.h>

/* What the blocks have in common. */
typedef struct style {
    int width, heads;
    double dropout, sd, sd_of_last;
    sb_layer_row activation;
} style;

static void add_norm(sb_layer_list *list, const char *name)
{
    sb_layer_row row = {.kind = &sb_layer_layernorm};
    snprintf(row.name, sizeof row.name, "%s", name);
    sb_layer_add(list, row);
}

static void add_dense(sb_layer_list *list, const char *name, int units, double sd)
{
    sb_layer_row row = {.kind = &sb_layer_pointwise};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.conv.channels = units, row.conv.kernel = 1, row.conv.bias = true, row.conv.sd = sd;
    sb_layer_add(list, row);
}

static void add_dropout(sb_layer_list *list, const style *s)
{
    if (s->dropout > 0) sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_dropout, .factor = s->dropout});
}

/* One residual of block `number`: norm, dense to `units`, what is between, dense to the width. */
static void add_residual(sb_layer_list *list, const style *s, int number, bool is_attention)
{
    char name[SB_LAYER_NAME];
    const sb_layer_row attention = {.kind = &sb_layer_attention, .heads = s->heads};
    sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_residual});
    snprintf(name, sizeof name, "block%d_norm%d", number, is_attention ? 1 : 2);
    add_norm(list, name);
    snprintf(name, sizeof name, "block%d_%s", number, is_attention ? "qkv" : "expand");
    add_dense(list, name, (is_attention ? 3 : 4) * s->width, s->sd);
    sb_layer_add(list, is_attention ? attention : s->activation);
    snprintf(name, sizeof name, "block%d_%s", number, is_attention ? "project" : "contract");
    add_dense(list, name, s->width, s->sd_of_last);
    add_dropout(list, s);
    sb_layer_add(list, (sb_layer_row){.kind = &sb_layer_end});
}

/* The logits, without a bias: from the table of the embedding, or from weights of their own. */
static void add_head(sb_layer_list *list, const style *s, bool is_tied)
{
    add_dense(list, "head", list->n_classes, s->sd);
    sb_layer_row *head = &list->row[list->n_rows - 1];
    head->conv.is_tied = is_tied, head->conv.bias = false;
}

sb_status sb_gpt_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    style s = {.width = (int)settings->width,
               .heads = (int)settings->heads,
               .dropout = settings->dropout,
               .sd = 0.02,
               .sd_of_last = 0.02 / sqrt(2.0 * (double)settings->blocks),
               .activation = {.kind = &sb_layer_activation}};
    s.activation.activation.kind = sb_activation_find(settings->activation);
    s.activation.activation.alpha = 1;
    if (s.width % s.heads) return sb_fail(SB_E_USAGE, "gpt: --heads %d does not divide --width %d", s.heads, s.width);
    *list = sb_layer_list_of("gpt", settings, data);
    sb_layer_add(list,
                 (sb_layer_row){&sb_layer_embedding, "embedding", .embedding = {s.width, (int)settings->context}});
    sb_layer_list_of_tokens(list);
    add_dropout(list, &s);
    for (int number = 1; number <= settings->blocks; number++)
        for (int part = 0; part < 2; part++) add_residual(list, &s, number, part == 0);
    add_norm(list, "norm");
    add_head(list, &s, sb_setting_says(settings->tied, "on"));
    return SB_OK;
}
