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
    sb_real *x, *hidden, *y; /* [batch][inputs], [batch][hidden], [batch][inputs] */
    sb_real *dhidden, *dy;
    void *memory;
} autoencoder;

static void lay_layer(autoencoder *a, sb_arena *arena, sb_dense *layer, int in, int out, const char *name)
{
    sb_params *params = &a->net.params;
    size_t w = sb_params_add(params, sqrt(1.0 / in), 2, (size_t[]){out, in}, "%s/w", name);
    size_t b = sb_params_add(params, 0, 1, (size_t[]){out}, "%s/b", name);
    *layer = (sb_dense){
        .batch = a->shape.batch,
        .in = in,
        .out = out,
        .weight = sb_net_at(a->net.weight, w),
        .bias = sb_net_at(a->net.weight, b),
        .weight_grad = sb_net_at(a->net.grad, w),
        .bias_grad = sb_net_at(a->net.grad, b),
    };
    layer->scratch = sb_arena_take(arena, a->net.ops->dense_scratch_size(layer));
}

static void lay_out(autoencoder *a, sb_arena *arena)
{
    size_t n_bytes = a->net.params.total * sizeof(sb_real), batch = (size_t)a->shape.batch;
    a->net.weight = sb_arena_take(arena, n_bytes);
    a->net.grad = sb_arena_take(arena, n_bytes);
    a->net.loss = sb_arena_take(arena, sizeof(double));
    a->net.norm2 = sb_arena_take(arena, sizeof(double));
    a->net.params = (sb_params){0};
    lay_layer(a, arena, &a->encoder, a->shape.inputs, a->shape.hidden, "encoder");
    lay_layer(a, arena, &a->decoder, a->shape.hidden, a->shape.inputs, "decoder");
    a->x = sb_arena_take(arena, batch * a->shape.inputs * sizeof(sb_real));
    a->hidden = sb_arena_take(arena, batch * a->shape.hidden * sizeof(sb_real));
    a->y = sb_arena_take(arena, batch * a->shape.inputs * sizeof(sb_real));
    a->dhidden = sb_arena_take(arena, batch * a->shape.hidden * sizeof(sb_real));
    a->dy = sb_arena_take(arena, batch * a->shape.inputs * sizeof(sb_real));
}

/* A matrix of samples as a map of one channel whose rows are samples: the same in every backend's layout. */
static sb_tensor samples(const autoencoder *a, int n, sb_real *x)
{
    return (sb_tensor){1, 1, 1, n, a->shape.inputs, x};
}

static void infer(sb_net *net, const sb_window *window)
{
    autoencoder *a = (autoencoder *)net;
    sb_ops *ops = net->ops;
    sb_tensor x = samples(a, window->n, a->x), y = samples(a, window->n, a->y);
#pragma omp barrier
#pragma omp single
    {
        net->n_loss = 1;
        a->encoder.batch = a->decoder.batch = window->n;
    }
    if (window->values)
        ops->to_device(ops, a->x, window->values, sb_tensor_size(&x) * sizeof(sb_real));
    else
        ops->frame_load(ops, window->bytes, &x);
    ops->dense_forward(ops, &a->encoder, a->x, a->hidden, true);
    ops->dense_forward(ops, &a->decoder, a->hidden, a->y, true);
    ops->loss_forward(ops, &y, &x, net->loss);
}

/* dy of the loss, through the decoder's relu; dhidden, through the encoder's. */
static void output_gradient(autoencoder *a, int n)
{
    sb_ops *ops = a->net.ops;
    sb_tensor x = samples(a, n, a->x), y = samples(a, n, a->y), dy = samples(a, n, a->dy);
    ops->loss_backward(ops, &y, &x, false, &dy);
    ops->relu_backward(ops, sb_tensor_size(&dy), a->y, a->dy);
}

static void hidden_gradient(autoencoder *a, int n)
{
    sb_ops *ops = a->net.ops;
    ops->dense_data_gradient(ops, &a->decoder, a->dy, a->dhidden);
    ops->relu_backward(ops, (size_t)n * a->shape.hidden, a->hidden, a->dhidden);
}

static void learn(sb_net *net, const sb_window *window, sb_target target)
{
    (void)target; /* one step per update: its own target is the window's last */
    autoencoder *a = (autoencoder *)net;
    infer(net, window);
    output_gradient(a, window->n);
    hidden_gradient(a, window->n);
    net->ops->dense_weight_gradient(net->ops, &a->decoder, a->hidden, a->dy);
    net->ops->dense_weight_gradient(net->ops, &a->encoder, a->x, a->dhidden);
}

static void learn_one(sb_net *net, const sb_window *window, sb_update_dense *update, void *context)
{
    autoencoder *a = (autoencoder *)net;
    infer(net, window);
    output_gradient(a, 1);
    hidden_gradient(a, 1);
    update(context, &a->decoder, a->hidden, a->dy);
    update(context, &a->encoder, a->x, a->dhidden);
}

static sb_status outputs(sb_net *net, int first, int n, uint8_t *bytes)
{
    autoencoder *a = (autoencoder *)net;
    size_t size = (size_t)n * a->shape.inputs;
    sb_real *host = malloc(size * sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the outputs");
    sb_status status = sb_ops_read(net->ops, host, a->y + (size_t)first * a->shape.inputs, size * sizeof *host);
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
    } known[] = {{a->x, "images"},
                 {a->hidden, "hidden units"},
                 {a->y, "outputs"},
                 {a->dhidden, "gradient of the hidden units"},
                 {a->dy, "gradient of the outputs"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (memory == known[i].x) return snprintf(text, size, "%s", known[i].name) > 0;
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

sb_status sb_autoencoder_model_open(sb_net **net, sb_ops *ops, const sb_settings *settings, int w, int h)
{
    sb_autoencoder_shape shape = {.inputs = w * h, .hidden = (int)settings->hidden, .batch = (int)settings->batch};
    return sb_autoencoder_open(net, ops, &shape);
}
