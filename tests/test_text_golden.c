/* Texts in float64, on every backend of the CPU: each operation against the golden file and its gradients against central
 * differences, and of two small transformers loss, gradients and weights of three updates. */
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

static void hold_memory(device *d, const char *group, const char *tensor, size_t n, const sb_real *memory)
{
    sb_real *host = layer_bring(d, n, memory);
    hold(d->subject, group, tensor, n, host);
    free(host);
}

/* ---- operations: run with numbers of the host, of which maps are planes [n][c][1][w] ---- */

/* table [vocabulary][width], position [w][width], tokens [n][w + 1], dy [n][width][1][w] */
typedef struct embedding_trial {
    device *d;
    int n, w, width, vocabulary;
    uint8_t *tokens;
    double *table, *position, *dy;
} embedding_trial;

typedef struct embedding_result {
    double *y, *table, *position;
} embedding_result;

static embedding_result embedding_run(const embedding_trial *t)
{
    device *d = t->d;
    sb_ops *ops = d->ops;
    const int n_before = d->n;
    const size_t n_table = (size_t)t->vocabulary * t->width, n_position = (size_t)t->w * t->width;
    const uint8_t *tokens = device_take(d, (size_t)t->n * (size_t)(t->w + 1), t->tokens);
    sb_embedding e = {.vocabulary = t->vocabulary, .width = t->width};
    e.table = layer_take(d, n_table, t->table), e.position = layer_take(d, n_position, t->position);
    e.table_grad = layer_take(d, n_table, t->table), e.position_grad = layer_take(d, n_position, t->position);
    const sb_tensor dy = device_tensor(d, t->n, 1, t->width, 1, t->w, t->dy);
    sb_tensor y = device_tensor(d, t->n, 1, t->width, 1, t->w, NULL);
    IN_TEAM
    {
        ops->embedding_forward(ops, &e, tokens, &y);
        ops->embedding_backward(ops, &e, tokens, &dy);
    }
    const embedding_result r = {host_take(sb_tensor_size(&y)), layer_bring(d, n_table, e.table_grad),
                                layer_bring(d, n_position, e.position_grad)};
    device_planes(d, &y, r.y);
    device_release_after(d, n_before);
    return r;
}

static void embedding_drop(embedding_result *r)
{
    free(r->y), free(r->table), free(r->position);
}

static double sum_of_products(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double embedding_loss(const void *trial)
{
    const embedding_trial *t = trial;
    embedding_result r = embedding_run(t);
    const double sum = sum_of_products((size_t)t->n * t->width * t->w, r.y, t->dy);
    embedding_drop(&r);
    return sum;
}

/* Against the file, and its gradients against differences. */
static void embedding(void **state)
{
    device d = device_open(*state, 2);
    const char *name = "embedding";
    stored table = get(name, "table"), position = get(name, "position"), dy = get(name, "dy");
    const embedding_trial t = {&d,      dy.dim[0],  dy.dim[3], dy.dim[1], table.dim[0], bytes_of(name, "tokens"),
                               table.x, position.x, dy.x};
    embedding_result r = embedding_run(&t);
    hold(*state, name, "y", dy.n, r.y);
    hold(*state, name, "dtable", table.n, r.table);
    hold(*state, name, "dposition", position.n, r.position);
    differ(*state, "the table of an embedding", embedding_loss, &t, table.x, table.n, r.table);
    differ(*state, "the positions of an embedding", embedding_loss, &t, position.x, position.n, r.position);
    embedding_drop(&r);
    free(t.tokens), free(table.x), free(position.x), free(dy.x);
    device_close(&d);
}

/* x [n][3 width][1][w], dy [n][width][1][w] */
typedef struct attention_trial {
    device *d;
    int n, w, heads, width;
    double *x, *dy;
} attention_trial;

typedef struct attention_result {
    double *y, *dx;
} attention_result;

static size_t attention_size(const attention_trial *t)
{
    return (size_t)t->n * t->width * t->w;
}

static attention_result attention_run(const attention_trial *t)
{
    device *d = t->d;
    sb_ops *ops = d->ops;
    const int n_before = d->n;
    sb_attention a = {.heads = t->heads, .width = t->width};
    a.statistics = device_take(d, sb_attention_size(&a, t->n, t->w), NULL);
    a.scratch = device_take(d, ops->attention_scratch_size(ops, &a, t->w), NULL);
    const sb_tensor x = device_tensor(d, t->n, 1, 3 * t->width, 1, t->w, t->x);
    const sb_tensor dy = device_tensor(d, t->n, 1, t->width, 1, t->w, t->dy);
    sb_tensor y = device_tensor(d, t->n, 1, t->width, 1, t->w, NULL);
    sb_tensor dx = device_tensor(d, t->n, 1, 3 * t->width, 1, t->w, NULL);
    IN_TEAM
    {
        ops->attention_forward(ops, &a, &x, &y);
        ops->attention_backward(ops, &a, &x, &y, &dy, &dx);
    }
    const attention_result r = {host_take(attention_size(t)), host_take(3 * attention_size(t))};
    device_planes(d, &y, r.y);
    device_planes(d, &dx, r.dx);
    device_release_after(d, n_before);
    return r;
}

static void attention_drop(attention_result *r)
{
    free(r->y), free(r->dx);
}

static double attention_loss(const void *trial)
{
    const attention_trial *t = trial;
    attention_result r = attention_run(t);
    const double sum = sum_of_products(attention_size(t), r.y, t->dy);
    attention_drop(&r);
    return sum;
}

static void attention_of(const subject *on, const char *name, int heads)
{
    device d = device_open(on, 2);
    stored x = get(name, "x"), dy = get(name, "dy");
    const attention_trial t = {&d, dy.dim[0], dy.dim[3], heads, dy.dim[1], x.x, dy.x};
    attention_result r = attention_run(&t);
    hold(on, name, "y", dy.n, r.y);
    hold(on, name, "dx", x.n, r.dx);
    differ(on, name, attention_loss, &t, x.x, x.n, r.dx);
    attention_drop(&r);
    free(x.x), free(dy.x);
    device_close(&d);
}

static void attention(void **state)
{
    attention_of(*state, "attention_1_1", 1);
    attention_of(*state, "attention_3_5", 3);
    attention_of(*state, "attention_2_16", 2);
}

/* More positions than native has scores of in memory at a time. */
static void attention_over_blocks(void **state)
{
    device d = device_open(*state, 1);
    attention_trial t = {&d, 1, 130, 2, 6};
    t.x = drawn(3 * attention_size(&t), 0), t.dy = drawn(attention_size(&t), 1);
    attention_result r = attention_run(&t);
    differ(*state, "attention over blocks", attention_loss, &t, t.x, 3 * attention_size(&t), r.dx);
    attention_drop(&r);
    free(t.x), free(t.dy);
    device_close(&d);
}

static void gelu_of_tanh(void **state)
{
    layer l = from_file("gelutanh", LAYER_ACTIVATION);
    l.function = SB_ACTIVATION_gelu_tanh;
    hold_layer(*state, &l, "gelutanh");
}

/* Logits z [n][vocabulary][1][w], tokens [n][w + 1] */
typedef struct loss_trial {
    device *d;
    int n, w, vocabulary;
    uint8_t *tokens;
    double *z, smoothing;
} loss_trial;

typedef struct loss_result {
    double *loss, *dz, total[3]; /* loss: of each position */
} loss_result;

/* The gradient is that of the mean over all positions. */
static loss_result loss_run(const loss_trial *t)
{
    device *d = t->d;
    sb_ops *ops = d->ops;
    const int n_before = d->n;
    const size_t n = (size_t)t->n * t->w, n_bytes = n * sizeof(double);
    const uint8_t *tokens = device_take(d, n + (size_t)t->n, t->tokens);
    const sb_tensor z = device_tensor(d, t->n, 1, t->vocabulary, 1, t->w, t->z);
    sb_tensor dz = device_tensor(d, t->n, 1, t->vocabulary, 1, t->w, NULL);
    double *loss = device_take(d, n_bytes, NULL), *entropy = device_take(d, n_bytes, NULL);
    double *total = device_take(d, sizeof(double[3]), NULL);
    uint8_t *predicted = device_take(d, n, NULL);
    loss_result r = {host_take(n), host_take(n * (size_t)t->vocabulary), {0}};
    IN_TEAM
    {
        ops->token_loss_forward(ops, &z, tokens, t->smoothing, loss, entropy, predicted, total);
        ops->token_loss_backward(ops, &z, tokens, t->smoothing, 1.0 / (double)n, &dz);
    }
    ops->to_host(ops, r.loss, loss, n_bytes);
    ops->to_host(ops, r.total, total, sizeof r.total);
    device_planes(d, &dz, r.dz);
    device_release_after(d, n_before);
    return r;
}

static void loss_drop(loss_result *r)
{
    free(r->loss), free(r->dz);
}

static double loss_mean(const void *trial)
{
    const loss_trial *t = trial;
    loss_result r = loss_run(t);
    loss_drop(&r);
    return r.total[0] / t->n;
}

static void loss_with(const subject *on, const char *name, double smoothing)
{
    device d = device_open(on, 2);
    stored z = get(name, "z"), y = get(name, "y");
    const loss_trial t = {&d, z.dim[0], z.dim[3], z.dim[1], bytes_of(name, "tokens"), z.x, smoothing};
    double sum = 0;
    loss_result r = loss_run(&t);
    hold(on, name, "y", y.n, r.loss);
    hold(on, name, "dz", z.n, r.dz);
    for (size_t i = 0; i < y.n; i++) sum += y.x[i];
    assert_true(fabs(r.total[0] * t.w - sum) < 1e-11 * sum);
    differ(on, name, loss_mean, &t, z.x, z.n, r.dz);
    loss_drop(&r);
    free(t.tokens), free(z.x), free(y.x);
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
        cmocka_unit_test(embedding),      cmocka_unit_test(attention), cmocka_unit_test(attention_over_blocks),
        cmocka_unit_test(gelu_of_tanh),   cmocka_unit_test(loss),      cmocka_unit_test(tied_network),
        cmocka_unit_test(untied_network),
    };
    return run_on_golden("texts against the golden file", tests, sizeof tests / sizeof *tests, "text_f8.h5");
}
