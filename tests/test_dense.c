/* Dense layers: by eye; each backend against the written order of ops/order.h, to the bit where it promises that, else
 * to the rounding of its sums; and the identity that ties the forward pass and both gradients together. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

typedef struct form {
    int batch, in, out;
    bool is_plain; /* without biases: here they are zeros */
} form;
static const form forms[] = {
    {1, 1, 1},      {1, 16, 5},   {3, 17, 64},       {1, 784, 64},    {4, 50, 37},
    {7, 100, 31},   {2, 64, 784}, {5, 33, 10, true}, {300, 150, 110}, /* more of each than native takes at once */
    {100, 200, 64},                                                   /* strips of which threads get equally many */
};

/* A layer's numbers on the host: x [batch][in], y and dy [batch][out], and what is computed from them. */
typedef struct layer {
    const form *s;
    fill kind;
    size_t n_w, n_x, n_y;
    sb_real *w, *b, *x, *dy;
    sb_real *y, *dx, *dw, *db;
    double *size_y, *size_dx, *size_dw, *size_db; /* sums of the sizes of the products */
} layer;

static sb_real *filled(size_t n, fill kind, uint64_t seed, uint32_t stream)
{
    sb_real *x = host_take(n);
    fill_block(x, n, kind, seed, stream);
    return x;
}

static double *sizes_take(size_t n)
{
    double *x = calloc(n, sizeof *x);
    assert_non_null(x);
    return x;
}

static layer layer_take(const form *s, fill kind, uint64_t seed)
{
    layer l = {s, kind, (size_t)s->in * s->out, (size_t)s->batch * s->in, (size_t)s->batch * s->out};
    size_t n_b = (size_t)s->out;
    l.w = filled(l.n_w, kind, seed, 0), l.b = filled(n_b, kind, seed, 1);
    if (s->is_plain) memset(l.b, 0, n_b * sizeof *l.b);
    l.x = filled(l.n_x, kind, seed, 2), l.dy = filled(l.n_y, kind, seed, 3);
    l.y = host_take(l.n_y), l.dx = host_take(l.n_x), l.dw = host_take(l.n_w), l.db = host_take(n_b);
    l.size_y = sizes_take(l.n_y), l.size_dx = sizes_take(l.n_x), l.size_dw = sizes_take(l.n_w);
    l.size_db = sizes_take(n_b);
    return l;
}

static void layer_free(layer *l)
{
    free(l->w), free(l->b), free(l->x), free(l->dy), free(l->y), free(l->dx), free(l->dw), free(l->db);
    free(l->size_y), free(l->size_dx), free(l->size_dw), free(l->size_db);
}

/* ---- the written order ---- */

static void want_forward(layer *l)
{
    const form *s = l->s;
    for (int b = 0; b < s->batch; b++)
        for (int o = 0; o < s->out; o++) {
            sb_real sum = 0;
            double size = fabs((double)l->b[o]);
            for (int i = 0; i < s->in; i++) {
                sb_real w = l->w[(size_t)o * s->in + i], x = l->x[(size_t)b * s->in + i];
                sum = SB_FMA(w, x, sum);
                size += fabs((double)w * (double)x);
            }
            l->y[(size_t)b * s->out + o] = sum + l->b[o];
            l->size_y[(size_t)b * s->out + o] = size;
        }
}

static void want_gradients(layer *l)
{
    const form *s = l->s;
    for (int b = 0; b < s->batch; b++)
        for (int o = 0; o < s->out; o++) {
            sb_real d = l->dy[(size_t)b * s->out + o];
            if (!s->is_plain) l->db[o] += d, l->size_db[o] += fabs((double)d);
            for (int i = 0; i < s->in; i++) {
                size_t at_w = (size_t)o * s->in + i, at_x = (size_t)b * s->in + i;
                l->dx[at_x] = SB_FMA(l->w[at_w], d, l->dx[at_x]);
                l->dw[at_w] = SB_FMA(d, l->x[at_x], l->dw[at_w]);
                l->size_dx[at_x] += fabs((double)l->w[at_w] * (double)d);
                l->size_dw[at_w] += fabs((double)l->x[at_x] * (double)d);
            }
        }
}

/* ---- on a backend ---- */

typedef struct results {
    sb_real *y, *rectified, *dx, *dw, *db;
} results;

/* Samples of one pixel, their numbers as channels: in every backend's layout as they are here. */
static sb_tensor take_samples(device *d, int n, int c, const sb_real *x)
{
    return (sb_tensor){n, 1, c, 1, 1, device_take(d, (size_t)n * c * sizeof *x, x)};
}

static results results_of(const subject *on, int threads, const layer *l)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    size_t n_b = (size_t)l->s->out, width = sizeof(sb_real);
    sb_dense dense = {.in = l->s->in, .out = l->s->out};
    dense.scratch = device_take(&d, ops->dense_scratch_size(&dense, l->s->batch), NULL);
    dense.weight = device_take(&d, l->n_w * width, l->w);
    dense.weight_grad = device_take(&d, l->n_w * width, l->w); /* to be overwritten */
    if (!l->s->is_plain) {
        dense.bias = device_take(&d, n_b * width, l->b);
        dense.bias_grad = device_take(&d, n_b * width, l->b);
    }
    sb_tensor x = take_samples(&d, l->s->batch, l->s->in, l->x), dy = take_samples(&d, l->s->batch, l->s->out, l->dy);
    sb_tensor y = take_samples(&d, l->s->batch, l->s->out, l->dy); /* to be overwritten, and the next two */
    sb_tensor rectified = take_samples(&d, l->s->batch, l->s->out, l->dy);
    sb_tensor dx = take_samples(&d, l->s->batch, l->s->in, l->x);
    IN_TEAM
    {
        ops->dense_forward(ops, &dense, &x, &y, false);
        ops->dense_forward(ops, &dense, &x, &rectified, true);
        ops->dense_data_gradient(ops, &dense, &dy, &dx);
        ops->dense_weight_gradient(ops, &dense, &x, &dy);
    }
    results r = {host_take(l->n_y), host_take(l->n_y), host_take(l->n_x), host_take(l->n_w), host_take(n_b)};
    ops->to_host(ops, r.y, y.x, l->n_y * width);
    ops->to_host(ops, r.rectified, rectified.x, l->n_y * width);
    ops->to_host(ops, r.dx, dx.x, l->n_x * width);
    ops->to_host(ops, r.dw, dense.weight_grad, l->n_w * width);
    if (!l->s->is_plain) ops->to_host(ops, r.db, dense.bias_grad, n_b * width);
    device_close(&d);
    return r;
}

static void results_free(results *r)
{
    free(r->y), free(r->rectified), free(r->dx), free(r->dw), free(r->db);
}

static void judge(const char *where, const char *what, const subject *s, fill kind, size_t n, const sb_real *got,
                  const sb_real *wanted, const double *size, int terms)
{
    char text[200];
    snprintf(text, sizeof text, "%s: %s", where, what);
    if (s->slack == 0 || strcmp(s->backend, "native") == 0) {
        expect_same_bits(text, n, got, wanted);
        return;
    }
    if (kind == FILL_POWERS) {
        expect_equal(text, n, got, wanted);
        return;
    }
    double *bound = sizes_take(n);
    for (size_t i = 0; i < n; i++) bound[i] = terms * (SB_REAL_EPSILON * size[i] + (double)FLT_TRUE_MIN);
    expect_within(text, n, got, wanted, bound);
    free(bound);
}

/* Formed for the first backend; the others are held against the same numbers. */
static const layer *answer_of(int i, fill kind)
{
    static layer answers[sizeof forms / sizeof *forms][FILLS];
    layer *l = &answers[i][kind];
    if (l->s) return l;
    *l = layer_take(&forms[i], kind, 600 + (uint64_t)i);
    want_forward(l);
    want_gradients(l);
    return l;
}

static void trial(const subject *on, int threads, int i, fill kind)
{
    const form *s = &forms[i];
    const layer *l = answer_of(i, kind);
    char where[160];
    snprintf(where, sizeof where, "dense, %s %s, %d threads, batch %d, %d to %d, fill %s", on->backend, on->isa, threads,
             s->batch, s->in, s->out, fill_names[kind]);
    results r = results_of(on, threads, l);
    judge(where, "y", on, kind, l->n_y, r.y, l->y, l->size_y, s->in + 1);
    for (size_t k = 0; k < l->n_y; k++) r.y[k] = sb_relu(r.y[k]);
    expect_equal(where, l->n_y, r.rectified, r.y);
    judge(where, "dx", on, kind, l->n_x, r.dx, l->dx, l->size_dx, s->out);
    judge(where, "dw", on, kind, l->n_w, r.dw, l->dw, l->size_dw, s->batch);
    judge(where, "db", on, kind, (size_t)s->out, r.db, l->db, l->size_db, s->batch);
    results_free(&r);
}

static void forward_and_gradients(void **state)
{
    device d = device_open(*state, 1); /* skips here, before anything is taken */
    device_close(&d);
    for (int i = 0; i < (int)(sizeof forms / sizeof *forms); i++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2) trial(*state, threads, i, kind);
}

/* ---- one sample: gradient and Adam in one pass ---- */

static void expect_block(device *d, const char *what, size_t n, const sb_real *got, const sb_real *wanted)
{
    sb_real *host_got = host_take(n), *host_wanted = host_take(n);
    d->ops->to_host(d->ops, host_got, got, n * sizeof *got);
    d->ops->to_host(d->ops, host_wanted, wanted, n * sizeof *got);
    expect_same_bits(what, n, host_got, host_wanted);
    free(host_got), free(host_wanted);
}

/* A layer on the device with moments as training has them; its weights and biases as blocks. */
static sb_dense take_dense(device *d, const layer *l, const sb_real *m, const sb_real *v, sb_block *weight,
                           sb_block *bias)
{
    size_t n_w = l->n_w * sizeof(sb_real), n_b = (size_t)l->s->out * sizeof(sb_real);
    sb_dense dense = {.in = l->s->in, .out = l->s->out};
    dense.scratch = device_take(d, d->ops->dense_scratch_size(&dense, 1), NULL);
    dense.weight = device_take(d, n_w, l->w), dense.bias = device_take(d, n_b, l->b);
    dense.weight_grad = device_take(d, n_w, NULL), dense.bias_grad = device_take(d, n_b, NULL);
    *weight = (sb_block){l->n_w, dense.weight, dense.weight_grad, {device_take(d, n_w, m), device_take(d, n_w, v)}};
    *bias =
        (sb_block){(size_t)l->s->out, dense.bias, dense.bias_grad, {device_take(d, n_b, m), device_take(d, n_b, v)}};
    return dense;
}

static void one_pass_gives_the_bits_of_two(void **state)
{
    device probe = device_open(*state, 1); /* skips here, before anything is taken */
    device_close(&probe);
    const sb_adam_rates rates = {(sb_real)1e-3, (sb_real)0.1, (sb_real)1e-3, (sb_real)1e-8};
    for (fill kind = 0; kind < fills_tried; kind++) {
        static const form s = {1, 100, 37};
        layer l = layer_take(&s, kind, 650);
        sb_real *m = filled(l.n_w, kind, 651, 0), *v = filled(l.n_w, kind, 651, 1);
        for (size_t i = 0; i < l.n_w; i++) v[i] = v[i] < 0 ? -v[i] : v[i];
        device d = device_open(*state, 3);
        sb_ops *ops = d.ops;
        sb_block weight_a, weight_b, bias_a, bias_b;
        sb_dense a = take_dense(&d, &l, m, v, &weight_a, &bias_a), b = take_dense(&d, &l, m, v, &weight_b, &bias_b);
        sb_real *x = device_take(&d, l.n_x * sizeof *x, l.x), *dy = device_take(&d, l.n_y * sizeof *dy, l.dy);
        IN_TEAM
        {
            ops->dense_weight_gradient(ops, &a, &(sb_tensor){1, 1, s.in, 1, 1, x}, &(sb_tensor){1, 1, s.out, 1, 1, dy});
            ops->adam(ops, &weight_a, &rates);
            ops->adam(ops, &bias_a, &rates);
            ops->dense_learn_one(ops, &b, x, dy, &weight_b, &bias_b, &rates);
        }
        expect_block(&d, "weight", l.n_w, b.weight, a.weight);
        expect_block(&d, "m", l.n_w, weight_b.state[0], weight_a.state[0]);
        expect_block(&d, "v", l.n_w, weight_b.state[1], weight_a.state[1]);
        expect_block(&d, "bias", (size_t)s.out, b.bias, a.bias);
        expect_block(&d, "bias, m", (size_t)s.out, bias_b.state[0], bias_a.state[0]);
        expect_block(&d, "bias, v", (size_t)s.out, bias_b.state[1], bias_a.state[1]);
        free(m), free(v);
        layer_free(&l);
        device_close(&d);
    }
}

static double inner(size_t n, const sb_real *a, const sb_real *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)a[i] * (double)b[i];
    return sum;
}

/* <w x, dy> = <x, dx> = <w, dw>, the bias zero */
static void forward_and_gradients_are_adjoint(void **state)
{
    const subject *on = *state;
    device d = device_open(on, 1);
    device_close(&d);
    static const form s = {3, 100, 48};
    layer l = layer_take(&s, FILL_RANDOM, 7);
    memset(l.b, 0, s.out * sizeof *l.b);
    want_forward(&l);
    results r = results_of(on, 2, &l);
    double size = 0, product = inner(l.n_y, r.y, l.dy);
    for (size_t i = 0; i < l.n_y; i++) size += l.size_y[i] * fabs((double)l.dy[i]);
    double bound = SB_REAL_EPSILON * (s.in + s.out + s.batch) * size;
    double by_x = inner(l.n_x, l.x, r.dx), by_w = inner(l.n_w, l.w, r.dw);
    if (!(fabs(by_x - product) <= bound)) fail_msg("<x, dx> is %a, <y, dy> %a", by_x, product);
    if (!(fabs(by_w - product) <= bound)) fail_msg("<w, dw> is %a, <y, dy> %a", by_w, product);
    results_free(&r);
    layer_free(&l);
}

/* Two outputs of three inputs, two samples. */
static void by_eye(void **state)
{
    static const form s = {2, 3, 2};
    static sb_real w[6] = {1, 2, 3, -1, 0, 1}, b[2] = {10, -5}, x[6] = {1, 1, 1, 0, 2, 4}, dy[4] = {1, 0, 2, -1};
    static const sb_real y[4] = {16, -5, 26, -1}, rectified[4] = {16, 0, 26, 0}, dx[6] = {1, 2, 3, 3, 4, 5};
    static const sb_real dw[6] = {1, 5, 9, 0, -2, -4}, db[2] = {3, -1};
    const layer l = {&s, FILL_POWERS, 6, 6, 4, w, b, x, dy};
    results r = results_of(*state, 2, &l);
    expect_equal("y", 4, r.y, y);
    expect_equal("relu(y)", 4, r.rectified, rectified);
    expect_equal("dx", 6, r.dx, dx);
    expect_equal("dw", 6, r.dw, dw);
    expect_equal("db", 2, r.db, db);
    results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_eye), cmocka_unit_test(forward_and_gradients),
                                       cmocka_unit_test(forward_and_gradients_are_adjoint),
                                       cmocka_unit_test(one_pass_gives_the_bits_of_two)};
    return run_on_subjects("dense", tests, sizeof tests / sizeof *tests);
}
