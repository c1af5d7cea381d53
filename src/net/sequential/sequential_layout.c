/* Where everything of a network of layers lies: its parameters and states with their names, and one block of memory. */
#include "net/sequential/sequential_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters and states ---- */

typedef struct tensor_name {
    char text[48];
} tensor_name;

static tensor_name name_of(const sb_layer_row *row, const char *what)
{
    tensor_name name;
    snprintf(name.text, sizeof name.text, "%s%s%s", row->name, strchr(row->name, '/') ? "_" : "/", what);
    return name;
}

static size_t add_param(sequential *s, const sb_layer_row *row, const char *what, int rank, const size_t *dim)
{
    return sb_params_add(&s->net.params, 0, rank, dim, "%s", name_of(row, what).text);
}

static sb_real *weight_at(const sequential *s, size_t offset)
{
    return sb_net_at(s->net.weight, offset);
}

static sb_real *grad_at(const sequential *s, size_t offset)
{
    return sb_net_at(s->net.grad, offset);
}

static void lay_conv(sequential *s, sb_arena *arena, step *t)
{
    const sb_layer_row *row = t->row;
    const size_t k = (size_t)row->conv.kernel, dim[4] = {(size_t)t->out.c, (size_t)t->in.c, k, k};
    const double bound = 1 / sqrt((double)(dim[1] * k * k));
    if (row->conv.is_frozen) {
        sb_real *w = sb_arena_take(arena, sb_conv_weights(&t->conv.shape) * sizeof *w);
        sb_net_add_state(&s->net, SB_STATE_FROZEN, 4, dim, w, 0, "%s", name_of(row, "w").text);
        t->conv.params = (sb_conv_params){.weight = w};
    } else {
        const size_t w = add_param(s, row, "w", 4, dim);
        sb_param *param = sb_params_last(&s->net.params);
        param->bound = bound;
        if (row->conv.stream) param->stream = (uint32_t)row->conv.stream;
        t->conv.params = (sb_conv_params){weight_at(s, w), grad_at(s, w)};
    }
    if (!row->conv.bias) return;
    const size_t b = add_param(s, row, "b", 1, dim);
    sb_params_last(&s->net.params)->bound = bound;
    t->bias = weight_at(s, b), t->bias_grad = grad_at(s, b);
}

static void lay_dense(sequential *s, step *t)
{
    const sb_layer_row *row = t->row;
    const size_t dim[2] = {(size_t)t->dense.out, (size_t)t->dense.in};
    const bool is_glorot = row->dense.start == SB_LAYER_START_GLOROT;
    const double bound = is_glorot ? sqrt(6.0 / (t->dense.in + t->dense.out)) : 1 / sqrt((double)t->dense.in);
    const size_t w = add_param(s, row, "w", 2, dim);
    sb_param *param = sb_params_last(&s->net.params);
    param->bound = bound;
    if (row->dense.stream) param->stream = (uint32_t)row->dense.stream;
    t->dense.weight = weight_at(s, w), t->dense.weight_grad = grad_at(s, w);
    if (!row->dense.bias) return;
    const size_t b = add_param(s, row, "b", 1, dim);
    sb_params_last(&s->net.params)->bound = is_glorot ? 0 : bound;
    t->dense.bias = weight_at(s, b), t->dense.bias_grad = grad_at(s, b);
}

/* Running values of all shards' groups, shard after shard. */
static void lay_norm(sequential *s, sb_arena *arena, step *t)
{
    const sb_layer_row *row = t->row;
    const size_t c = (size_t)t->norm.c, dim[2] = {(size_t)t->norm.groups * (size_t)s->form.n_shards, c};
    if (!row->norm.is_scale_frozen) {
        const size_t scale = add_param(s, row, "scale", 1, &c);
        sb_params_last(&s->net.params)->kind = SB_PARAM_SCALE;
        sb_params_last(&s->net.params)->value = 1;
        t->norm.scale = weight_at(s, scale), t->norm.scale_grad = grad_at(s, scale);
    }
    const size_t shift = add_param(s, row, "shift", 1, &c);
    sb_params_last(&s->net.params)->kind = SB_PARAM_SHIFT;
    t->norm.shift = weight_at(s, shift), t->norm.shift_grad = grad_at(s, shift);
    t->norm.running_mean = sb_arena_take(arena, dim[0] * c * sizeof(sb_real));
    t->norm.running_var = sb_arena_take(arena, dim[0] * c * sizeof(sb_real));
    sb_net_add_state(&s->net, SB_STATE_RUNNING, 2, dim, t->norm.running_mean, 0, "%s", name_of(row, "mean").text);
    sb_net_add_state(&s->net, SB_STATE_RUNNING, 2, dim, t->norm.running_var, 1, "%s", name_of(row, "var").text);
}

static void lay_step(sequential *s, sb_arena *arena, step *t)
{
    t->first_param = s->net.params.total;
    if (t->row->kind == SB_LAYER_CONV) lay_conv(s, arena, t);
    if (t->row->kind == SB_LAYER_DENSE) lay_dense(s, t);
    if (t->row->kind == SB_LAYER_NORM) lay_norm(s, arena, t);
    t->end_param = s->net.params.total;
}

/* ---- memory ---- */

static void lay_classes(sequential *s, sb_arena *arena)
{
    const size_t n = (size_t)s->form.batch;
    sb_classes *classes = &s->net.classes;
    classes->n = s->list.n_classes;
    classes->n_inputs = (size_t)s->list.input.c * (size_t)s->list.input.h * (size_t)s->list.input.w;
    classes->is_summed = s->list.is_summed;
    classes->loss = sb_arena_take(arena, n * sizeof(double));
    classes->entropy = sb_arena_take(arena, n * sizeof(double));
    classes->predicted = sb_arena_take(arena, n);
    s->labels = sb_arena_take(arena, n);
}

/* All device memory, in one order: sb_sequential_lay_out says how often it runs, and for what. */
static void lay_out(sequential *s, sb_arena *arena)
{
    sb_net *net = &s->net;
    const size_t n_bytes = net->params.total * sizeof(sb_real);
    net->weight = sb_arena_take(arena, n_bytes);
    net->grad = sb_arena_take(arena, n_bytes);
    net->loss = sb_arena_take(arena, SB_N_TOTALS * sizeof(double));
    net->norm2 = sb_arena_take(arena, sizeof(double));
    net->params = (sb_params){0};
    net->n_states = 0;
    for (int i = 0; i < s->n_steps; i++) lay_step(s, arena, &s->step[i]);
    lay_classes(s, arena);
    char *pieces = sb_arena_take(arena, s->pieces_bytes);
    for (int i = 0; i < s->n_pieces; i++) s->piece[i].memory = pieces ? pieces + s->piece[i].offset : NULL;
    net->classes.logits = sb_sequential_map(s, s->logits, s->step[s->n_steps - 1].out, s->form.batch);
}

/* The first round names the parameters, the second counts with their total, the third points. */
sb_status sb_sequential_lay_out(sequential *s)
{
    sb_arena arena = {0};
    lay_out(s, &arena);
    arena.used = 0;
    lay_out(s, &arena);
    arena.size = arena.used;
    s->memory = arena.base = s->net.ops->allocate(s->net.ops, arena.used);
    arena.used = 0;
    if (!arena.base) return SB_E_MEMORY;
    lay_out(s, &arena);
    return SB_OK;
}

sb_tensor sb_sequential_map(const sequential *s, int number, sb_map_size size, int n)
{
    return (sb_tensor){n, 1, size.c, size.h, size.w, s->piece[number].memory};
}

sb_tensor sb_sequential_samples(const sb_tensor *map, int first, int n)
{
    sb_tensor part = *map;
    part.n = n;
    part.x += (size_t)first * sb_tensor_sample(map);
    return part;
}

sb_conv sb_sequential_conv(const sequential *s, const step *of, int n, bool is_backward)
{
    sb_conv conv = of->conv;
    conv.shape.n = n;
    const piece *at = s->piece;
    conv.space.packed = at[is_backward ? of->convolving.turned : of->convolving.packed].memory;
    conv.space.scratch = at[is_backward ? of->convolving.backward_scratch : of->convolving.scratch].memory;
    conv.space.accumulator = is_backward ? at[of->convolving.accumulator].memory : NULL;
    return conv;
}

sb_norm sb_sequential_norm(const sequential *s, const step *of, int shard)
{
    sb_norm norm = of->norm;
    norm.space = s->piece[of->space].memory;
    if (shard < 0) {
        norm.groups *= s->form.n_shards;
    } else {
        const size_t skipped = (size_t)shard * (size_t)norm.groups * (size_t)norm.c;
        norm.running_mean += skipped, norm.running_var += skipped;
    }
    return norm;
}
