#include "net/models.h"
#include "net/prednet/prednet_parts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Host-side tables of a layer: its tensors, and pointers to its operands. */
static bool take_tables(layer *l, int window, int ring_below)
{
    int steps = window + 1, ring = l->ring;
    l->p = calloc((size_t)steps * 5, sizeof *l->p);
    l->pool_choice = calloc((size_t)steps, sizeof *l->pool_choice);
    l->e_input = calloc((size_t)ring * 7 + 3 + ring_below, sizeof *l->e_input);
    if (!l->p || !l->pool_choice || !l->e_input) return false;
    l->r = l->p + steps, l->cell = l->r + steps, l->e = l->cell + steps, l->gates = l->e + steps;
    l->up_input = l->e_input + ring, l->gates_gradient = l->up_input + ring, l->p_gradient = l->gates_gradient + ring;
    l->r_input = l->p_gradient + ring + 1, l->gates_h = l->r_input + ring + 1;
    l->gates_e = l->gates_h + ring + 1, l->a_gradient = l->gates_e + ring;
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
    free(p->shard_has_past);
    free(p);
}

static sb_status check_shape(const sb_prednet_shape *shape)
{
    if (shape->n_layers < 1 || shape->n_layers > SB_LAYERS_MAX)
        return sb_fail(SB_E_USAGE, "PredNet has 1 to %d layers, not %d", SB_LAYERS_MAX, shape->n_layers);
    int side = 1 << (shape->n_layers - 1);
    if (shape->channels[0] != 3)
        return sb_fail(SB_E_USAGE, "the first of PredNet's channels is 3, the colors, not %d", shape->channels[0]);
    if (shape->w % side || shape->h % side || shape->w < side || shape->h < side)
        return sb_fail(SB_E_USAGE, "frames of %dx%d do not divide by %d: PredNet with %d layers halves them %d times",
                       shape->w, shape->h, side, shape->n_layers, shape->n_layers - 1);
    if (shape->n_lanes < 0) return sb_fail(SB_E_USAGE, "PredNet has 1 lane or more, not %d", shape->n_lanes);
    if (shape->window < 1 || shape->window > SB_WINDOW_MAX)
        return sb_fail(SB_E_USAGE, "a window has 1 to %d frames, not %d", SB_WINDOW_MAX, shape->window);
    return SB_OK;
}

/* ---- verbs ---- */

static void copy_tensor(sb_ops *ops, sb_tensor *to, const sb_tensor *from)
{
    ops->copy(ops, to->x, from->x, sb_tensor_size(to) * sizeof(sb_real));
}

/* Does a sequence start in that lane? */
static bool starts(const sb_window *window, int lane)
{
    return window->lane_reset ? window->lane_reset[lane] : window->reset;
}

static bool starts_everywhere(const prednet *p, const sb_window *window)
{
    int lane = 0;
    while (lane < p->n_lanes && starts(window, lane)) lane++;
    return lane == p->n_lanes;
}

static void forget(prednet *p, int lane)
{
    sb_ops *ops = p->net.ops;
    for (int i = 0; i < p->net.n_states; i++) {
        const sb_tensor one = sb_tensor_at(&p->net.state[i].tensor, p->shard * p->n_lanes + lane);
        ops->zero(ops, one.x, sb_tensor_size(&one) * sizeof(sb_real));
    }
}

static void load_frames(prednet *p, const sb_window *window)
{
    sb_ops *ops = p->net.ops;
    const size_t frame_size = sb_tensor_sample(&p->frame[0]);
    const uint8_t *bytes = window->bytes;
    for (int lane = 0; lane < p->n_lanes; lane++)
        for (int t = 0; t <= window->n; t++, bytes += frame_size) {
            sb_tensor one = sb_tensor_at(&p->frame[t], lane);
            ops->frame_load(ops, bytes, &one);
        }
}

/* Where a lane starts anew its predictions of the step before are zero, and pass no gradient on. */
static void run_window(prednet *p, const sb_window *window)
{
    assert(p->n_lanes == (window->n_lanes ? window->n_lanes : 1));
#pragma omp barrier
#pragma omp single
    {
        p->net.n_loss = window->n;
        p->shard = window->shard;
        for (int k = 0; k < p->shape.n_layers; k++) sb_prednet_turn_to(p, &p->layer[k], p->shard);
        p->n_mean = (size_t)(window->n_batch ? window->n_batch : p->n_lanes) * sb_tensor_sample(&p->frame[0]);
        p->has_past = p->shard_has_past[p->shard] && !starts_everywhere(p, window);
    }
    for (int lane = 0; lane < p->n_lanes; lane++)
        if (starts(window, lane)) forget(p, lane);
    load_frames(p, window);
    sb_prednet_forward(p, window);
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
    p->has_past = p->shard_has_past[p->shard] = true;
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

static sb_status output(prednet *p, const sb_tensor *frame, sb_real *host, uint8_t *bytes)
{
    sb_ops *ops = p->net.ops;
    int pixels = frame->h * frame->w;
    ops->map_store(ops, frame, p->planes);
    SB_TRY(sb_ops_read(ops, host, p->planes, sb_tensor_size(frame) * sizeof *host));
    for (int i = 0; i < pixels; i++)
        for (int c = 0; c < 3; c++) bytes[i * 3 + c] = (uint8_t)(host[(size_t)c * pixels + i] * 255 + (sb_real)0.5);
    return SB_OK;
}

static sb_status outputs(sb_net *net, int first, int n, uint8_t *bytes)
{
    prednet *p = prednet_of(net);
    const sb_tensor *predicted = p->layer[0].p;
    size_t size = sb_tensor_sample(predicted);
    SB_FREED sb_real *host = malloc(sizeof(sb_real) * size);
    sb_status status = host ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a prediction");
    for (int lane = 0; status == SB_OK && lane < p->n_lanes; lane++)
        for (int t = 0; status == SB_OK && t < n; t++, bytes += size) {
            const sb_tensor one = sb_tensor_at(&predicted[first + t + 1], lane);
            status = output(p, &one, host, bytes);
        }
    return status;
}

static void name_states(prednet *p)
{
    for (int n = 0; n < p->shape.n_layers; n++) {
        const layer *l = &p->layer[n];
        const struct {
            const char *name;
            sb_tensor tensor;
        } states[] = {{"c", l->past_cell}, {"h", l->past_r}, {"P", l->past_p}};
        for (int i = 0; i < 3; i++) {
            sb_state *state = &p->net.state[p->net.n_states++];
            snprintf(state->name, sizeof state->name, "%s%d", states[i].name, n);
            state->tensor = states[i].tensor;
            const sb_tensor *x = &state->tensor;
            if (x->n == 1) continue;
            state->rank = 4;
            memcpy(state->dim, (size_t[]){(size_t)x->n, (size_t)x->c, (size_t)x->h, (size_t)x->w}, sizeof state->dim);
        }
    }
}

/* As many frames as the backend likes to have at once, of small maps more. */
static int ring_of(const prednet *p, const layer *l)
{
    const sb_ops *ops = p->net.ops;
    const long pixels = (long)p->n_lanes * l->h * l->w, of_pixels = ops->pixels_per_product / pixels;
    const long many = of_pixels > ops->frames_per_product ? of_pixels : ops->frames_per_product;
    return many < p->shape.window ? (int)many : p->shape.window;
}

sb_status sb_prednet_open(sb_net **net, sb_ops *ops, const sb_prednet_shape *shape)
{
    *net = NULL;
    SB_TRY(check_shape(shape));
    prednet *p = calloc(1, sizeof *p);
    if (!p) return sb_fail(SB_E_MEMORY, "not enough memory for a network");
    p->shape = *shape;
    p->n_lanes = shape->n_lanes ? shape->n_lanes : 1;
    p->n_shards = shape->n_shards ? shape->n_shards : 1;
    p->net.model = "prednet";
    p->net.ops = ops;
    p->net.learn = learn, p->net.infer = infer, p->net.outputs = outputs;
    p->net.measure = sb_net_measure_terms;
    p->net.name = sb_prednet_name, p->net.layers = sb_prednet_layers, p->net.close = close_prednet;
    p->frame = calloc((size_t)shape->window + 1, sizeof *p->frame);
    p->shard_has_past = malloc((size_t)p->n_shards * sizeof *p->shard_has_past);
    bool tables = p->frame && p->shard_has_past;
    /* A network goes on from its state; windows say where sequences start. */
    for (int s = 0; tables && s < p->n_shards; s++) p->shard_has_past[s] = true;
    for (int n = 0; n < shape->n_layers; n++) {
        layer *l = &p->layer[n];
        l->c = shape->channels[n], l->h = shape->h >> n, l->w = shape->w >> n;
        l->has_above = n + 1 < shape->n_layers;
        l->uses_winograd = n > 0 && l->c >= ops->winograd_channels;
        l->ring = ring_of(p, l);
        l->is_whole = ops->pixels_per_product && l->ring == shape->window;
        l->is_joined = ops->joins_inputs && l->ring == shape->window && p->n_lanes == 1;
        tables = take_tables(l, shape->window, n > 0 ? p->layer[n - 1].ring : 0) && tables;
    }
    sb_status status = tables ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a network");
    if (status == SB_OK) status = sb_prednet_lay_out(p);
    if (status != SB_OK) {
        close_prednet(&p->net);
        return status;
    }
    name_states(p);
    *net = &p->net;
    return SB_OK;
}

sb_status sb_prednet_model_open(sb_net **net, sb_ops *ops, const sb_settings *settings, const sb_data_shape *data)
{
    sb_prednet_shape shape = {.n_layers = settings->channels.n,
                              .w = data->w,
                              .h = data->h,
                              .window = (int)settings->window,
                              .n_lanes = (int)(settings->batch / settings->shards),
                              .n_shards = (int)settings->shards};
    for (int n = 0; n < settings->channels.n && n < SB_LAYERS_MAX; n++) shape.channels[n] = settings->channels.item[n];
    return sb_prednet_open(net, ops, &shape);
}
