#include "inspect/layers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 1024, NAME = sizeof((sb_net_layer *)0)->name };

typedef struct sb_net_source source;
typedef sb_net_sources sources;
typedef sb_net_layer row;

/* What lies in some memory; of the sums of a cell's gates four rows together. */
typedef struct place {
    const void *at;
    sources held;
} place;

typedef struct trace {
    sb_ops ops; /* first: the operations get it as their ops */
    sb_net *net;
    int n_rows, n_places;
    int state_writer[SB_STATES_MAX]; /* rows; known when the step's end carries its tensors over */
    row row[SB_NET_LAYERS_MAX];
    place place[PLACES_MAX];
} trace;

static trace *trace_of(sb_ops *ops)
{
    return (trace *)ops;
}

static row *add_row(trace *t, const char *kind, int in, int out, int h, int w)
{
    assert(t->n_rows < SB_NET_LAYERS_MAX);
    row *r = &t->row[t->n_rows++];
    *r = (row){.kind = kind, .activation = "", .in = in, .out = out, .h = h, .w = w};
    return r;
}

static sources *held_at(trace *t, const void *at)
{
    int i = 0;
    while (i < t->n_places && t->place[i].at != at) i++;
    assert(i < PLACES_MAX);
    if (i == t->n_places) t->place[t->n_places++] = (place){.at = at};
    return &t->place[i].held;
}

static void add_source(sources *to, source s)
{
    assert(to->n < SB_NET_SOURCES_MAX);
    to->item[to->n++] = s;
}

static void reads(trace *t, row *r, const void *at)
{
    const sources *held = held_at(t, at);
    for (int i = 0; i < held->n; i++) add_source(&r->inputs, held->item[i]);
}

static void writes(trace *t, const row *r, const void *at)
{
    *held_at(t, at) = (sources){1, {{(int)(r - t->row), -1}}};
}

/* The row that wrote what lies at `at`, number i of them. */
static row *writer(trace *t, const void *at, int i)
{
    const sources *held = held_at(t, at);
    assert(i < held->n && held->item[i].layer >= 0);
    return &t->row[held->item[i].layer];
}

/* The first characters of another row's name, with an end of its own. */
static void name_after(row *r, const row *other, size_t length, const char *end)
{
    char stem[NAME];
    memcpy(stem, other->name, sizeof stem);
    stem[length] = 0;
    assert(length + strlen(end) < NAME);
    strcpy(r->name, strcat(stem, end));
}

/* The name of the parameter that begins there, or of the state: weights that are not trained. */
static const char *tensor_name(const trace *t, const sb_real *weight)
{
    const sb_net *net = t->net;
    for (int p = 0; p < net->params.n; p++)
        if (net->weight + net->params.list[p].offset == weight) return net->params.list[p].name;
    int k = 0;
    while (k < net->n_states && net->state[k].tensor.x != weight) k++;
    assert(k < net->n_states);
    return net->state[k].name;
}

/* "lstm1/input" for lstm1/input/x0_w. */
static size_t stem_length(const char *name)
{
    return (size_t)(strrchr(name, '/') - name);
}

/* Name and number of parameters of the layer whose weights begin at `weight`. */
static void name_by_weight(const trace *t, row *r, const sb_real *weight)
{
    const sb_params *params = &t->net->params;
    const char *name = tensor_name(t, weight);
    const size_t length = stem_length(name);
    snprintf(r->name, sizeof r->name, "%.*s", (int)length, name);
    for (int p = 0; p < params->n; p++) {
        const char *other = params->list[p].name;
        if (strncmp(other, r->name, length) == 0 && strrchr(other, '/') == other + length)
            r->n_parameters += params->list[p].n;
    }
}

/* ---- operations: of each one of the forward pass in ops/slots.h there is a function SLOT_drawn here, but for those of
 * lists of layers, which list themselves ---- */

static void frame_load_drawn(sb_ops *ops, const uint8_t *frame, sb_tensor *x)
{
    (void)frame;
    trace *t = trace_of(ops);
    if (t->n_rows == 0) {
        row *r = add_row(t, "input", x->c, x->c, x->h, x->w);
        snprintf(r->name, sizeof r->name, "input");
    }
    writes(t, &t->row[0], x->x); /* the target is a frame like the others */
}

static void conv_input_drawn(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    trace *t = trace_of(ops);
    sources held = *held_at(t, x->x);
    *held_at(t, operand) = held;
    if (!shape->upsampled) return;
    row *r = add_row(t, "upsampling", x->c, x->c, shape->h, shape->w);
    name_after(r, writer(t, x->x, 0), strlen(writer(t, x->x, 0)->name), "/upsampled");
    r->kernel = 2;
    reads(t, r, x->x);
    writes(t, r, operand);
}

static void conv_forward_drawn(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    (void)bias;
    trace *t = trace_of(ops);
    sources written = {0};
    for (int gate = 0; gate < y->gates; gate++) {
        const sb_conv *first = term[0].conv;
        row *r = add_row(t, y->gates > 1 ? "convlstm gate" : "convolution", 0, y->c, y->h, y->w);
        name_by_weight(t, r, first->params.weight + gate * sb_conv_weights(&first->shape) / y->gates);
        r->kernel = first->shape.kernel;
        for (int i = 0; i < n_terms; i++) {
            r->in += term[i].conv->shape.in;
            reads(t, r, term[i].operand);
        }
        add_source(&written, (source){(int)(r - t->row), -1});
    }
    *held_at(t, y->x) = written;
}

static void pool_forward_drawn(sb_ops *ops, const sb_tensor *y, sb_tensor *a, uint8_t *choice)
{
    (void)choice;
    trace *t = trace_of(ops);
    row *from = writer(t, y->x, 0), *r = add_row(t, "pooling", y->c, a->c, a->h, a->w);
    from->activation = "relu";
    name_after(r, from, strlen(from->name), "/pooled");
    r->kernel = 2;
    reads(t, r, y->x);
    writes(t, r, a->x);
}

/* Named after the prediction of the step before that it reads: of state P1 it is error1. */
static void error_forward_drawn(sb_ops *ops, const sb_tensor *a, const sb_tensor *p, sb_tensor *e)
{
    trace *t = trace_of(ops);
    const int state = held_at(t, p->x)->item[0].state;
    assert(state >= 0);
    row *r = add_row(t, "error", a->c + p->c, e->c, e->h, e->w);
    const char *of = t->net->state[state].name + 1;
    snprintf(r->name, sizeof r->name, "error%s", of);
    r->activation = "relu";
    reads(t, r, a->x);
    reads(t, r, p->x);
    writes(t, r, e->x);
}

static void lstm_forward_drawn(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old,
                               sb_tensor *c, sb_tensor *h)
{
    (void)peephole;
    enum { CANDIDATE = 2, OUTPUT, N_GATES };
    static const char *const activation[N_GATES] = {"sigmoid", "sigmoid", "tanh", "sigmoid"};
    trace *t = trace_of(ops);
    for (int i = 0; i < N_GATES; i++) {
        row *r = writer(t, gates->x, i);
        r->activation = activation[i];
        if (i != CANDIDATE) reads(t, r, c_old->x); /* through its peephole */
    }
    const row *gate = writer(t, gates->x, 0);
    const size_t length = (size_t)(strrchr(gate->name, '/') - gate->name);
    const sources sums = *held_at(t, gates->x);
    row *cell = add_row(t, "convlstm cell", 4 * c->c, c->c, c->h, c->w);
    name_after(cell, gate, length, "/c");
    for (int i = 0; i < OUTPUT; i++) add_source(&cell->inputs, sums.item[i]);
    reads(t, cell, c_old->x);
    writes(t, cell, c->x);
    row *output = add_row(t, "convlstm output", 2 * h->c, h->c, h->h, h->w);
    name_after(output, gate, length, "/h");
    output->activation = "tanh";
    add_source(&output->inputs, sums.item[OUTPUT]);
    reads(t, output, c->x);
    writes(t, output, h->x);
}

static void output_forward_drawn(sb_ops *ops, sb_tensor *p, bool clip)
{
    writer(trace_of(ops), p->x, 0)->activation = clip ? "clip" : "relu";
}

/* The end of a step: what it made becomes the state of the next one. */
static void copy_drawn(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    (void)n_bytes;
    trace *t = trace_of(ops);
    for (int k = 0; k < t->net->n_states; k++)
        if (t->net->state[k].tensor.x == to) t->state_writer[k] = held_at(t, from)->item[0].layer;
}

/* What makes no layer. */
static void conv_begin_drawn(sb_ops *ops, sb_conv *conv)
{
    (void)ops, (void)conv;
}

static void map_load_drawn(sb_ops *ops, const sb_real *planes, sb_tensor *x)
{
    (void)ops, (void)planes, (void)x;
}

static void loss_forward_drawn(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, double *loss)
{
    (void)ops, (void)p, (void)y, (void)n_mean, (void)loss;
}

/* ---- one step, and its rows ---- */

static void begin(trace *t, sb_net *net)
{
    t->ops = *net->ops;
#define DRAWN(slot, pass, ...) DRAWN_##pass(slot)
#define DRAWN_forward(slot)    t->ops.slot = slot##_drawn;
#define DRAWN_backward(slot)   /* never called: the list is made of a forward pass */
#define DRAWN_update(slot)
#define DRAWN_memory(slot)
    SB_SLOTS_MEMORY(DRAWN)
    SB_SLOTS_CONV(DRAWN)
    SB_SLOTS_POINT(DRAWN)
    t->ops.copy = copy_drawn;
    for (int k = 0; k < net->n_states; k++) *held_at(t, net->state[k].tensor.x) = (sources){1, {{-1, k}}};
}

static void take_pass(trace *t, const sb_window *window)
{
    sb_net *net = t->net;
    sb_ops *ops = net->ops;
    begin(t, net);
    net->ops = &t->ops;
    net->infer(net, window);
    net->ops = ops;
}

static size_t print(const trace *t, FILE *out)
{
    size_t total = 0;
    fprintf(out, "name,kind,inputs,in_channels,out_channels,height,width,kernel,activation,parameters\n");
    for (const row *r = t->row; r < t->row + t->n_rows; r++) {
        fprintf(out, "%s,%s,", r->name, r->kind);
        for (int i = 0; i < r->inputs.n; i++) {
            const source *s = &r->inputs.item[i];
            const row *from = &t->row[s->layer >= 0 ? s->layer : t->state_writer[s->state]];
            fprintf(out, "%s%s%s", i ? " " : "", from->name, s->layer >= 0 ? "" : "@t-1");
        }
        fprintf(out, ",%d,%d,%d,%d,", r->in, r->out, r->h, r->w);
        if (r->kernel > 0) fprintf(out, "%dx%d", r->kernel, r->kernel);
        if (r->kernel == SB_NET_WHOLE_MAP) fprintf(out, "map");
        fprintf(out, ",%s,%zu\n", r->activation, r->n_parameters);
        total += r->n_parameters;
    }
    return total;
}

sb_status sb_layers_print(sb_net *net, const sb_window *window, FILE *out, size_t *n_parameters)
{
    trace *t = calloc(1, sizeof *t);
    if (!t) return sb_fail(SB_E_MEMORY, "not enough memory for the layers of a network");
    t->net = net;
    if (net->layers)
        t->n_rows = net->layers(net, t->row);
    else
        take_pass(t, window);
    *n_parameters = print(t, out);
    assert(*n_parameters == net->params.total);
    free(t);
    return SB_OK;
}
