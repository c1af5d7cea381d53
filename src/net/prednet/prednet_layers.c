/* The layers of PredNet, as `samebits layers` lists them: in the order of a step, up and then down. This list is
 * written by hand: it must follow prednet_forward.c. Parameters are counted from the network itself. */
#include "net/prednet/prednet_parts.h"

#include <stdio.h>
#include <string.h>

typedef struct list {
    const prednet *p;
    sb_net_layer *row;
    int n;
} list;

/* Add a row with the map size of layer n. */
static sb_net_layer *add(list *to, int n, const char *kind, const char *activation, int in, int out)
{
    const layer *l = &to->p->layer[n];
    sb_net_layer *row = &to->row[to->n++];
    *row = (sb_net_layer){.kind = kind, .activation = activation, .in = in, .out = out, .h = l->h, .w = l->w};
    return row;
}

#define SAY(text, ...) snprintf(text, sizeof(text), __VA_ARGS__)

static void add_convolution(list *to, int n)
{
    const int in = 2 * to->p->layer[n - 1].c, out = to->p->layer[n].c;
    sb_net_layer *row = add(to, n - 1, "convolution", "relu", in, out);
    SAY(row->name, "conv_a%d", n);
    SAY(row->inputs, "error%d", n - 1);
    row->kernel = 3;
    row = add(to, n, "pooling", "", out, out);
    SAY(row->name, "conv_a%d/pooled", n);
    SAY(row->inputs, "conv_a%d", n);
    row->kernel = 2;
}

static void add_error(list *to, int n)
{
    const int c = to->p->layer[n].c;
    sb_net_layer *row = add(to, n, "error", "relu", 2 * c, 2 * c);
    SAY(row->name, "error%d", n);
    if (n == 0)
        SAY(row->inputs, "input conv_p0@t-1");
    else
        SAY(row->inputs, "conv_a%d/pooled conv_p%d@t-1", n, n);
}

/* All gates but the candidate read the cell, too: through its peephole. */
static void add_gates(list *to, int n)
{
    static const char *const name[N_GATES] = {"input", "forget", "candidate", "output"};
    const layer *l = &to->p->layer[n];
    char above[32] = "", cell[32];
    if (l->has_above) SAY(above, " lstm%d/h/upsampled", n + 1);
    SAY(cell, " lstm%d/c@t-1", n);
    for (int i = 0; i < N_GATES; i++) {
        sb_net_layer *row = add(to, n, "convlstm gate", i == CANDIDATE ? "tanh" : "sigmoid",
                                2 * l->c + (l->has_above ? l[1].c : 0) + l->c, l->c);
        SAY(row->name, "lstm%d/%s", n, name[i]);
        SAY(row->inputs, "error%d%s lstm%d/h@t-1%s", n, above, n, i == CANDIDATE ? "" : cell);
        row->kernel = 3;
    }
}

static void add_cell(list *to, int n)
{
    const int c = to->p->layer[n].c;
    sb_net_layer *row = add(to, n, "convlstm cell", "", 4 * c, c);
    SAY(row->name, "lstm%d/c", n);
    SAY(row->inputs, "lstm%d/input lstm%d/forget lstm%d/candidate lstm%d/c@t-1", n, n, n, n);
    row = add(to, n, "convlstm output", "tanh", 2 * c, c);
    SAY(row->name, "lstm%d/h", n);
    SAY(row->inputs, "lstm%d/output lstm%d/c", n, n);
}

/* What the layer below reads, and the prediction. */
static void add_outputs(list *to, int n)
{
    const int c = to->p->layer[n].c;
    if (n > 0) {
        sb_net_layer *row = add(to, n - 1, "upsampling", "", c, c);
        SAY(row->name, "lstm%d/h/upsampled", n);
        SAY(row->inputs, "lstm%d/h", n);
        row->kernel = 2;
    }
    sb_net_layer *row = add(to, n, "convolution", n == 0 ? "clip" : "relu", c, c);
    SAY(row->name, "conv_p%d", n);
    SAY(row->inputs, "lstm%d/h", n);
    row->kernel = 3;
}

/* Elements of the parameters NAME/PART, of any PART without a slash. */
static size_t parameters_of(const sb_net *net, const char *name)
{
    const size_t length = strlen(name);
    size_t n = 0;
    for (const sb_param *p = net->params.list; p < net->params.list + net->params.n; p++)
        if (strncmp(p->name, name, length) == 0 && strrchr(p->name, '/') == p->name + length) n += p->n;
    return n;
}

int sb_prednet_layers(const sb_net *net, sb_net_layer row[SB_NET_LAYERS_MAX])
{
    const prednet *p = (const prednet *)net;
    list to = {p, row, 0};
    SAY(add(&to, 0, "input", "", p->layer[0].c, p->layer[0].c)->name, "input");
    for (int n = 0; n < p->shape.n_layers; n++) {
        if (n > 0) add_convolution(&to, n);
        add_error(&to, n);
    }
    for (int n = p->shape.n_layers - 1; n >= 0; n--) {
        add_gates(&to, n);
        add_cell(&to, n);
        add_outputs(&to, n);
    }
    for (int i = 0; i < to.n; i++) row[i].n_parameters = parameters_of(net, row[i].name);
    return to.n;
}
