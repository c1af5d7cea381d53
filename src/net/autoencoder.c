#include "net/autoencoder.h"

#include "core/arena.h"
#include "net/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct autoencoder {
    sb_net net;
    sb_autoencoder_shape shape;
    sb_dense encoder, decoder;
    sb_tensor x, hidden, y; /* for a batch of samples of 1 x 1 pixels, their numbers as channels */
    sb_tensor dhidden, dy;
    sb_tensor hidden_sums, y_sums; /* before an activation whose gradient is one of its input; else none */
    void *memory;
} autoencoder;

enum { ALPHA = 1 };

/* relu is done with the sums, and its gradient asks for its result alone. */
static bool keeps_sums(sb_activation kind)
{
    return kind != SB_ACTIVATION_relu && kind != SB_ACTIVATION_linear;
}

static void lay_layer(autoencoder *a, sb_arena *arena, sb_dense *layer, int in, int out, const char *name)
{
    sb_params *params = &a->net.params;
    size_t w = sb_params_add(params, sqrt(1.0 / in), 2, (size_t[]){out, in}, "%s/w", name);
    size_t b = sb_params_add(params, 0, 1, (size_t[]){out}, "%s/b", name);
    *layer = (sb_dense){
        .in = in,
        .out = out,
        .weight = sb_net_at(a->net.weight, w),
        .bias = sb_net_at(a->net.weight, b),
        .weight_grad = sb_net_at(a->net.grad, w),
        .bias_grad = sb_net_at(a->net.grad, b),
    };
    layer->scratch = sb_arena_take(arena, a->net.ops->dense_scratch_size(layer, a->shape.batch));
}

static sb_tensor take_tensor(const autoencoder *a, sb_arena *arena, int c)
{
    sb_tensor tensor = {a->shape.batch, 1, c, 1, 1, NULL};
    tensor.x = sb_arena_take(arena, sb_tensor_size(&tensor) * sizeof(sb_real));
    return tensor;
}

static void lay_out(autoencoder *a, sb_arena *arena)
{
    size_t n_bytes = a->net.params.total * sizeof(sb_real);
    a->net.weight = sb_arena_take(arena, n_bytes);
    a->net.grad = sb_arena_take(arena, n_bytes);
    a->net.loss = sb_arena_take(arena, sizeof(double));
    a->net.norm2 = sb_arena_take(arena, sizeof(double));
    a->net.params = (sb_params){0};
    lay_layer(a, arena, &a->encoder, a->shape.inputs, a->shape.hidden, "encoder");
    lay_layer(a, arena, &a->decoder, a->shape.hidden, a->shape.inputs, "decoder");
    a->x = take_tensor(a, arena, a->shape.inputs);
    a->hidden = take_tensor(a, arena, a->shape.hidden);
    a->y = take_tensor(a, arena, a->shape.inputs);
    a->dhidden = take_tensor(a, arena, a->shape.hidden);
    a->dy = take_tensor(a, arena, a->shape.inputs);
    if (keeps_sums(a->shape.of_hidden)) a->hidden_sums = take_tensor(a, arena, a->shape.hidden);
    if (keeps_sums(a->shape.of_outputs)) a->y_sums = take_tensor(a, arena, a->shape.inputs);
}

/* The first n samples of a tensor. */
static sb_tensor samples(const sb_tensor *x, int n)
{
    sb_tensor first = *x;
    first.n = n;
    return first;
}

/* Elements of the batch that the window is, or is a shard of. */
static size_t batch_elements(const autoencoder *a, const sb_window *window)
{
    return (size_t)(window->n_batch ? window->n_batch : window->n) * a->shape.inputs;
}

static void layer_forward(sb_ops *ops, const sb_dense *layer, sb_activation kind, const sb_tensor *sums,
                          const sb_tensor *x, sb_tensor *y)
{
    if (!keeps_sums(kind)) {
        ops->dense_forward(ops, layer, x, y, kind == SB_ACTIVATION_relu);
        return;
    }
    sb_tensor z = samples(sums, x->n);
    ops->dense_forward(ops, layer, x, &z, false);
    ops->activation_forward(ops, kind, ALPHA, &z, y);
}

/* What of dy, the gradient of y, goes through the activation, in its place. */
static void through_activation(sb_ops *ops, sb_activation kind, const sb_tensor *sums, const sb_tensor *y,
                               sb_tensor *dy)
{
    if (kind == SB_ACTIVATION_relu) ops->relu_backward(ops, sb_tensor_size(dy), y->x, dy->x);
    if (!keeps_sums(kind)) return;
    const sb_tensor z = samples(sums, dy->n);
    ops->activation_backward(ops, kind, ALPHA, &z, dy, dy);
}

static void infer(sb_net *net, const sb_window *window)
{
    autoencoder *a = (autoencoder *)net;
    sb_ops *ops = net->ops;
    sb_tensor x = samples(&a->x, window->n), hidden = samples(&a->hidden, window->n), y = samples(&a->y, window->n);
#pragma omp barrier
#pragma omp single
    net->n_loss = 1;
    if (window->values)
        ops->to_device(ops, x.x, window->values, sb_tensor_size(&x) * sizeof(sb_real));
    else
        ops->frame_load(ops, window->bytes, &x);
    layer_forward(ops, &a->encoder, a->shape.of_hidden, &a->hidden_sums, &x, &hidden);
    layer_forward(ops, &a->decoder, a->shape.of_outputs, &a->y_sums, &hidden, &y);
    ops->loss_forward(ops, &y, &x, batch_elements(a, window), net->loss);
}

/* dy of the loss, through the decoder's activation; dhidden, through the encoder's. */
static void output_gradient(autoencoder *a, const sb_window *window)
{
    const int n = window->n;
    sb_ops *ops = a->net.ops;
    sb_tensor x = samples(&a->x, n), y = samples(&a->y, n), dy = samples(&a->dy, n);
    ops->loss_backward(ops, &y, &x, batch_elements(a, window), false, &dy);
    through_activation(ops, a->shape.of_outputs, &a->y_sums, &y, &dy);
}

static void hidden_gradient(autoencoder *a, int n)
{
    sb_ops *ops = a->net.ops;
    sb_tensor dy = samples(&a->dy, n), dhidden = samples(&a->dhidden, n);
    ops->dense_data_gradient(ops, &a->decoder, &dy, &dhidden);
    through_activation(ops, a->shape.of_hidden, &a->hidden_sums, &a->hidden, &dhidden);
}

static void learn(sb_net *net, const sb_window *window, sb_target target)
{
    (void)target; /* one step per update: its own target is the window's last */
    autoencoder *a = (autoencoder *)net;
    sb_tensor x = samples(&a->x, window->n), hidden = samples(&a->hidden, window->n);
    sb_tensor dhidden = samples(&a->dhidden, window->n), dy = samples(&a->dy, window->n);
    infer(net, window);
    output_gradient(a, window);
    hidden_gradient(a, window->n);
    net->ops->dense_weight_gradient(net->ops, &a->decoder, &hidden, &dy);
    net->ops->dense_weight_gradient(net->ops, &a->encoder, &x, &dhidden);
}

static void learn_one(sb_net *net, const sb_window *window, sb_update_dense *update, void *context)
{
    autoencoder *a = (autoencoder *)net;
    infer(net, window);
    output_gradient(a, window);
    hidden_gradient(a, 1);
    update(context, &a->decoder, a->hidden.x, a->dy.x);
    update(context, &a->encoder, a->x.x, a->dhidden.x);
}

static sb_status outputs(sb_net *net, int first, int n, uint8_t *bytes)
{
    autoencoder *a = (autoencoder *)net;
    size_t size = (size_t)n * a->shape.inputs;
    sb_real *host = malloc(size * sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the outputs");
    sb_status status = sb_ops_read(net->ops, host, a->y.x + (size_t)first * a->shape.inputs, size * sizeof *host);
    for (size_t i = 0; status == SB_OK && i < size; i++) bytes[i] = (uint8_t)(sb_clip(host[i]) * 255 + (sb_real)0.5);
    free(host);
    return status;
}

static bool name(const sb_net *net, const void *memory, char *text, size_t size)
{
    const autoencoder *a = (const autoencoder *)net;
    const struct {
        const sb_real *x;
        const char *name;
    } known[] = {{a->x.x, "images"},
                 {a->hidden.x, "hidden units"},
                 {a->y.x, "outputs"},
                 {a->dhidden.x, "gradient of the hidden units"},
                 {a->dy.x, "gradient of the outputs"},
                 {a->hidden_sums.x, "hidden units before their activation"},
                 {a->y_sums.x, "outputs before their activation"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].x && memory == known[i].x) return snprintf(text, size, "%s", known[i].name) > 0;
    return false;
}

static void close_autoencoder(sb_net *net)
{
    autoencoder *a = (autoencoder *)net;
    if (a->memory) net->ops->release(net->ops, a->memory);
    free(a);
}

sb_status sb_autoencoder_open(sb_net **net, sb_ops *ops, const sb_autoencoder_shape *shape)
{
    *net = NULL;
    autoencoder *a = calloc(1, sizeof *a);
    if (!a) return sb_fail(SB_E_MEMORY, "not enough memory for a network");
    a->shape = *shape;
    a->net.model = "autoencoder";
    a->net.ops = ops;
    a->net.learn = learn, a->net.learn_one = learn_one, a->net.infer = infer, a->net.outputs = outputs,
    a->net.name = name, a->net.close = close_autoencoder;
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
                                        .hidden = (int)settings->hidden,
                                        .batch = (int)(settings->batch / settings->shards),
                                        .of_hidden = sb_activation_find(resolved.hidden_activation),
                                        .of_outputs = sb_activation_find(resolved.output_activation)};
    return sb_autoencoder_open(net, ops, &shape);
}
