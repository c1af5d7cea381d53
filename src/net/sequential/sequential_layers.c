/* The list of layers, as `samebits layers` prints it: a row for each step whose kind has one. A block is called by the
 * first layer of it that has tensors, "prep" of prep/conv_w and prep/bn_scale, and counts its parameters there; all else
 * is called after the row before it. */
#include "net/layers/kind.h"

#include <stdio.h>
#include <string.h>

static const char *activation_name(const sb_layer_row *row)
{
    const sb_activation kind = row->activation.kind;
    return kind == SB_ACTIVATION_linear ? "" : sb_activation_name[kind];
}

/* "prep" of "prep/conv", "conv1" of "conv1". */
static int stem_length(const sb_layer_row *row)
{
    const char *slash = strrchr(row->name, '/');
    return (int)(slash ? slash - row->name : (long)strlen(row->name));
}

static bool is_named(int n, const sb_net_layer *layer, const char *stem)
{
    for (int i = 0; i < n; i++)
        if (strcmp(layer[i].name, stem) == 0) return true;
    return false;
}

static size_t parameters_of(const sequential *s, const char *stem)
{
    size_t n = 0;
    for (const step *t = s->step; t < s->step + s->n_steps; t++)
        if (stem_length(t->row) == (int)strlen(stem) && strncmp(t->row->name, stem, strlen(stem)) == 0)
            n += t->end_param - t->first_param;
    return n;
}

/* last: the row before it. */
static void name_layer(const sequential *s, const step *t, int n, int last, sb_net_layer *layer, const char *end)
{
    sb_net_layer *row = &layer[n];
    char name[sizeof row->name];
    snprintf(name, sizeof name, "%.*s", stem_length(t->row), t->row->name);
    if (t->row->kind->has_tensors && !is_named(n, layer, name))
        row->n_parameters = parameters_of(s, name);
    else
        snprintf(name, sizeof name, "%.40s%s", layer[last].name, end);
    memcpy(row->name, name, sizeof name);
}

int sb_sequential_layers(const sb_net *net, sb_net_layer layer[SB_NET_LAYERS_MAX])
{
    const sequential *s = sequential_of(net);
    const sb_map_size in = s->list.input;
    int n = 0, last = 0, n_open = 0, open[STEPS_MAX];
    layer[n++] =
        (sb_net_layer){"input", .kind = "input", .in = in.c, .out = in.c, .h = in.h, .w = in.w, .activation = ""};
    for (const step *t = s->step; t < s->step + s->n_steps; t++) {
        sb_net_layer *row = &layer[n];
        *row = (sb_net_layer){.in = t->in.c,
                              .out = t->out.c,
                              .h = t->out.h,
                              .w = t->out.w,
                              .activation = t->activation ? activation_name(t->activation) : ""};
        if (t->row->kind == &sb_layer_residual) open[n_open++] = last;
        const int skipped = t->row->kind == &sb_layer_end ? open[--n_open] : -1;
        snprintf(row->inputs, sizeof row->inputs, "%s%s%s", skipped >= 0 ? layer[skipped].name : "",
                 skipped >= 0 ? " " : "", layer[last].name);
        const char *end = t->row->kind->describe ? t->row->kind->describe(t, row) : "";
        if (t->row->kind == &sb_layer_activation) layer[last].activation = activation_name(t->row);
        if (!row->kind) continue;
        name_layer(s, t, n, last, layer, end);
        last = n++;
    }
    return n;
}
