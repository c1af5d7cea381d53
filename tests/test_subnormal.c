/* Operations that meet subnormal numbers are counted, and the arithmetic winograd-flush has none: by eye. */
#include "backend/backend.h"
#include "expect.h"

#include <fenv.h>

enum { N = 3000, THREADS = 2 };

static sb_ops *open_native(const char *arithmetic, int threads)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = threads, .arithmetic = arithmetic};
    if (sb_backend_open(&ops, "native", &options) != SB_OK) fail_msg("%s", sb_message());
    return ops;
}

/* How often the sum of two numbers meets a subnormal one. */
static long met_by_sum(sb_ops *ops, float a, float b)
{
    const long before = sb_backend_subnormal(ops).met;
    float y;
    ops->sum(ops, 1, &a, &b, &y);
    return sb_backend_subnormal(ops).met - before;
}

static void operations_are_counted(void **state)
{
    (void)state;
    sb_ops *ops = open_native("direct", 1);
    assert_int_equal(met_by_sum(ops, 1, 2), 0);
    assert_int_equal(met_by_sum(ops, 0, 0), 0);
    assert_int_equal(met_by_sum(ops, 0x1p-126f, 0x1p-126f), 0);
#ifdef __SSE2__ /* read; other CPUs have no flag for that */
    assert_int_equal(met_by_sum(ops, 0x1p-130f, 1), 1);
    assert_int_equal(met_by_sum(ops, 1, 1), 0); /* the flag is cleared */
#endif
    sb_backend_close(ops);
}

/* By a product, because feraiseexcept may set flags of another unit than that of float. */
static void underflow(void)
{
    volatile float x = 0x1p-126f;
    x = x * 0.3f;
    assert_true(fetestexcept(FE_UNDERFLOW));
}

/* What computed before an operation counts for none. */
static void flags_of_others_do_not_count(void **state)
{
    sb_ops *ops = open_native(*state, 1);
    underflow();
    assert_int_equal(met_by_sum(ops, 1, 2), 0);
    assert_int_equal(met_by_sum(ops, 1, 2), 0);
    assert_true(fetestexcept(FE_UNDERFLOW));
    feclearexcept(FE_UNDERFLOW);
    assert_int_equal(met_by_sum(ops, 1, 2), 0);
    sb_backend_close(ops);
}

/* An operation that calls another counts what it met before that. */
static void flags_of_outer_operation_stay(void **state)
{
    (void)state;
    sb_ops *ops = open_native("direct", 1);
    float x = 1;
    underflow(); /* as by an operation */
    ops->zero(ops, &x, sizeof x);
    assert_true(x == 0 && fetestexcept(FE_UNDERFLOW));
    feclearexcept(FE_UNDERFLOW);
    sb_backend_close(ops);
}

static void results_are_counted_by_thread(void **state)
{
    (void)state;
    static sb_real x[N], e[N];
    sb_ops *ops = open_native("direct", THREADS);
    for (int i = 0; i < N; i++) x[i] = i < N / 2 ? 0 : (sb_real)0x1.8p-126; /* one thread's */
#pragma omp parallel num_threads(THREADS)
    ops->average(ops, N, 0.3, x, e); /* a product, rounded */
    assert_int_equal(sb_backend_subnormal(ops).met, 1);
    assert_int_equal(sb_backend_subnormal(ops).operations, THREADS);
    sb_backend_close(ops);
}

static void tiny_results_are_zero(void **state)
{
    (void)state;
    static const float all[] = {1, 0x1p-63f, -0x1p-63f, 0x1.fffffep-64f, -0x1.fffffep-64f, 0x1p-149f, -1e-30f, 0};
    static const float kept[] = {1, 0x1p-63f, -0x1p-63f, 0, 0, 0, 0, 0};
    enum { KINDS = sizeof all / sizeof *all };
    static float x[N], f[N], y[N];
    const sb_tensor tx = {1, 1, N, 1, 1, x}, tf = {1, 1, N, 1, 1, f};
    sb_tensor ty = {1, 1, N, 1, 1, y};
    for (int i = 0; i < N; i++) x[i] = all[i % KINDS];
    sb_ops *ops = open_native("winograd-flush", THREADS), *others = open_native("winograd", THREADS);
#pragma omp parallel num_threads(THREADS)
    ops->residual_forward(ops, &tx, &tf, &ty);
    for (int i = 0; i < N; i++) assert_true(y[i] == kept[i % KINDS]);
#pragma omp parallel num_threads(THREADS)
    ops->activation_backward(ops, SB_ACTIVATION_relu, 0, &ty, &tx, &ty); /* where 1 and 2^-63 went in */
    for (int i = 0; i < N; i++) assert_true(y[i] == (i % KINDS < 2 ? kept[i % KINDS] : 0));
#pragma omp parallel num_threads(THREADS)
    ops->sum(ops, N, x, f, y); /* of an update, which has gradients of weights */
    assert_memory_equal(y, x, sizeof y);
#pragma omp parallel num_threads(THREADS)
    others->residual_forward(others, &tx, &tf, &ty);
    assert_memory_equal(y, x, sizeof y);
    sb_backend_close(ops), sb_backend_close(others);
}

int main(void)
{
    static char direct[] = "direct", flush[] = "imitate-flush";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_counted),
        {"flags_of_others_do_not_count, direct", flags_of_others_do_not_count, NULL, NULL, direct},
        {"flags_of_others_do_not_count, imitate-flush", flags_of_others_do_not_count, NULL, NULL, flush},
        cmocka_unit_test(flags_of_outer_operation_stay),
        cmocka_unit_test(results_are_counted_by_thread),
        cmocka_unit_test(tiny_results_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
