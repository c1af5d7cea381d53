/* Texts: cases to check by eye, and every backend against the written order in plain loops (ops/token/token.h), bit for
 * bit. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

enum { SEED = 560 };

static uint8_t *drawn_tokens(int n, int context, int vocabulary)
{
    const size_t size = (size_t)n * (size_t)(context + 1);
    uint8_t *tokens = malloc(size);
    assert_non_null(tokens);
    for (size_t i = 0; i < size; i++) tokens[i] = (uint8_t)(sb_random_words(SEED, 9, i).word[0] % (uint32_t)vocabulary);
    return tokens;
}

static sb_real *filled(size_t n, fill kind, uint32_t stream)
{
    sb_real *x = host_take(n);
    fill_block(x, n, kind, SEED, stream);
    return x;
}

/* ---- embedding ---- */

/* n windows of w positions; dy and y are planes [n][c][1][w]. */
typedef struct embedding_trial {
    int n, w, c, vocabulary;
    bool adds;
    const uint8_t *tokens;
    const sb_real *table, *position, *dy, *before; /* before: of the table's gradient */
} embedding_trial;

typedef struct embedding_result {
    sb_real *y, *table, *position;
} embedding_result;

static embedding_result embedding_take(const embedding_trial *t)
{
    return (embedding_result){host_take((size_t)t->n * t->c * t->w), host_take((size_t)t->vocabulary * t->c),
                              host_take((size_t)t->w * t->c)};
}

static void embedding_drop(embedding_result *r)
{
    free(r->y), free(r->table), free(r->position);
}

static embedding_result embedding_run(const subject *on, int threads, const embedding_trial *t)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    const size_t n_table = (size_t)t->vocabulary * t->c * sizeof(sb_real),
                 n_position = (size_t)t->w * t->c * sizeof(sb_real);
    const uint8_t *tokens = device_take(&d, (size_t)t->n * (size_t)(t->w + 1), t->tokens);
    sb_embedding e = {.vocabulary = t->vocabulary, .width = t->c, .adds_to_table = t->adds};
    e.table = device_take(&d, n_table, t->table), e.position = device_take(&d, n_position, t->position);
    e.table_grad = device_take(&d, n_table, t->before), e.position_grad = device_take(&d, n_position, t->position);
    sb_tensor y = device_tensor(&d, t->n, 1, t->c, 1, t->w, NULL);
    const sb_tensor dy = device_tensor(&d, t->n, 1, t->c, 1, t->w, t->dy);
    IN_TEAM
    {
        ops->embedding_forward(ops, &e, tokens, &y);
        ops->embedding_backward(ops, &e, tokens, &dy);
    }
    const embedding_result r = embedding_take(t);
    device_planes(&d, &y, r.y);
    ops->to_host(ops, r.table, e.table_grad, n_table);
    ops->to_host(ops, r.position, e.position_grad, n_position);
    device_close(&d);
    return r;
}

static embedding_result embedding_plain(const embedding_trial *t)
{
    const embedding_result r = embedding_take(t);
    for (int s = 0; s < t->n; s++)
        for (int c = 0; c < t->c; c++)
            for (int at = 0; at < t->w; at++)
                r.y[((size_t)s * t->c + c) * t->w + at] =
                    t->table[t->tokens[s * (t->w + 1) + at] * t->c + c] + t->position[at * t->c + c];
    for (int v = 0; v < t->vocabulary; v++)
        for (int c = 0; c < t->c; c++) {
            sb_real total = t->adds ? t->before[v * t->c + c] : 0;
            for (int s = 0; s < t->n; s++) {
                sb_real sum = 0;
                for (int at = 0; at < t->w; at++)
                    if (t->tokens[s * (t->w + 1) + at] == v) sum += t->dy[((size_t)s * t->c + c) * t->w + at];
                total += sum;
            }
            r.table[v * t->c + c] = total;
        }
    for (int at = 0; at < t->w; at++)
        for (int c = 0; c < t->c; c++)
            for (int s = 0; s < t->n; s++) r.position[at * t->c + c] += t->dy[((size_t)s * t->c + c) * t->w + at];
    return r;
}

/* Tokens 2 0 2 with the target 1: rows 2, 0 and 2 of the table, and their positions. */
static void embedding_by_eye(void **state)
{
    static const uint8_t tokens[] = {2, 0, 2, 1};
    static const sb_real table[] = {1, 2, 3, 4, 5, 6}, position[] = {10, 20, 30, 40, 50, 60};
    static const sb_real dy[] = {1, 2, 4, 8, 16, 32};
    static const sb_real y[] = {15, 31, 55, 26, 42, 66}, dtable[] = {2, 16, 0, 0, 5, 40},
                         dposition[] = {1, 8, 2, 16, 4, 32};
    embedding_result got =
        embedding_run(*state, 2, &(embedding_trial){1, 3, 2, 3, false, tokens, table, position, dy, table});
    expect_equal("y", 6, got.y, y);
    expect_equal("gradient of the table", 6, got.table, dtable);
    expect_equal("gradient of the positions", 6, got.position, dposition);
    embedding_drop(&got);
}

static void embedding_case(const subject *on, int n, int w, int c, int vocabulary, fill kind, bool adds)
{
    char where[200];
    sb_real *table = filled((size_t)vocabulary * c, kind, 0), *position = filled((size_t)w * c, kind, 1);
    sb_real *dy = filled((size_t)n * w * c, kind, 2), *before = filled((size_t)vocabulary * c, kind, 3);
    uint8_t *tokens = drawn_tokens(n, w, vocabulary);
    const embedding_trial t = {n, w, c, vocabulary, adds, tokens, table, position, dy, before};
    embedding_result wanted = embedding_plain(&t);
    for (int threads = 1; threads <= 3; threads += 2) {
        embedding_result got = embedding_run(on, threads, &t);
        snprintf(where, sizeof where, "embedding %d x %d of %d, vocabulary %d, %s %s, %d threads, fill %s", n, w, c,
                 vocabulary, on->backend, on->isa, threads, fill_names[kind]);
        expect_same_bits(where, (size_t)n * w * c, got.y, wanted.y);
        expect_same_bits(where, (size_t)vocabulary * c, got.table, wanted.table);
        expect_same_bits(where, (size_t)w * c, got.position, wanted.position);
        embedding_drop(&got);
    }
    embedding_drop(&wanted);
    free(table), free(position), free(dy), free(before), free(tokens);
}

static void embeddings(void **state)
{
    subject_or_skip(*state);
    for (fill kind = 0; kind < fills_tried; kind++) {
        embedding_case(*state, 3, 7, 5, 4, kind, false);
        embedding_case(*state, 4, 9, 70, 11, kind, true);
        embedding_case(*state, 2, 3, 32, 256, kind, kind == FILL_EXTREME);
    }
}

/* ---- loss ---- */

typedef struct loss_result {
    size_t n; /* positions */
    double *loss, *entropy, total[3];
    uint8_t *predicted;
    sb_real *dz;
} loss_result;

static loss_result loss_take(size_t n, int vocabulary)
{
    loss_result r = {n,
                     calloc(n, sizeof *r.loss),
                     calloc(n, sizeof *r.entropy),
                     {0},
                     calloc(n, 1),
                     host_take(n * (size_t)vocabulary)};
    assert_true(r.loss && r.entropy && r.predicted);
    return r;
}

static void loss_drop(loss_result *r)
{
    free(r->loss), free(r->entropy), free(r->predicted), free(r->dz);
}

/* Logits z: planes [n][vocabulary][1][w]. */
static loss_result loss_run(const subject *on, int threads, int n, int w, int vocabulary, const sb_real *z,
                            const uint8_t *tokens, double smoothing)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    loss_result r = loss_take((size_t)n * w, vocabulary);
    const sb_tensor logits = device_tensor(&d, n, 1, vocabulary, 1, w, z);
    sb_tensor dz = device_tensor(&d, n, 1, vocabulary, 1, w, NULL);
    const uint8_t *on_device = device_take(&d, (size_t)n * (size_t)(w + 1), tokens);
    double *loss = device_take(&d, r.n * sizeof *loss, NULL), *entropy = device_take(&d, r.n * sizeof *loss, NULL);
    double *total = device_take(&d, sizeof r.total, NULL);
    uint8_t *predicted = device_take(&d, r.n, NULL);
    IN_TEAM
    {
        ops->token_loss_forward(ops, &logits, on_device, smoothing, loss, entropy, predicted, total);
        ops->token_loss_backward(ops, &logits, on_device, smoothing, 0.125, &dz);
    }
    ops->to_host(ops, r.loss, loss, r.n * sizeof *loss);
    ops->to_host(ops, r.entropy, entropy, r.n * sizeof *loss);
    ops->to_host(ops, r.total, total, sizeof r.total);
    ops->to_host(ops, r.predicted, predicted, r.n);
    device_planes(&d, &dz, r.dz);
    device_close(&d);
    return r;
}

static loss_result loss_plain(int n, int w, int vocabulary, const sb_real *z, const uint8_t *tokens, double smoothing)
{
    loss_result r = loss_take((size_t)n * w, vocabulary);
    for (int i = 0; i < n * w; i++) {
        const size_t first = (size_t)(i / w) * vocabulary * w + i % w;
        const int target = tokens[i / w * (w + 1) + i % w + 1];
        const sb_softmax s = sb_softmax_of(z + first, w, vocabulary);
        r.loss[i] = sb_softmax_loss(&s, z + first, w, vocabulary, target, smoothing, &r.entropy[i]);
        r.predicted[i] = (uint8_t)s.predicted;
        for (int k = 0; k < vocabulary; k++) {
            const size_t at = first + (size_t)k * w;
            r.dz[at] = sb_softmax_gradient(&s, z[at], vocabulary, k, target, smoothing, 0.125);
        }
        r.total[0] += r.loss[i], r.total[1] += r.entropy[i];
        r.total[2] += r.loss[i] == r.loss[i] && r.predicted[i] == target;
    }
    r.total[0] /= w, r.total[1] /= w;
    return r;
}

static void loss_case(const subject *on, int n, int w, int vocabulary, const sb_real *z, double smoothing)
{
    uint8_t *tokens = drawn_tokens(n, w, vocabulary);
    loss_result wanted = loss_plain(n, w, vocabulary, z, tokens, smoothing);
    for (int threads = 1; threads <= 3; threads += 2) {
        loss_result got = loss_run(on, threads, n, w, vocabulary, z, tokens, smoothing);
        assert_memory_equal(got.loss, wanted.loss, got.n * sizeof *got.loss);
        assert_memory_equal(got.entropy, wanted.entropy, got.n * sizeof *got.entropy);
        assert_memory_equal(got.total, wanted.total, sizeof got.total);
        assert_memory_equal(got.predicted, wanted.predicted, got.n);
        expect_same_bits("gradient of the logits", got.n * (size_t)vocabulary, got.dz, wanted.dz);
        loss_drop(&got);
    }
    loss_drop(&wanted);
    free(tokens);
}

/* Equal logits: the loss is log 4 at each position, and the sum over two windows twice that. */
static void loss_by_eye(void **state)
{
    static const sb_real z[2 * 4 * 3] = {0};
    static const uint8_t tokens[] = {3, 0, 1, 0, 2, 2, 2, 0};
    loss_result got = loss_run(*state, 2, 2, 3, 4, z, tokens, 0);
    const double log4 = 1.3862943611198906;
    for (int i = 0; i < 6; i++) assert_true(fabs(got.loss[i] - log4) < 1e-15);
    assert_true(fabs(got.total[0] - 2 * log4) < 1e-15 && got.total[2] == 3);
    expect_equal("gradient of the logit of a target", 1, got.dz, &(sb_real){(0.25 - 1) * 0.125});
    expect_equal("gradient of another logit", 1, got.dz + 1, &(sb_real){0.25 * 0.125});
    loss_drop(&got);
}

static void losses(void **state)
{
    subject_or_skip(*state);
    for (fill kind = 0; kind < fills_tried; kind++) {
        sb_real *z = filled((size_t)3 * 256 * 5, kind, 5);
        loss_case(*state, 3, 5, 11, z, 0);
        loss_case(*state, 3, 5, 256, z, 0.25);
        loss_case(*state, 1, 1, 2, z, 0);
        free(z);
    }
}

/* In a vocabulary of 256 the token 255 has the number of SB_NO_CLASS, and a NaN still predicts nothing. */
static void a_nan_is_never_right(void **state)
{
    sb_real z[256];
    static const uint8_t tokens[] = {0, 255};
    for (int k = 0; k < 256; k++) z[k] = (sb_real)NAN;
    loss_result got = loss_run(*state, 1, 1, 1, 256, z, tokens, 0);
    assert_true(got.total[2] == 0 && isnan(got.total[0]));
    loss_drop(&got);
}

/* ---- attention ---- */

/* x [n][3 width][1][w], dy [n][width][1][w] */
typedef struct attention_trial {
    int n, w, heads, depth;
    const sb_real *x, *dy;
} attention_trial;

typedef struct attention_result {
    sb_real *y, *dx;
} attention_result;

static size_t attention_size(const attention_trial *t)
{
    return (size_t)t->n * t->heads * t->depth * t->w;
}

static attention_result attention_take(const attention_trial *t)
{
    return (attention_result){host_take(attention_size(t)), host_take(3 * attention_size(t))};
}

static void attention_drop(attention_result *r)
{
    free(r->y), free(r->dx);
}

static attention_result attention_run(const subject *on, int threads, const attention_trial *t)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    const int width = t->heads * t->depth;
    sb_attention a = {.heads = t->heads, .width = width};
    a.statistics = device_take(&d, sb_attention_size(&a, t->n, t->w), NULL);
    a.scratch = device_take(&d, ops->attention_scratch_size(ops, &a, t->w), NULL);
    const sb_tensor x = device_tensor(&d, t->n, 1, 3 * width, 1, t->w, t->x);
    const sb_tensor dy = device_tensor(&d, t->n, 1, width, 1, t->w, t->dy);
    sb_tensor y = device_tensor(&d, t->n, 1, width, 1, t->w, NULL);
    sb_tensor dx = device_tensor(&d, t->n, 1, 3 * width, 1, t->w, NULL);
    IN_TEAM
    {
        ops->attention_forward(ops, &a, &x, &y);
        ops->attention_backward(ops, &a, &x, &y, &dy, &dx);
    }
    const attention_result r = attention_take(t);
    device_planes(&d, &y, r.y);
    device_planes(&d, &dx, r.dx);
    device_close(&d);
    return r;
}

/* A plane for each channel of a head. */
typedef struct planes {
    const sb_real *q, *k, *v, *dy;
    sb_real *y, *dq, *dk, *dv;
} planes;

static sb_real chain(const attention_trial *t, const sb_real *a, int i, const sb_real *b, int j)
{
    sb_real sum = 0;
    for (int c = 0; c < t->depth; c++) sum = SB_FMA(a[c * t->w + i], b[c * t->w + j], sum);
    return sum;
}

/* p and s of query i for the keys j <= i. */
static void plain_row(const attention_trial *t, const planes *h, int i, sb_real *p, sb_real *s)
{
    const sb_real factor = sb_attention_factor(t->depth);
    sb_real largest = -INFINITY, sums[SB_ORDER_LANES] = {0}, products[SB_ORDER_LANES] = {0};
    for (int j = 0; j <= i; j++) {
        p[j] = chain(t, h->q, i, h->k, j);
        if (factor * p[j] > largest) largest = factor * p[j];
    }
    for (int j = 0; j <= i; j++) {
        p[j] = sb_attention_term(p[j], factor, largest);
        sums[j % SB_ORDER_LANES] += p[j];
    }
    const sb_real inverse = 1 / sb_attention_join(sums);
    for (int c = 0; c < t->depth; c++) {
        sb_real y = 0;
        for (int j = 0; j <= i; j++) y = SB_FMA(p[j], h->v[c * t->w + j], y);
        h->y[c * t->w + i] = inverse * (y + 0);
        sb_real *product = &products[c % SB_ORDER_LANES];
        *product = SB_FMA(h->dy[c * t->w + i], h->y[c * t->w + i], *product);
    }
    const sb_real mean = sb_attention_join(products);
    for (int j = 0; j <= i; j++) {
        p[j] *= inverse;
        s[j] = p[j] * (chain(t, h->dy, i, h->v, j) - mean);
    }
}

static void plain_head(const attention_trial *t, const planes *h)
{
    const sb_real factor = sb_attention_factor(t->depth);
    sb_real *p = host_take((size_t)t->w), *s = host_take((size_t)t->w);
    for (int i = 0; i < t->w; i++) {
        plain_row(t, h, i, p, s);
        for (int c = 0; c < t->depth; c++) {
            const int at = c * t->w;
            sb_real dq = 0;
            for (int j = 0; j <= i; j++) {
                dq = SB_FMA(s[j], h->k[at + j], dq);
                h->dk[at + j] = SB_FMA(s[j], h->q[at + i], h->dk[at + j]);
                h->dv[at + j] = SB_FMA(p[j], h->dy[at + i], h->dv[at + j]);
            }
            h->dq[at + i] = factor * (dq + 0);
        }
    }
    for (int k = 0; k < t->depth * t->w; k++) h->dk[k] = factor * (h->dk[k] + 0), h->dv[k] += 0;
    free(p), free(s);
}

static attention_result attention_plain(const attention_trial *t)
{
    const attention_result r = attention_take(t);
    const size_t part = (size_t)t->heads * t->depth * t->w;
    for (int number = 0; number < t->n * t->heads; number++) {
        const size_t sample = (size_t)(number / t->heads), head = (size_t)(number % t->heads) * t->depth * t->w;
        const sb_real *x = t->x + sample * 3 * part + head;
        sb_real *dx = r.dx + sample * 3 * part + head;
        const planes h = {x,  x + part,  x + 2 * part, t->dy + sample * part + head, r.y + sample * part + head,
                          dx, dx + part, dx + 2 * part};
        plain_head(t, &h);
    }
    return r;
}

/* All scores are 0, so that y is the mean of the values so far: 8, then (8 + 2) / 2. */
static void attention_by_eye(void **state)
{
    static const sb_real x[] = {0, 0, 5, -3, 8, 2}, dy[] = {1, 4};
    static const sb_real y[] = {8, 5}, dq_and_dv[] = {0, 48, 3, 2};
    attention_result got = attention_run(*state, 2, &(attention_trial){1, 2, 1, 1, x, dy});
    expect_equal("y", 2, got.y, y);
    expect_equal("gradient of the queries", 2, got.dx, dq_and_dv);
    expect_equal("gradient of the values", 2, got.dx + 4, dq_and_dv + 2);
    attention_drop(&got);
}

static void attention_case(const subject *on, int n, int w, int heads, int depth, fill kind)
{
    char where[200];
    attention_trial t = {.n = n, .w = w, .heads = heads, .depth = depth};
    sb_real *x = filled(3 * attention_size(&t), kind, 6), *dy = filled(attention_size(&t), kind, 7);
    t.x = x, t.dy = dy;
    attention_result wanted = attention_plain(&t);
    for (int threads = 1; threads <= 7; threads += threads == 3 ? 4 : 1) {
        attention_result got = attention_run(on, threads, &t);
        snprintf(where, sizeof where, "attention %d x %d, %d heads of %d, %s %s, %d threads, fill %s", n, w, heads,
                 depth, on->backend, on->isa, threads, fill_names[kind]);
        expect_same_bits(where, attention_size(&t), got.y, wanted.y);
        expect_same_bits(where, 3 * attention_size(&t), got.dx, wanted.dx);
        attention_drop(&got);
    }
    attention_drop(&wanted);
    free(x), free(dy);
}

/* Blocks of queries and tiles have a part at the end; lanes of channels are not all used. */
static void attentions(void **state)
{
    static const int cases[][4] = {{1, 1, 1, 1},    {3, 7, 3, 5},   {1, 70, 2, 32},
                                   {2, 130, 1, 20}, {1, 61, 2, 33}, {1, 64, 1, 70}};
    subject_or_skip(*state);
    for (fill kind = 0; kind < fills_tried; kind++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            attention_case(*state, cases[i][0], cases[i][1], cases[i][2], cases[i][3], kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedding_by_eye), cmocka_unit_test(embeddings),           cmocka_unit_test(loss_by_eye),
        cmocka_unit_test(losses),           cmocka_unit_test(a_nan_is_never_right), cmocka_unit_test(attention_by_eye),
        cmocka_unit_test(attentions),
    };
    return run_on_subjects("text", tests, sizeof tests / sizeof *tests);
}
