/* Texts in float64, on every backend of the CPU: each operation against the golden file, and of two small transformers
 * loss, gradients and weights of three updates. */
#include "layer_golden.h"

#include "net/models.h"
#include "train/optimizer.h"

/* The numbers of a tensor of the file, as bytes. */
static uint8_t *bytes_of(const char *group, const char *tensor)
{
    stored s = get(group, tensor);
    uint8_t *bytes = malloc(s.n);
    assert_non_null(bytes);
    for (size_t i = 0; i < s.n; i++) bytes[i] = (uint8_t)s.x[i];
    free(s.x);
    return bytes;
}

static sb_real *take_stored(device *d, const char *group, const char *tensor)
{
    stored s = get(group, tensor);
    sb_real *memory = device_take(d, s.n * sizeof *s.x, s.x);
    free(s.x);
    return memory;
}

/* A map of the file; zeros: one of its shape. */
static sb_tensor map_of(device *d, const char *group, const char *tensor, bool zeros)
{
    stored s = get(group, tensor);
    const sb_tensor map = device_tensor(d, s.dim[0], 1, s.dim[1], s.dim[2], s.dim[3], zeros ? NULL : s.x);
    free(s.x);
    return map;
}

static void hold_map(device *d, const char *group, const char *tensor, const sb_tensor *map)
{
    const size_t n = sb_tensor_size(map);
    sb_real *planes = host_take(n);
    device_planes(d, map, planes);
    hold(d->subject, group, tensor, n, planes);
    free(planes);
}

static void hold_memory(device *d, const char *group, const char *tensor, size_t n, const sb_real *memory)
{
    sb_real *host = layer_bring(d, n, memory);
    hold(d->subject, group, tensor, n, host);
    free(host);
}

/* ---- operations ---- */

static void embedding(void **state)
{
    device d = device_open(*state, 2);
    sb_ops *ops = d.ops;
    const char *name = "embedding";
    uint8_t *tokens = bytes_of(name, "tokens");
    const uint8_t *on_device = device_take(&d, 3 * 8, tokens);
    sb_embedding e = {.vocabulary = 11, .width = 5};
    e.table = take_stored(&d, name, "table"), e.position = take_stored(&d, name, "position");
    e.table_grad = take_stored(&d, name, "table"), e.position_grad = take_stored(&d, name, "position");
    const sb_tensor dy = map_of(&d, name, "dy", false);
    sb_tensor y = map_of(&d, name, "y", true);
    IN_TEAM
    {
        ops->embedding_forward(ops, &e, on_device, &y);
        ops->embedding_backward(ops, &e, on_device, &dy);
    }
    hold_map(&d, name, "y", &y);
    hold_memory(&d, name, "dtable", 55, e.table_grad);
    hold_memory(&d, name, "dposition", 35, e.position_grad);
    free(tokens);
    device_close(&d);
}

static void attention_of(const subject *on, const char *name, int heads)
{
    device d = device_open(on, 2);
    sb_ops *ops = d.ops;
    const sb_tensor x = map_of(&d, name, "x", false), dy = map_of(&d, name, "dy", false);
    sb_tensor y = map_of(&d, name, "y", true), dx = map_of(&d, name, "x", true);
    sb_attention a = {.heads = heads, .width = y.c};
    a.statistics = device_take(&d, sb_attention_size(&a, x.n, x.w), NULL);
    a.scratch = device_take(&d, ops->attention_scratch_size(ops, &a, x.w), NULL);
    IN_TEAM
    {
        ops->attention_forward(ops, &a, &x, &y);
        ops->attention_backward(ops, &a, &x, &y, &dy, &dx);
    }
    hold_map(&d, name, "y", &y);
    hold_map(&d, name, "dx", &dx);
    device_close(&d);
}

static void attention(void **state)
{
    attention_of(*state, "attention_1_1", 1);
    attention_of(*state, "attention_3_5", 3);
    attention_of(*state, "attention_2_16", 2);
}

static void gelu_of_tanh(void **state)
{
    layer l = from_file("gelutanh", LAYER_ACTIVATION);
    l.function = SB_ACTIVATION_gelu_tanh;
    hold_layer(*state, &l, "gelutanh");
}

static void loss_with(const subject *on, const char *name, double smoothing)
{
    enum { N = 3 * 7 };
    device d = device_open(on, 2);
    sb_ops *ops = d.ops;
    uint8_t *tokens = bytes_of(name, "tokens");
    const uint8_t *on_device = device_take(&d, 3 * 8, tokens);
    const sb_tensor z = map_of(&d, name, "z", false);
    sb_tensor dz = map_of(&d, name, "z", true);
    double *loss = device_take(&d, N * sizeof *loss, NULL), *entropy = device_take(&d, N * sizeof *loss, NULL);
    double *total = device_take(&d, 3 * sizeof *loss, NULL), host[3], sum = 0;
    uint8_t *predicted = device_take(&d, N, NULL);
    IN_TEAM
    {
        ops->token_loss_forward(ops, &z, on_device, smoothing, loss, entropy, predicted, total);
        ops->token_loss_backward(ops, &z, on_device, smoothing, 1.0 / N, &dz);
    }
    hold_memory(&d, name, "y", N, loss);
    hold_map(&d, name, "dz", &dz);
    ops->to_host(ops, host, total, sizeof host);
    stored y = get(name, "y");
    for (size_t i = 0; i < y.n; i++) sum += y.x[i];
    assert_true(fabs(host[0] * 7 - sum) < 1e-11 * sum);
    free(y.x), free(tokens);
    device_close(&d);
}

static void loss(void **state)
{
    loss_with(*state, "loss_0", 0);
    loss_with(*state, "loss_0.25", 0.25);
}

/* ---- networks ---- */

/* The settings that text.py has for both networks, and the recipe for what is not typed. */
static sb_settings settings_of(bool is_tied)
{
    sb_settings s;
    sb_settings_default(&s);
    s.model = "gpt", s.batch = 4, s.blocks = 2, s.heads = 3, s.width = 12, s.context = 7;
    s.tied = is_tied ? "on" : "off", s.activation = is_tied ? "gelu" : "gelutanh";
    s.lr = 0.01, s.eps = 1e-6, s.max_norm = is_tied ? 1.5 : 1e6;
    return sb_settings_resolved(&s);
}

/* All parameters of the file below `folder` into a block, or what is in the block against them. */
static void each_param(device *d, const sb_net *net, const char *folder, sb_real *block, bool holds)
{
    for (int p = 0; p < net->params.n; p++) {
        const sb_param *param = &net->params.list[p];
        if (holds) {
            hold_memory(d, folder, param->name, param->n, block + param->offset);
            continue;
        }
        stored s = get(folder, param->name);
        assert_int_equal(s.n, param->n);
        d->ops->to_device(d->ops, block + param->offset, s.x, s.n * sizeof *s.x);
        free(s.x);
    }
}

static void update_of(device *d, const char *name, sb_net *net, sb_optimizer *optimizer, int number,
                      const uint8_t *tokens)
{
    enum { N = 4 };
    sb_ops *ops = d->ops;
    char folder[64];
    double terms[SB_N_TOTALS];
    const sb_window window = {.tokens = tokens + (number - 1) * N * 8, .n = N};
    const sb_rates rates = sb_optimizer_rates(optimizer, 0.01, number);
    IN_TEAM net->learn(net, &window, SB_TARGET_COPY);
    ops->to_host(ops, terms, net->loss, sizeof terms);
    stored losses = get(name, "losses");
    const double got = net->measure(terms, net->n_loss, N).loss_mean;
    if (!(fabs(got - losses.x[number - 1]) < 1e-11)) fail_msg("%s: loss %d is %.15g", name, number, got);
    free(losses.x);
    snprintf(folder, sizeof folder, "%s/update%d/grad", name, number);
    each_param(d, net, folder, net->grad, true);
    IN_TEAM sb_optimizer_update(optimizer, &rates);
    snprintf(folder, sizeof folder, "%s/update%d/param", name, number);
    each_param(d, net, folder, net->weight, true);
}

static void network(const subject *on, bool is_tied)
{
    const char *name = is_tied ? "tied" : "untied";
    char folder[64];
    device d = device_open(on, 2);
    sb_net *net;
    sb_optimizer optimizer;
    const sb_settings settings = settings_of(is_tied);
    const sb_data_shape text = {.n_classes = 11};
    if (sb_model_find("gpt")->open(&net, d.ops, &settings, &text) != SB_OK) fail_msg("%s", sb_message());
    assert_int_equal(sb_optimizer_open(&optimizer, net, &settings), SB_OK);
    sb_optimizer_start(&optimizer);
    snprintf(folder, sizeof folder, "%s/start", name);
    each_param(&d, net, folder, net->weight, false);
    uint8_t *tokens = bytes_of(name, "tokens");
    for (int number = 1; number <= 3; number++) update_of(&d, name, net, &optimizer, number, tokens);
    free(tokens);
    sb_optimizer_close(&optimizer);
    sb_net_close(net);
    device_close(&d);
}

static void tied_network(void **state)
{
    network(*state, true);
}

static void untied_network(void **state)
{
    network(*state, false);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedding), cmocka_unit_test(attention),    cmocka_unit_test(gelu_of_tanh),
        cmocka_unit_test(loss),      cmocka_unit_test(tied_network), cmocka_unit_test(untied_network),
    };
    return run_on_golden("texts against the golden file", tests, sizeof tests / sizeof *tests, "text_f8.h5");
}
