#include "net/models.h"
#include "net/prednet_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

static const char *const gate_names[N_GATES] = {"input", "forget", "candidate", "output"};

static size_t add_conv(sb_params *params, int in, int out, const char *name)
{
    return sb_params_add(params, sqrt(1.0 / (in * 9)), 4, (size_t[]){out, in, 3, 3}, "%s", name);
}

static size_t add_bias(sb_params *params, int out, const char *name)
{
    return sb_params_add(params, 0, 1, (size_t[]){out}, "%s", name);
}

/* The weights of one input for all four gates stand side by side, so that they are one convolution. */
static size_t add_gates(sb_params *params, int n, const char *what, int in, int c)
{
    size_t first = params->total;
    char name[48];
    for (int g = 0; g < N_GATES; g++) {
        snprintf(name, sizeof name, "lstm%d/%s/%s", n, gate_names[g], what);
        if (in)
            add_conv(params, in, c, name);
        else
            add_bias(params, c, name);
    }
    return first;
}

static size_t add_peepholes(sb_params *params, int n, const layer *l)
{
    size_t first = params->total;
    double sd = sqrt(1.0 / ((double)l->w * l->h * l->c));
    for (int g = 0; g < N_GATES; g++)
        if (g != CANDIDATE)
            sb_params_add(params, sd, 4, (size_t[]){1, l->c, l->h, l->w}, "lstm%d/%s/peephole", n, gate_names[g]);
    return first;
}

/* A convolution of layer `size`: its maps and its form. */
static sb_conv_shape shape_of(const layer *size, int in, int groups, int c)
{
    return (sb_conv_shape){.n = 1,
                           .in = in,
                           .groups = groups,
                           .c = c,
                           .h = size->h,
                           .w = size->w,
                           .kernel = 3,
                           .padding = 1,
                           .wide = size->is_wide};
}

static void set_conv(const prednet *p, sb_conv *conv, size_t offset, sb_conv_shape shape)
{
    *conv = (sb_conv){.shape = shape, .params = {sb_net_at(p->net.weight, offset), sb_net_at(p->net.grad, offset)}};
}

/* Names the parameters of a layer and points its convolutions at them (at nothing while there is no memory yet). */
static void lay_parameters(prednet *p, int n)
{
    sb_params *params = &p->net.params;
    layer *l = &p->layer[n];
    char name[48];
    size_t at;
    if (n > 0) {
        const layer *below = &p->layer[n - 1];
        snprintf(name, sizeof name, "conv_a%d/w", n);
        at = add_conv(params, 2 * below->c, l->c, name);
        set_conv(p, &l->conv_a, at, shape_of(below, 2 * below->c, 1, l->c));
        snprintf(name, sizeof name, "conv_a%d/b", n);
        at = add_bias(params, l->c, name);
        l->bias_a = sb_net_at(p->net.weight, at), l->bias_a_grad = sb_net_at(p->net.grad, at);
    }
    snprintf(name, sizeof name, "conv_p%d/w", n);
    at = add_conv(params, l->c, l->c, name);
    set_conv(p, &l->conv_p, at, shape_of(l, l->c, 1, l->c));
    snprintf(name, sizeof name, "conv_p%d/b", n);
    at = add_bias(params, l->c, name);
    l->bias_p = sb_net_at(p->net.weight, at), l->bias_p_grad = sb_net_at(p->net.grad, at);

    at = add_gates(params, n, "x0_w", 2 * l->c, l->c);
    set_conv(p, &l->conv_e, at, shape_of(l, 2 * l->c, N_GATES, l->c));
    if (l->has_above) {
        int above = p->shape.channels[n + 1];
        at = add_gates(params, n, "x1_w", above, l->c);
        set_conv(p, &l->conv_up, at, shape_of(l, above, N_GATES, l->c));
        l->conv_up.shape.upsampled = true;
    }
    at = add_gates(params, n, "h_w", l->c, l->c);
    set_conv(p, &l->conv_h, at, shape_of(l, l->c, N_GATES, l->c));
    at = add_gates(params, n, "h_b", 0, l->c);
    l->bias_gates = sb_net_at(p->net.weight, at), l->bias_gates_grad = sb_net_at(p->net.grad, at);
    at = add_peepholes(params, n, l);
    l->peephole_weight = sb_net_at(p->net.weight, at), l->peephole_grad = sb_net_at(p->net.grad, at);
}

/* ---- memory ---- */

static sb_tensor take_tensor(sb_arena *arena, int groups, int c, int h, int w)
{
    sb_tensor tensor = {1, groups, c, h, w, NULL};
    tensor.x = sb_arena_take(arena, sb_tensor_size(&tensor) * sizeof(sb_real));
    return tensor;
}

static sb_status take_conv(prednet *p, sb_arena *arena, sb_conv *conv, sb_conv_sizes *sizes)
{
    SB_TRY(sb_conv_sizes_of(p->net.ops, &conv->shape, sizes));
    conv->space.packed = sb_arena_take(arena, sizes->packed);
    conv->space.accumulator = sb_arena_take(arena, sizes->accumulator);
    conv->space.scratch = p->scratch;
    if (sizes->scratch > p->scratch_size) p->scratch_size = sizes->scratch;
    return SB_OK;
}

static void take_ring(void **ring, int n, sb_arena *arena, size_t n_bytes)
{
    for (int i = 0; i < n; i++) ring[i] = sb_arena_take(arena, n_bytes);
}

/* The convolutions of a layer and their operands. */
static sb_status lay_convs(prednet *p, sb_arena *arena, int n)
{
    layer *l = &p->layer[n];
    sb_conv_sizes a = {0}, to_p, e, up = {0}, h;
    if (n > 0) SB_TRY(take_conv(p, arena, &l->conv_a, &a));
    SB_TRY(take_conv(p, arena, &l->conv_p, &to_p));
    SB_TRY(take_conv(p, arena, &l->conv_e, &e));
    if (l->has_above) SB_TRY(take_conv(p, arena, &l->conv_up, &up));
    SB_TRY(take_conv(p, arena, &l->conv_h, &h));
    take_ring(l->e_input, p->ring, arena, e.input);
    if (l->has_above) take_ring(l->up_input, p->ring, arena, up.input);
    take_ring(l->r_input, p->ring + 1, arena, h.input);
    take_ring(l->gates_gradient, p->ring, arena, e.gradient);
    take_ring(l->p_gradient, p->ring, arena, to_p.gradient);
    if (n > 0) take_ring(l->a_gradient, p->ring, arena, a.gradient);
    return SB_OK;
}

static void lay_tensors(prednet *p, sb_arena *arena, int n)
{
    layer *l = &p->layer[n];
    int c = l->c, h = l->h, w = l->w;
    for (int t = 0; t <= p->shape.window; t++) {
        l->p[t] = take_tensor(arena, 1, c, h, w);
        l->r[t] = take_tensor(arena, 1, c, h, w);
        l->cell[t] = take_tensor(arena, 1, c, h, w);
        if (t == 0) continue;
        l->e[t] = take_tensor(arena, 1, 2 * c, h, w);
        l->gates[t] = take_tensor(arena, N_GATES, c, h, w);
        l->pool_choice[t] = n > 0 ? sb_arena_take(arena, (size_t)c * h * w) : NULL;
    }
    l->peephole = take_tensor(arena, 3, c, h, w);
    l->dpeephole = take_tensor(arena, 3, c, h, w);
    if (n > 0) {
        l->before_pool = take_tensor(arena, 1, c, 2 * h, 2 * w);
        l->a = take_tensor(arena, 1, c, h, w);
        l->da = take_tensor(arena, 1, c, h, w);
    }
    l->de = take_tensor(arena, 1, 2 * c, h, w);
    l->dp = take_tensor(arena, 1, c, h, w);
    l->dr = take_tensor(arena, 1, c, h, w);
    l->dcell = take_tensor(arena, 1, c, h, w);
}

/* All device memory, in one order. Runs twice: counts, then points. */
static sb_status lay_out(prednet *p, sb_arena *arena)
{
    size_t n_bytes = p->net.params.total * sizeof(sb_real);
    p->net.weight = sb_arena_take(arena, n_bytes);
    p->net.grad = sb_arena_take(arena, n_bytes);
    p->net.loss = sb_arena_take(arena, SB_LOSS_MAX * sizeof(double));
    p->net.norm2 = sb_arena_take(arena, sizeof(double));
    p->net.params = (sb_params){0};
    p->scratch = sb_arena_take(arena, p->scratch_size);
    for (int n = 0; n < p->shape.n_layers; n++) {
        lay_parameters(p, n);
        SB_TRY(lay_convs(p, arena, n));
        lay_tensors(p, arena, n);
    }
    for (int t = 0; t <= p->shape.window; t++) p->frame[t] = take_tensor(arena, 1, 3, p->shape.h, p->shape.w);
    const layer *largest = &p->layer[0];
    for (int n = 1; n < p->shape.n_layers; n++)
        if ((size_t)p->layer[n].c * p->layer[n].h * p->layer[n].w > (size_t)largest->c * largest->h * largest->w)
            largest = &p->layer[n];
    p->planes = sb_arena_take(arena, (size_t)largest->c * largest->h * largest->w * sizeof(sb_real));
    return SB_OK;
}

/* The memory itself. The first round names the parameters, the second counts with their total, the third points. */
static sb_status take_memory(prednet *p)
{
    sb_arena arena = {0};
    SB_TRY(lay_out(p, &arena));
    arena.used = 0;
    SB_TRY(lay_out(p, &arena));
    arena.size = arena.used;
    p->memory = arena.base = p->net.ops->allocate(p->net.ops, arena.used);
    arena.used = 0;
    return arena.base ? lay_out(p, &arena) : SB_E_MEMORY;
}

/* Host-side tables of a layer: its tensors, and pointers to its operands. */
static bool take_tables(layer *l, int window, int ring)
{
    int steps = window + 1;
    l->p = calloc((size_t)steps * 5, sizeof *l->p);
    l->pool_choice = calloc((size_t)steps, sizeof *l->pool_choice);
    l->e_input = calloc((size_t)ring * 6 + 1, sizeof *l->e_input);
    if (!l->p || !l->pool_choice || !l->e_input) return false;
    l->r = l->p + steps, l->cell = l->r + steps, l->e = l->cell + steps, l->gates = l->e + steps;
    l->up_input = l->e_input + ring, l->gates_gradient = l->up_input + ring, l->p_gradient = l->gates_gradient + ring;
    l->a_gradient = l->p_gradient + ring, l->r_input = l->a_gradient + ring;
    return true;
}

static void close_prednet(sb_net *net)
{
    prednet *p = prednet_of(net);
    for (int n = 0; n < p->shape.n_layers; n++) {
        free(p->layer[n].p);
        free(p->layer[n].pool_choice);
        free(p->layer[n].e_input);
    }
    if (p->memory) net->ops->release(net->ops, p->memory);
    free(p->frame);
    free(p);
}

static sb_status check_shape(const sb_prednet_shape *shape)
{
    if (shape->n_layers < 1 || shape->n_layers > SB_LAYERS_MAX)
        return sb_fail(SB_E_USAGE, "PredNet has 1 to %d layers, not %d", SB_LAYERS_MAX, shape->n_layers);
    int side = 1 << (shape->n_layers - 1);
    if (shape->channels[0] != 3)
        return sb_fail(SB_E_USAGE, "the first of PredNet's channels is 3, the colours, not %d", shape->channels[0]);
    if (shape->w % side || shape->h % side || shape->w < side || shape->h < side)
        return sb_fail(SB_E_USAGE, "frames of %dx%d do not divide by %d: PredNet with %d layers halves them %d times",
                       shape->w, shape->h, side, shape->n_layers, shape->n_layers - 1);
    if (shape->window < 1 || shape->window > SB_WINDOW_MAX)
        return sb_fail(SB_E_USAGE, "a window has 1 to %d frames, not %d", SB_WINDOW_MAX, shape->window);
    return SB_OK;
}

/* ---- verbs ---- */

static void copy_tensor(sb_ops *ops, sb_tensor *to, const sb_tensor *from)
{
    ops->copy(ops, to->x, from->x, sb_tensor_size(to) * sizeof(sb_real));
}

static void run_window(prednet *p, const sb_window *window)
{
    sb_ops *ops = p->net.ops;
    size_t frame_size = (size_t)p->shape.w * p->shape.h * 3;
#pragma omp barrier
#pragma omp single
    {
        p->net.n_loss = window->n;
        p->has_past = p->has_past && !window->reset;
    }
    if (window->reset)
        for (int i = 0; i < p->net.n_states; i++) {
            sb_tensor *tensor = &p->net.state[i].tensor;
            ops->zero(ops, tensor->x, sb_tensor_size(tensor) * sizeof(sb_real));
        }
    for (int t = 0; t <= window->n; t++) ops->frame_load(ops, window->bytes + t * frame_size, &p->frame[t]);
    sb_prednet_forward(p, window->n);
}

/* The last step becomes the step before the next window. */
static void carry_state(prednet *p, int n)
{
    sb_ops *ops = p->net.ops;
    for (int k = 0; k < p->shape.n_layers; k++) {
        layer *l = &p->layer[k];
        copy_tensor(ops, &l->p[0], &l->p[n]);
        copy_tensor(ops, &l->r[0], &l->r[n]);
        copy_tensor(ops, &l->cell[0], &l->cell[n]);
    }
#pragma omp single
    p->has_past = true;
}

static void learn(sb_net *net, const sb_window *window, sb_target target)
{
    prednet *p = prednet_of(net);
    run_window(p, window);
    sb_prednet_backward(p, window->n, target);
    carry_state(p, window->n);
}

static void infer(sb_net *net, const sb_window *window)
{
    prednet *p = prednet_of(net);
    run_window(p, window);
    carry_state(p, window->n);
}

static sb_status outputs(sb_net *net, int first, int n, uint8_t *bytes)
{
    prednet *p = prednet_of(net);
    sb_ops *ops = net->ops;
    int pixels = p->shape.w * p->shape.h;
    sb_real *host = malloc(sizeof(sb_real) * 3 * pixels);
    sb_status status = host ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a prediction");
    for (int t = 0; status == SB_OK && t < n; t++) {
        ops->map_store(ops, &p->layer[0].p[first + t + 1], p->planes);
        status = sb_ops_read(ops, host, p->planes, sizeof(sb_real) * 3 * pixels);
        for (int i = 0; status == SB_OK && i < pixels; i++)
            for (int c = 0; c < 3; c++)
                bytes[((size_t)t * pixels + i) * 3 + c] = (uint8_t)(host[(size_t)c * pixels + i] * 255 + (sb_real)0.5);
    }
    free(host);
    return status;
}

static void name_states(prednet *p)
{
    for (int n = 0; n < p->shape.n_layers; n++) {
        const layer *l = &p->layer[n];
        const struct {
            const char *name;
            sb_tensor tensor;
        } states[] = {{"c", l->cell[0]}, {"h", l->r[0]}, {"P", l->p[0]}};
        for (int i = 0; i < 3; i++) {
            sb_state *state = &p->net.state[p->net.n_states++];
            snprintf(state->name, sizeof state->name, "%s%d", states[i].name, n);
            state->tensor = states[i].tensor;
        }
    }
}

sb_status sb_prednet_open(sb_net **net, sb_ops *ops, const sb_prednet_shape *shape)
{
    *net = NULL;
    SB_TRY(check_shape(shape));
    prednet *p = calloc(1, sizeof *p);
    if (!p) return sb_fail(SB_E_MEMORY, "not enough memory for a network");
    p->shape = *shape;
    p->ring = ops->frames_per_product < shape->window ? ops->frames_per_product : shape->window;
    p->net.model = "prednet";
    p->net.ops = ops;
    p->net.learn = learn, p->net.infer = infer, p->net.outputs = outputs;
    p->net.name = sb_prednet_name, p->net.close = close_prednet;
    p->has_past = true; /* a network goes on from its state; windows say where sequences start */
    p->frame = calloc((size_t)shape->window + 1, sizeof *p->frame);
    bool tables = p->frame != NULL;
    for (int n = 0; n < shape->n_layers; n++) {
        layer *l = &p->layer[n];
        l->c = shape->channels[n], l->h = shape->h >> n, l->w = shape->w >> n;
        l->has_above = n + 1 < shape->n_layers;
        l->is_wide = n > 0 && l->c >= ops->wide_channels;
        tables = take_tables(l, shape->window, p->ring) && tables;
    }
    sb_status status = tables ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a network");
    if (status == SB_OK) status = take_memory(p);
    if (status != SB_OK) {
        close_prednet(&p->net);
        return status;
    }
    name_states(p);
    *net = &p->net;
    return SB_OK;
}

sb_status sb_prednet_model_open(sb_net **net, sb_ops *ops, const sb_settings *settings, int w, int h)
{
    sb_prednet_shape shape = {.n_layers = settings->channels.n, .w = w, .h = h, .window = (int)settings->window};
    for (int n = 0; n < settings->channels.n && n < SB_LAYERS_MAX; n++) shape.channels[n] = settings->channels.item[n];
    return sb_prednet_open(net, ops, &shape);
}
