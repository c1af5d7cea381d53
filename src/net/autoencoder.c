#include "net/autoencoder.h"

#include "core/arena.h"
#include "net/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A dense layer with an activation. Maps are for a batch of samples of 1 x 1 pixels, their numbers as channels. */
typedef struct layer {
    sb_dense dense;
    sb_activation kind;
    sb_tensor sums; /* before an activation whose gradient is one of its input; else none */
    sb_tensor y, dy;
} layer;

typedef struct autoencoder {
    sb_net net;
    sb_autoencoder_shape shape;
    int n_layers; /* hidden.n of the encoder, then as many of the decoder */
    layer layer[2 * SB_OPTION_LIST_MAX];
    sb_tensor x;
    void *memory;
} autoencoder;

enum { ALPHA = 1 };

/* relu is done with the sums, and its gradient asks for its result alone. */
static bool keeps_sums(sb_activation kind)
{
    return kind != SB_ACTIVATION_relu && kind != SB_ACTIVATION_linear;
}

/* ---- layout ---- */

/* Numbers that layer i gives; of layer -1, which stands for the input, those that the first layer takes. */
static int units(const sb_autoencoder_shape *shape, int i)
{
    const int n = shape->hidden.n, mirrored = i < n ? i : 2 * n - 2 - i;
    return mirrored < 0 ? shape->inputs : shape->hidden.item[mirrored];
}

/* "encoder", "decoder"; where they have several layers "encoder1", "encoder2", ... */
static void name_layer(const autoencoder *a, int i, char name[16])
{
    const int n = a->shape.hidden.n;
    const char *half = i < n ? "encoder" : "decoder";
    if (n == 1)
        snprintf(name, 16, "%s", half);
    else
        snprintf(name, 16, "%s%d", half, i % n + 1);
}

static void lay_dense(autoencoder *a, sb_arena *arena, int i)
{
    sb_params *params = &a->net.params;
    const int in = units(&a->shape, i - 1), out = units(&a->shape, i);
    sb_dense *dense = &a->layer[i].dense;
    char stem[16];
    name_layer(a, i, stem);
    size_t w = sb_params_add(params, sqrt(1.0 / in), 2, (size_t[]){out, in}, "%s/w", stem);
    size_t b = sb_params_add(params, 0, 1, (size_t[]){out}, "%s/b", stem);
    *dense = (sb_dense){
        .in = in,
        .out = out,
        .weight = sb_net_at(a->net.weight, w),
        .bias = sb_net_at(a->net.weight, b),
        .weight_grad = sb_net_at(a->net.grad, w),
        .bias_grad = sb_net_at(a->net.grad, b),
    };
    dense->scratch = sb_arena_take(arena, a->net.ops->dense_scratch_size(dense, a->shape.batch));
}

static sb_tensor take_tensor(const autoencoder *a, sb_arena *arena, int c)
{
    sb_tensor tensor = {a->shape.batch, 1, c, 1, 1, NULL};
    tensor.x = sb_arena_take(arena, sb_tensor_size(&tensor) * sizeof(sb_real));
    return tensor;
}

static void lay_maps(autoencoder *a, sb_arena *arena, int i)
{
    layer *l = &a->layer[i];
    const int c = units(&a->shape, i);
    l->kind = i + 1 < a->n_layers ? a->shape.of_hidden : a->shape.of_outputs;
    l->y = take_tensor(a, arena, c);
    l->dy = take_tensor(a, arena, c);
    if (keeps_sums(l->kind)) l->sums = take_tensor(a, arena, c);
}

static void lay_out(autoencoder *a, sb_arena *arena)
{
    size_t n_bytes = a->net.params.total * sizeof(sb_real);
    a->net.weight = sb_arena_take(arena, n_bytes);
    a->net.grad = sb_arena_take(arena, n_bytes);
    a->net.loss = sb_arena_take(arena, sizeof(double));
    a->net.norm2 = sb_arena_take(arena, sizeof(double));
    a->net.params = (sb_params){0};
    a->x = take_tensor(a, arena, a->shape.inputs);
    for (int i = 0; i < a->n_layers; i++) {
        lay_dense(a, arena, i);
        lay_maps(a, arena, i);
    }
}

/* ---- a batch ---- */

/* The first n samples of a tensor. */
static sb_tensor samples(const sb_tensor *x, int n)
{
    sb_tensor first = *x;
    first.n = n;
    return first;
}

/* What layer i reads. */
static sb_tensor input_of(const autoencoder *a, int i, int n)
{
    return samples(i ? &a->layer[i - 1].y : &a->x, n);
}

static layer *last_layer(autoencoder *a)
{
    return &a->layer[a->n_layers - 1];
}

/* Elements of the batch that the window is, or is a shard of. */
static size_t batch_elements(const autoencoder *a, const sb_window *window)
{
    return (size_t)(window->n_batch ? window->n_batch : window->n) * a->shape.inputs;
}

static void layer_forward(sb_ops *ops, const layer *l, const sb_tensor *x)
{
    sb_tensor y = samples(&l->y, x->n);
    if (!keeps_sums(l->kind)) {
        ops->dense_forward(ops, &l->dense, x, &y, l->kind == SB_ACTIVATION_relu);
        return;
    }
    sb_tensor sums = samples(&l->sums, x->n);
    ops->dense_forward(ops, &l->dense, x, &sums, false);
    ops->activation_forward(ops, l->kind, ALPHA, &sums, &y);
}

/* What of dy, the gradient of y, goes through the activation, in its place. */
static void through_activation(sb_ops *ops, const layer *l, int n)
{
    sb_tensor dy = samples(&l->dy, n);
    if (l->kind == SB_ACTIVATION_relu) ops->relu_backward(ops, sb_tensor_size(&dy), l->y.x, dy.x);
    if (!keeps_sums(l->kind)) return;
    const sb_tensor sums = samples(&l->sums, n);
    ops->activation_backward(ops, l->kind, ALPHA, &sums, &dy, &dy);
}

static void infer(sb_net *net, const sb_window *window)
{
    autoencoder *a = (autoencoder *)net;
    sb_ops *ops = net->ops;
    sb_tensor x = samples(&a->x, window->n);
#pragma omp barrier
#pragma omp single
    net->n_loss = 1;
    if (window->choice && !window->bytes)
        ops->image_load(ops, window->store, window->choice, window->n, x.x);
    else if (window->values)
        ops->to_device(ops, x.x, window->values, sb_tensor_size(&x) * sizeof(sb_real));
    else
        ops->frame_load(ops, window->bytes, &x);
    for (int i = 0; i < a->n_layers; i++) {
        const sb_tensor in = input_of(a, i, window->n);
        layer_forward(ops, &a->layer[i], &in);
    }
    const sb_tensor y = samples(&last_layer(a)->y, window->n);
    ops->loss_forward(ops, &y, &x, batch_elements(a, window), net->loss);
}

/* dy of each layer, before its activation. */
static void gradients_of_maps(autoencoder *a, const sb_window *window)
{
    const int n = window->n;
    sb_ops *ops = a->net.ops;
    const sb_tensor x = samples(&a->x, n), y = samples(&last_layer(a)->y, n);
    sb_tensor dy = samples(&last_layer(a)->dy, n);
    ops->loss_backward(ops, &y, &x, batch_elements(a, window), false, &dy);
    through_activation(ops, last_layer(a), n);
    for (int i = a->n_layers - 1; i > 0; i--) {
        sb_tensor dx = samples(&a->layer[i - 1].dy, n);
        dy = samples(&a->layer[i].dy, n);
        ops->dense_data_gradient(ops, &a->layer[i].dense, &dy, &dx);
        through_activation(ops, &a->layer[i - 1], n);
    }
}

static void learn(sb_net *net, const sb_window *window, sb_target target)
{
    (void)target; /* one step per update: its own target is the window's last */
    autoencoder *a = (autoencoder *)net;
    infer(net, window);
    gradients_of_maps(a, window);
    for (int i = a->n_layers - 1; i >= 0; i--) {
        const sb_tensor x = input_of(a, i, window->n), dy = samples(&a->layer[i].dy, window->n);
        net->ops->dense_weight_gradient(net->ops, &a->layer[i].dense, &x, &dy);
        sb_net_tell_learned(window, (size_t)(a->layer[i].dense.weight_grad - net->grad));
    }
}

static void learn_one(sb_net *net, const sb_window *window, sb_update_dense *update, void *context)
{
    autoencoder *a = (autoencoder *)net;
    infer(net, window);
    gradients_of_maps(a, window);
    for (int i = a->n_layers - 1; i >= 0; i--)
        update(context, &a->layer[i].dense, input_of(a, i, 1).x, a->layer[i].dy.x);
}

static sb_status outputs(sb_net *net, int first, int n, uint8_t *bytes)
{
    autoencoder *a = (autoencoder *)net;
    size_t size = (size_t)n * a->shape.inputs;
    sb_real *host = malloc(size * sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the outputs");
    sb_status status =
        sb_ops_read(net->ops, host, last_layer(a)->y.x + (size_t)first * a->shape.inputs, size * sizeof *host);
    for (size_t i = 0; status == SB_OK && i < size; i++) bytes[i] = (uint8_t)(sb_clip(host[i]) * 255 + (sb_real)0.5);
    free(host);
    return status;
}

/* "hidden units", of which deeper networks say the layer, or "outputs". */
static void name_units(const autoencoder *a, int i, char name[48])
{
    char stem[16];
    name_layer(a, i, stem);
    if (i + 1 == a->n_layers)
        snprintf(name, 48, "outputs");
    else if (a->shape.hidden.n == 1)
        snprintf(name, 48, "hidden units");
    else
        snprintf(name, 48, "hidden units of %s", stem);
}

static bool name(const sb_net *net, const void *memory, char *text, size_t size)
{
    const autoencoder *a = (const autoencoder *)net;
    if (memory == a->x.x) return snprintf(text, size, "images") > 0;
    for (int i = 0; i < a->n_layers; i++) {
        const layer *l = &a->layer[i];
        const bool is_gradient = memory == l->dy.x, is_sums = l->sums.x && memory == l->sums.x;
        char of[48];
        if (!is_gradient && !is_sums && memory != l->y.x) continue;
        name_units(a, i, of);
        return snprintf(text, size, "%s%s%s", is_gradient ? "gradient of the " : "", of,
                        is_sums ? " before their activation" : "") > 0;
    }
    return false;
}

static void close_autoencoder(sb_net *net)
{
    autoencoder *a = (autoencoder *)net;
    if (a->memory) net->ops->release(net->ops, a->memory);
    free(a);
}

/* Indices of a layer's weights are of 32 bits in some operations, and rows are padded to whole vectors. */
static sb_status check_shape(const sb_autoencoder_shape *shape)
{
    enum { WEIGHTS_MOST = 1 << 30 };
    for (int i = 0; i < 2 * shape->hidden.n; i++) {
        const int in = units(shape, i - 1), out = units(shape, i);
        if ((size_t)in * (size_t)out > WEIGHTS_MOST)
            return sb_fail(SB_E_USAGE, "autoencoder: %d units behind %d make a layer of more than %d weights", out, in,
                           WEIGHTS_MOST);
    }
    return SB_OK;
}

sb_status sb_autoencoder_open(sb_net **net, sb_ops *ops, const sb_autoencoder_shape *shape)
{
    *net = NULL;
    SB_TRY(check_shape(shape));
    autoencoder *a = calloc(1, sizeof *a);
    if (!a) return sb_fail(SB_E_MEMORY, "not enough memory for a network");
    a->shape = *shape;
    a->n_layers = 2 * shape->hidden.n;
    a->net.model = "autoencoder";
    a->net.ops = ops;
    a->net.learn = learn, a->net.learn_one = learn_one, a->net.infer = infer, a->net.outputs = outputs,
    a->net.measure = sb_net_measure_terms, a->net.name = name, a->net.close = close_autoencoder;
    sb_arena arena = {0};
    lay_out(a, &arena); /* names the parameters, */
    arena.used = 0;
    lay_out(a, &arena); /* counts with their total, */
    arena.size = arena.used;
    a->memory = arena.base = ops->allocate(ops, arena.used);
    arena.used = 0;
    if (!arena.base) {
        free(a);
        return SB_E_MEMORY;
    }
    lay_out(a, &arena); /* points */
    *net = &a->net;
    return SB_OK;
}

sb_status sb_autoencoder_model_open(sb_net **net, sb_ops *ops, const sb_settings *settings, const sb_data_shape *data)
{
    const sb_settings resolved = sb_settings_resolved(settings);
    const sb_autoencoder_shape shape = {.inputs = data->c * data->w * data->h,
                                        .hidden = settings->hidden,
                                        .batch = (int)(settings->batch / settings->shards),
                                        .of_hidden = sb_activation_find(resolved.hidden_activation),
                                        .of_outputs = sb_activation_find(resolved.output_activation)};
    return sb_autoencoder_open(net, ops, &shape);
}
