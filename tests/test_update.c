/* The rules of the optimizers and the norm of the gradient: every rule on every backend against its element on the
 * host, bit for bit; of Adam a case by eye, the flush of tiny moments and the rates. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

#include "train/optimizer.h"

static sb_settings settings;

/* Host memory of n elements: weights, gradient, states. */
typedef struct subject_block {
    size_t n;
    sb_real *w, *g, *state[SB_STATES_MAX_OF_OPTIMIZER];
    bool divides;                                              /* the gradient by the divisor */
    double norm[3];                                            /* of layer-wise rules */
    double product[SB_PRODUCTS_lbfgs + SB_COEFFICIENTS_lbfgs]; /* of the quasi-Newton one */
} subject_block;

/* By which all rules but the quasi-Newton one divide the gradient first. */
static const sb_real divisor = (sb_real)1.75;

static subject_block block_take(size_t n, int n_states, fill kind, uint64_t seed)
{
    subject_block s = {.n = n, .w = host_take(n), .g = host_take(n)};
    fill_block(s.w, n, kind, seed, 0), fill_block(s.g, n, kind, seed, 1);
    for (int k = 0; k < n_states; k++) {
        s.state[k] = host_take(n);
        fill_block(s.state[k], n, kind, seed, 2 + (uint32_t)k);
        for (size_t i = 0; k == 1 && i < n; i++) s.state[k][i] = s.state[k][i] < 0 ? -s.state[k][i] : s.state[k][i];
    }
    return s;
}

static void block_free(subject_block *s)
{
    free(s->w), free(s->g);
    for (int k = 0; k < SB_STATES_MAX_OF_OPTIMIZER; k++) free(s->state[k]);
}

/* One step on a backend, in place. */
static void step(device *d, sb_optimizer_id id, subject_block *s, const sb_tensor_rates *rates)
{
    sb_ops *ops = d->ops;
    size_t n_bytes = s->n * sizeof(sb_real);
    sb_block block = {.n = s->n, .weight = device_take(d, n_bytes, s->w), .grad = device_take(d, n_bytes, s->g)};
    for (int k = 0; k < sb_optimizers[id].n_states; k++) block.state[k] = device_take(d, n_bytes, s->state[k]);
    if (sb_optimizers[id].kind == SB_LAYERWISE) {
        block.norm = device_take(d, 3 * sizeof(double), NULL), block.rate = device_take(d, sizeof(sb_real), NULL);
        block.partial = device_take(d, sb_block_partials(s->n) * sizeof(double), NULL);
    }
    if (s->divides) block.divisor = device_take(d, sizeof(sb_real), &divisor);
    if (sb_optimizers[id].kind == SB_QUASI_NEWTON) {
        block.product = device_take(d, sizeof s->product, NULL);
        block.coefficient = block.product + SB_PRODUCTS_lbfgs;
        block.partial = device_take(d, sb_block_parts(s->n) * SB_PRODUCTS_lbfgs * sizeof(double), NULL);
    }
    IN_TEAM
    switch (id) {
#define CASE(A, name, text, title, states, kind, ...)                                                                  \
    case SB_OPTIMIZER_##name:                                                                                          \
        BEFORE_##kind(name) ops->name(ops, &block, &rates->name);                                                      \
        break;
#define BEFORE_ELEMENTWISE(name)
#define BEFORE_LAYERWISE(name)                                                                                         \
    ops->name##_norms(ops, &block, &rates->name);                                                                      \
    ops->trust(ops, &block, &rates->trust);
#define BEFORE_QUASI_NEWTON(name)                                                                                      \
    ops->name##_pair(ops, &block, &rates->name);                                                                       \
    ops->name##_products(ops, &block);                                                                                 \
    ops->name##_coefficients(ops, &block, &rates->name);
        SB_OPTIMIZERS(CASE, SB_NO_STATE, )
    case SB_N_OPTIMIZERS:
        break;
    }
    if (block.norm) ops->to_host(ops, s->norm, block.norm, sizeof s->norm);
    if (block.product) ops->to_host(ops, s->product, block.product, sizeof s->product);
    ops->to_host(ops, s->w, block.weight, n_bytes);
    for (int k = 0; k < sb_optimizers[id].n_states; k++) ops->to_host(ops, s->state[k], block.state[k], n_bytes);
}

/* With the defaults of Adam. */
static sb_adam_rates rates_of_adam(long update)
{
    sb_settings_default(&settings);
    settings.optimizer = "adam";
    const sb_settings resolved = sb_settings_resolved(&settings);
    return sb_adam_rates_of(&resolved, 1e-3, update);
}

static void step_of_adam(const subject *on, int threads, size_t n, sb_real *w, sb_real *g, sb_real *m, sb_real *v)
{
    subject_block s = {.n = n, .w = w, .g = g, .state = {m, v}};
    const sb_tensor_rates rates = {.adam = rates_of_adam(1)};
    device d = device_open(on, threads);
    step(&d, SB_OPTIMIZER_adam, &s, &rates);
    device_close(&d);
}

/* The products of a backend in an order of its own: each within any order of its sum, and the step that the host makes
 * of them. */
static void step_from_products(const subject_block *got, const sb_block *block, const sb_tensor_rates *rates)
{
    for (size_t i = 0; i < block->n; i++) sb_lbfgs_pair_at(block, &rates->lbfgs, (long)i);
    for (int k = 0; k < SB_PRODUCTS_lbfgs; k++) {
        const sb_lbfgs_factors of = sb_lbfgs_factors_of(k);
        double sum = 0, sizes = 0;
        for (size_t i = 0; i < block->n; i++) {
            const double term = (double)block->state[of.a][i] * (double)block->state[of.b][i];
            sum += term, sizes += fabs(term);
        }
        const double bound = (double)block->n * (SB_REAL_EPSILON * sizes + FLT_MIN);
        if (!(fabs(got->product[k] - sum) <= bound) && isfinite(sum) && sizes < FLT_MAX)
            fail_msg("product of states %d and %d, %zu elements: %a, wanted %a, within %a", of.a, of.b, block->n,
                     got->product[k], sum, bound);
    }
    memcpy(block->product, got->product, SB_PRODUCTS_lbfgs * sizeof *block->product);
    sb_lbfgs_coefficients_of(block->product, &rates->lbfgs, block->coefficient);
    for (size_t i = 0; i < block->n; i++) sb_lbfgs_at(block, &rates->lbfgs, (long)i, block->grad[i]);
}

static void compare(device *d, sb_optimizer_id id, size_t n, fill kind, long update)
{
    settings.optimizer = sb_optimizers[id].name;
    const sb_optimizer host = {.id = id, .row = &sb_optimizers[id], .settings = sb_settings_resolved(&settings)};
    const sb_rates all = sb_optimizer_rates(&host, 1e-3, update);
    const sb_tensor_rates *rates = &all.of[update % 2 ? SB_PARAM_WEIGHT : SB_PARAM_BIAS];
    const int n_states = host.row->n_states;
    subject_block got = block_take(n, n_states, kind, 700 + n), wanted = block_take(n, n_states, kind, 700 + n);
    sb_real rate;
    sb_block block = {.n = n,
                      .weight = wanted.w,
                      .grad = wanted.g,
                      .norm = wanted.norm,
                      .rate = &rate,
                      .divisor = &divisor,
                      .product = wanted.product,
                      .coefficient = wanted.product + SB_PRODUCTS_lbfgs};
    for (int k = 0; k < n_states; k++) block.state[k] = wanted.state[k];
    got.divides = host.row->kind != SB_QUASI_NEWTON;
    step(d, id, &got, rates);
    if (host.row->kind == SB_QUASI_NEWTON && d->subject->slack == 1)
        step_from_products(&got, &block, rates);
    else
        sb_optimizer_update_host(&host, rates, &block);
    char where[120];
    snprintf(where, sizeof where, "%s, %zu elements, fill %s, seed %zu", host.row->name, n, fill_names[kind], 700 + n);
    expect_same_bits(where, n, got.w, wanted.w);
    for (int k = 0; k < n_states; k++) expect_same_bits(where, n, got.state[k], wanted.state[k]);
    if (memcmp(got.norm, wanted.norm, sizeof got.norm) != 0)
        fail_msg("%s: norms %a and %a, ratio %a; wanted %a, %a, %a", where, got.norm[0], got.norm[1], got.norm[2],
                 wanted.norm[0], wanted.norm[1], wanted.norm[2]);
    if (memcmp(got.product, wanted.product, sizeof got.product) != 0) fail_msg("%s: other products", where);
    block_free(&got), block_free(&wanted);
}

static void every_rule_is_the_hosts(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 1000, 4099};
    for (sb_optimizer_id id = 0; id < SB_N_OPTIMIZERS; id++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int threads = 1; threads <= 3; threads += 2) {
                device d = device_open(*state, threads);
                for (fill kind = 0; kind < fills_tried; kind++) compare(&d, id, sizes[k], kind, (long)k + 1);
                device_close(&d);
            }
}

/* The first step from zero moments moves each weight by alpha against the gradient's sign, whatever its size; without a
 * gradient nothing moves. */
static void by_eye(void **state)
{
    sb_real p[4] = {1, 1, 1, 1}, g[4] = {1, -1, 0.01f, 0}, m[4] = {0}, v[4] = {0};
    step_of_adam(*state, 1, 4, p, g, m, v);
    const sb_real moved[4] = {0.999f, 1.001f, 0.999f, 1}, m_wanted[4] = {0.1f, -0.1f, 0.001f, 0};
    const sb_real v_wanted[4] = {0.001f, 0.001f, 1e-7f, 0};
    /* eps, added to sqrt(v) = 0.0316 |g|, shortens the third step by 3e-5 of itself */
    const double p_bound[4] = {2 * FLT_EPSILON, 2 * FLT_EPSILON, 4e-8 + 2 * FLT_EPSILON, 0};
    const double m_bound[4] = {FLT_EPSILON, FLT_EPSILON, FLT_EPSILON, 0};
    const double v_bound[4] = {FLT_EPSILON, FLT_EPSILON, FLT_EPSILON, 0};
    expect_within("weight", 4, p, moved, p_bound);
    expect_within("m", 4, m, m_wanted, m_bound);
    expect_within("v", 4, v, v_wanted, v_bound);
}

/* Moments below the smallest normal number are zero, and only those. */
static void tiny_moments_are_flushed(void **state)
{
    sb_real least = (sb_real)0x1p-126;
    sb_real p[4] = {1, 1, 1, 1}, g[4] = {0}, v[4] = {0x1p-127f, 0x1p-126f, 0x1p-125f, 1};
    sb_real m[4] = {0x1p-126f, -0x1p-126f, 0x1p-125f, -0x1p-125f};
    step_of_adam(*state, 2, 4, p, g, m, v);
    assert_true(m[0] == 0 && m[1] == 0); /* 0.9 * 2^-126 */
    assert_true(m[2] > least && m[3] < -least);
    assert_true(v[0] == 0 && v[1] == 0 && v[2] > least && v[3] < 1 && v[3] > (sb_real)0.99);
}

/* In blocks: chains in double by the element's number modulo the lanes, joined by halves. */
static double want_norm2(size_t n, const sb_real *g)
{
    double total = 0;
    for (size_t first = 0; first < n; first += SB_ORDER_BLOCK) {
        double lane[SB_ORDER_LANES] = {0};
        for (size_t i = first; i < n && i < first + SB_ORDER_BLOCK; i++)
            lane[i % SB_ORDER_LANES] = fma(g[i], g[i], lane[i % SB_ORDER_LANES]);
        for (int half = SB_ORDER_LANES / 2; half > 0; half /= 2)
            for (int l = 0; l < half; l++) lane[l] += lane[l + half];
        total += lane[0];
    }
    return total;
}

static void norm(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 4096, 4097, 12300, 1030 * 4096 + 1}; /* more blocks than SB_PARTS */
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (fill kind = 0; kind < (sizes[k] > 100000 ? 1 : fills_tried); kind++) {
            device d = device_open(*state, 3);
            sb_ops *ops = d.ops;
            size_t n = sizes[k];
            sb_real *g = host_take(n);
            fill_block(g, n, kind, 800 + k, 0);
            double wanted = want_norm2(n, g), got, *norm2 = device_take(&d, sizeof *norm2, NULL);
            const sb_real *on_device = device_take(&d, n * sizeof *g, g);
            IN_TEAM
            ops->norm2(ops, n, on_device, norm2);
            ops->to_host(ops, &got, norm2, sizeof got);
            if (got != wanted)
                fail_msg("norm, %zu elements, fill %s, seed %zu: %a, wanted %a", n, fill_names[kind], 800 + k, got,
                         wanted);
            free(g);
            device_close(&d);
        }
}

/* One rounding on every backend, also in place: y = fma(scale, noise, x), the scale rounded first. */
static void mutation(void **state)
{
    const size_t sizes[] = {1, 15, 4097};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (fill kind = 0; kind < fills_tried; kind++) {
            device d = device_open(*state, (int)k + 1);
            sb_ops *ops = d.ops;
            const size_t n = sizes[k], n_bytes = n * sizeof(sb_real);
            const double scale = 0.002;
            sb_real *noise = host_take(n), *x = host_take(n), *got = host_take(n), *in_place = host_take(n);
            fill_block(noise, n, kind, 900 + k, 0), fill_block(x, n, kind, 900 + k, 1);
            const sb_real *on_device = device_take(&d, n_bytes, noise);
            sb_real *from = device_take(&d, n_bytes, x), *to = device_take(&d, n_bytes, NULL);
            IN_TEAM
            {
                ops->mutate(ops, n, scale, on_device, from, to);
                ops->mutate(ops, n, scale, on_device, from, from);
            }
            ops->to_host(ops, got, to, n_bytes);
            ops->to_host(ops, in_place, from, n_bytes);
            for (size_t i = 0; i < n; i++) {
                const sb_real wanted = SB_FUSED((sb_real)scale, noise[i], x[i]);
                if (got[i] != wanted || in_place[i] != wanted)
                    fail_msg("element %zu of %zu, fill %s, seed %zu: %a and %a, wanted %a", i, n, fill_names[kind],
                             900 + k, (double)got[i], (double)in_place[i], (double)wanted);
            }
            free(noise), free(x), free(got), free(in_place);
            device_close(&d);
        }
}

/* alpha sqrt(1 - beta2^t) / (1 - beta1^t), to one rounding of the number type and those of the powers */
static void rates_agree_with_the_formula(void **unused)
{
    (void)unused;
    for (long t = 1; t <= 1000000; t = t < 300 ? t + 1 : 3 * t) {
        sb_adam_rates rates = rates_of_adam(t);
        long double wanted = 1e-3L * sqrtl(1 - powl(0.999L, t)) / (1 - powl(0.9L, t));
        if (fabsl(rates.step - wanted) > SB_REAL_EPSILON * wanted)
            fail_msg("update %ld: step %a, wanted %La", t, (double)rates.step, wanted);
    }
    sb_adam_rates rates = rates_of_adam(5);
    assert_true(rates.one_minus_1 == (sb_real)(1 - 0.9) && rates.one_minus_2 == (sb_real)(1 - 0.999));
    assert_true(rates.epsilon == (sb_real)1e-8);
}

int main(void)
{
    sb_settings_default(&settings);
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_eye), cmocka_unit_test(every_rule_is_the_hosts),
                                       cmocka_unit_test(tiny_moments_are_flushed), cmocka_unit_test(norm),
                                       cmocka_unit_test(mutation)};
    const struct CMUnitTest once[] = {cmocka_unit_test(rates_agree_with_the_formula)};
    int failed = run_on_subjects("update", tests, sizeof tests / sizeof *tests);
    return failed + cmocka_run_group_tests_name("adam's rates", once, NULL, NULL);
}
