/* Where everything of a PredNet lies: its parameters and their names, its convolutions, its tensors. */
#include "net/prednet/prednet_parts.h"

#include <math.h>
#include <stdio.h>
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
static sb_conv_shape shape_of(const prednet *p, const layer *size, int in, int gates, int c)
{
    return (sb_conv_shape){.n = p->n_lanes,
                           .in = in,
                           .gates = gates,
                           .c = c,
                           .h = size->h,
                           .w = size->w,
                           .kernel = 3,
                           .padding = 1,
                           .use_winograd = size->uses_winograd,
                           .whole = size->is_whole};
}

static void set_conv(const prednet *p, sb_conv *conv, size_t offset, sb_conv_shape shape)
{
    *conv = (sb_conv){.shape = shape, .params = {sb_net_at(p->net.weight, offset), sb_net_at(p->net.grad, offset)}};
}

/* One map of E, R of the layer above and R of the step before. The layer above asks for its gradient first. */
static void join_inputs(layer *l, int above)
{
    sb_conv_shape *e = &l->conv_e.shape, *up = &l->conv_up.shape, *h = &l->conv_h.shape;
    e->joined = h->joined = up->joined = e->in + above + h->in;
    up->offset = e->in, h->offset = e->in + above;
    (l->has_above ? up : e)->is_first = true;
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
        set_conv(p, &l->conv_a, at, shape_of(p, below, 2 * below->c, 1, l->c));
        l->conv_a.is_late = true;
        snprintf(name, sizeof name, "conv_a%d/b", n);
        at = add_bias(params, l->c, name);
        l->bias_a = sb_net_at(p->net.weight, at), l->bias_a_grad = sb_net_at(p->net.grad, at);
    }
    snprintf(name, sizeof name, "conv_p%d/w", n);
    at = add_conv(params, l->c, l->c, name);
    set_conv(p, &l->conv_p, at, shape_of(p, l, l->c, 1, l->c));
    snprintf(name, sizeof name, "conv_p%d/b", n);
    at = add_bias(params, l->c, name);
    l->bias_p = sb_net_at(p->net.weight, at), l->bias_p_grad = sb_net_at(p->net.grad, at);

    at = add_gates(params, n, "x0_w", 2 * l->c, l->c);
    set_conv(p, &l->conv_e, at, shape_of(p, l, 2 * l->c, N_GATES, l->c));
    if (l->has_above) {
        int above = p->shape.channels[n + 1];
        at = add_gates(params, n, "x1_w", above, l->c);
        set_conv(p, &l->conv_up, at, shape_of(p, l, above, N_GATES, l->c));
        l->conv_up.shape.upsampled = true;
        l->conv_up.is_late = true;
    }
    at = add_gates(params, n, "h_w", l->c, l->c);
    set_conv(p, &l->conv_h, at, shape_of(p, l, l->c, N_GATES, l->c));
    if (l->is_joined) join_inputs(l, l->has_above ? p->shape.channels[n + 1] : 0);
    at = add_gates(params, n, "h_b", 0, l->c);
    l->bias_gates = sb_net_at(p->net.weight, at), l->bias_gates_grad = sb_net_at(p->net.grad, at);
    at = add_peepholes(params, n, l);
    l->peephole_weight = sb_net_at(p->net.weight, at), l->peephole_grad = sb_net_at(p->net.grad, at);
}

/* ---- memory ---- */

static sb_tensor take_tensor(sb_arena *arena, int n, int gates, int c, int h, int w)
{
    sb_tensor tensor = {n, gates, c, h, w, NULL};
    tensor.x = sb_arena_take(arena, sb_tensor_size(&tensor) * sizeof(sb_real));
    return tensor;
}

/* Tensors of one step at a time: the same one for all, unless operations overlap. */
static void take_steps(const prednet *p, sb_arena *arena, sb_tensor step[SB_STEPS], int c, int h, int w)
{
    for (int i = 0; i < SB_STEPS; i++)
        step[i] = i == 0 || p->net.ops->overlaps ? take_tensor(arena, p->n_lanes, 1, c, h, w) : step[0];
}

static sb_status take_conv(prednet *p, sb_arena *arena, sb_conv *conv, sb_conv_sizes *sizes)
{
    SB_TRY(sb_conv_sizes_of(p->net.ops, &conv->shape, sizes));
    conv->space.packed = sb_arena_take(arena, sizes->packed);
    conv->space.accumulator = sb_arena_take(arena, sizes->accumulator);
    conv->space.scratch = p->net.ops->overlaps ? sb_arena_take(arena, sizes->scratch) : p->scratch;
    if (!p->net.ops->overlaps && sizes->scratch > p->scratch_size) p->scratch_size = sizes->scratch;
    return SB_OK;
}

/* A convolution of the gates but the first one; a joined one has that one's space. */
static sb_status take_input(prednet *p, sb_arena *arena, const layer *l, sb_conv *conv, sb_conv_sizes *sizes)
{
    if (!l->is_joined) return take_conv(p, arena, conv, sizes);
    conv->space = l->conv_e.space;
    return sb_conv_sizes_of(p->net.ops, &conv->shape, sizes);
}

static void take_ring(void **ring, int n, sb_arena *arena, size_t n_bytes)
{
    for (int i = 0; i < n; i++) ring[i] = sb_arena_take(arena, n_bytes);
}

/* The operands of E, R of the layer above and R, contiguous for each frame. */
static void take_inputs(layer *l, sb_arena *arena, size_t e, size_t up, size_t h)
{
    for (int i = 0; i < l->ring; i++) {
        char *block = sb_arena_take(arena, e + up + h);
        if (!block) continue;
        l->gates_e[i] = block, l->up_input[i] = block + e, l->gates_h[i + 1] = block + e + up;
    }
}

/* The operands of E and R for other convolutions than the gates are contiguous, too: E for ConvA of the layer
 * above. */
static void take_outputs(layer *l, sb_arena *arena, size_t e, size_t r)
{
    if (l->is_joined && !l->has_above)
        memcpy(l->e_input, l->gates_e, (size_t)l->ring * sizeof *l->e_input);
    else
        take_ring(l->e_input, l->ring, arena, e);
    take_ring(l->r_input, l->ring + 1, arena, r);
    if (l->is_joined) return;
    memcpy(l->gates_e, l->e_input, (size_t)l->ring * sizeof *l->e_input);
    memcpy(l->gates_h, l->r_input, (size_t)(l->ring + 1) * sizeof *l->r_input);
}

/* The convolutions of a layer and their operands. */
static sb_status lay_convs(prednet *p, sb_arena *arena, int n)
{
    layer *l = &p->layer[n];
    sb_conv_sizes a = {0}, to_p, e, up = {0}, h;
    if (n > 0) SB_TRY(take_conv(p, arena, &l->conv_a, &a));
    SB_TRY(take_conv(p, arena, &l->conv_p, &to_p));
    SB_TRY(take_conv(p, arena, &l->conv_e, &e));
    if (l->has_above) SB_TRY(take_input(p, arena, l, &l->conv_up, &up));
    SB_TRY(take_input(p, arena, l, &l->conv_h, &h));
    if (l->is_joined) take_inputs(l, arena, e.input, up.input, h.input);
    take_outputs(l, arena, e.input, h.input);
    if (!l->is_joined && l->has_above) take_ring(l->up_input, l->ring, arena, up.input);
    take_ring(l->gates_gradient, l->ring, arena, e.gradient);
    take_ring(l->p_gradient, l->ring + 1, arena, to_p.gradient);
    if (n > 0) take_ring(l->a_gradient, p->layer[n - 1].ring, arena, a.gradient);
    return SB_OK;
}

/* The lanes of a shard. */
static sb_tensor part_of(const prednet *p, const sb_tensor *all, int shard)
{
    sb_tensor part = *all;
    part.n = p->n_lanes;
    if (all->x) part.x = sb_tensor_at(all, shard * p->n_lanes).x; /* NULL while memory is counted */
    return part;
}

void sb_prednet_turn_to(const prednet *p, layer *l, int shard)
{
    l->p[0] = part_of(p, &l->past_p, shard);
    l->r[0] = part_of(p, &l->past_r, shard);
    l->cell[0] = part_of(p, &l->past_cell, shard);
}

static void lay_tensors(prednet *p, sb_arena *arena, int n)
{
    layer *l = &p->layer[n];
    int lanes = p->n_lanes, all = lanes * p->n_shards, c = l->c, h = l->h, w = l->w;
    l->past_p = take_tensor(arena, all, 1, c, h, w);
    l->past_r = take_tensor(arena, all, 1, c, h, w);
    l->past_cell = take_tensor(arena, all, 1, c, h, w);
    sb_prednet_turn_to(p, l, 0);
    for (int t = 1; t <= p->shape.window; t++) {
        l->p[t] = take_tensor(arena, lanes, 1, c, h, w);
        l->r[t] = take_tensor(arena, lanes, 1, c, h, w);
        l->cell[t] = take_tensor(arena, lanes, 1, c, h, w);
        l->e[t] = take_tensor(arena, lanes, 1, 2 * c, h, w);
        l->gates[t] = take_tensor(arena, lanes, N_GATES, c, h, w);
        l->pool_choice[t] = n > 0 ? sb_arena_take(arena, (size_t)lanes * c * h * w) : NULL;
    }
    l->peephole = take_tensor(arena, 1, 3, c, h, w);
    l->dpeephole = take_tensor(arena, 1, 3, c, h, w);
    if (n > 0) {
        take_steps(p, arena, l->before_pool, c, 2 * h, 2 * w);
        take_steps(p, arena, l->a, c, h, w);
        take_steps(p, arena, l->da, c, h, w);
    }
    take_steps(p, arena, l->de, 2 * c, h, w);
    take_steps(p, arena, l->dp, c, h, w);
    take_steps(p, arena, l->dr, c, h, w);
    l->dcell = take_tensor(arena, lanes, 1, c, h, w);
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
    for (int t = 0; t <= p->shape.window; t++)
        p->frame[t] = take_tensor(arena, p->n_lanes, 1, 3, p->shape.h, p->shape.w);
    p->planes = sb_arena_take(arena, sb_tensor_sample(&p->frame[0]) * sizeof(sb_real));
    return SB_OK;
}

/* The first round names the parameters, the second counts with their total, the third points. */
sb_status sb_prednet_lay_out(prednet *p)
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
