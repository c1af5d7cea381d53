/* Adam and the norm of the gradient: by eye, every backend against the element of ops/order.h bit for bit, the flush of
 * tiny moments, the rates. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

#include "train/step.h"

static const sb_adam adam = SB_ADAM_DEFAULT;

typedef struct optimiser {
    sb_real *p, *g, *m, *v;
} optimiser;

static optimiser optimiser_take(size_t n, fill kind, uint64_t seed)
{
    optimiser s = {host_take(n), host_take(n), host_take(n), host_take(n)};
    fill_block(s.p, n, kind, seed, 0), fill_block(s.g, n, kind, seed, 1);
    fill_block(s.m, n, kind, seed, 2), fill_block(s.v, n, kind, seed, 3);
    for (size_t i = 0; i < n; i++) s.v[i] = s.v[i] < 0 ? -s.v[i] : s.v[i];
    return s;
}

static void state_free(optimiser *s)
{
    free(s->p), free(s->g), free(s->m), free(s->v);
}

/* One step on a backend, in place. */
static void step(const subject *on, int threads, size_t n, optimiser *s, const sb_adam_rates *rates)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    size_t n_bytes = n * sizeof(sb_real);
    sb_real *p = device_take(&d, n_bytes, s->p), *g = device_take(&d, n_bytes, s->g);
    sb_real *m = device_take(&d, n_bytes, s->m), *v = device_take(&d, n_bytes, s->v);
    IN_TEAM
    ops->adam(ops, n, p, g, m, v, rates);
    ops->to_host(ops, s->p, p, n_bytes);
    ops->to_host(ops, s->m, m, n_bytes);
    ops->to_host(ops, s->v, v, n_bytes);
    device_close(&d);
}

static void steps(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 1000, 4099};
    device d = device_open(*state, 1); /* skips here, before anything is taken */
    device_close(&d);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (fill kind = 0; kind < FILLS; kind++)
            for (int threads = 1; threads <= 3; threads += 2) {
                size_t n = sizes[k];
                optimiser got = optimiser_take(n, kind, 700 + k), wanted = optimiser_take(n, kind, 700 + k);
                const sb_adam_rates rates = sb_adam_rates_of(&adam, (long)k + 1);
                step(*state, threads, n, &got, &rates);
                for (size_t i = 0; i < n; i++)
                    sb_adam_element(&wanted.p[i], wanted.g[i], &wanted.m[i], &wanted.v[i], rates);
                char where[80];
                snprintf(where, sizeof where, "adam, %zu elements, fill %s, seed %zu", n, fill_names[kind], 700 + k);
                expect_same_bits(where, n, got.p, wanted.p);
                expect_same_bits(where, n, got.m, wanted.m);
                expect_same_bits(where, n, got.v, wanted.v);
                state_free(&got), state_free(&wanted);
            }
}

/* The first step from zero moments moves each weight by alpha against the gradient's sign, whatever its size; without a
 * gradient nothing moves. */
static void by_eye(void **state)
{
    sb_real p[4] = {1, 1, 1, 1}, g[4] = {1, -1, 0.01f, 0}, m[4] = {0}, v[4] = {0};
    optimiser s = {p, g, m, v};
    const sb_adam_rates rates = sb_adam_rates_of(&adam, 1);
    step(*state, 1, 4, &s, &rates);
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
    optimiser s = {p, g, m, v};
    const sb_adam_rates rates = sb_adam_rates_of(&adam, 1);
    step(*state, 2, 4, &s, &rates);
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
    static const size_t sizes[] = {1, 15, 16, 17, 4096, 4097, 12300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (fill kind = 0; kind < FILLS; kind++) {
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

/* alpha sqrt(1 - beta2^t) / (1 - beta1^t), to one rounding of the number type and those of the powers */
static void rates_agree_with_the_formula(void **unused)
{
    (void)unused;
    for (long t = 1; t <= 1000000; t = t < 300 ? t + 1 : 3 * t) {
        sb_adam_rates rates = sb_adam_rates_of(&adam, t);
        long double wanted = 1e-3L * sqrtl(1 - powl(0.999L, t)) / (1 - powl(0.9L, t));
        if (fabsl(rates.step - wanted) > SB_REAL_EPSILON * wanted)
            fail_msg("update %ld: step %a, wanted %La", t, (double)rates.step, wanted);
    }
    sb_adam_rates rates = sb_adam_rates_of(&adam, 5);
    assert_true(rates.one_minus_1 == (sb_real)(1 - 0.9) && rates.one_minus_2 == (sb_real)(1 - 0.999));
    assert_true(rates.epsilon == (sb_real)1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_eye), cmocka_unit_test(steps),
                                       cmocka_unit_test(tiny_moments_are_flushed), cmocka_unit_test(norm)};
    const struct CMUnitTest once[] = {cmocka_unit_test(rates_agree_with_the_formula)};
    int failed = run_on_subjects("adam", tests, sizeof tests / sizeof *tests);
    return failed + cmocka_run_group_tests_name("adam's rates", once, NULL, NULL);
}
