/* exp, sigmoid and tanh of ops/math.h, expm1 and erf of ops/point/activation.h, exp and log in double of
 * ops/point/softmax.h against the C library's in long double: the bounds stated there, of the functions in float over
 * every 61st float; the limits, NaN. */
#include "support.h"

#include "ops/point/activation.h"
#include "ops/point/softmax.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The code has no branch that only few numbers take: a sanitizer needs fewer of them, and the bounds are the other
 * build's matter. */
#ifdef SB_SANITIZED
enum { STRIDE = 6101 };
#else
enum { STRIDE = 61 };
#endif

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The distance of got from wanted in units in the last place of a float of wanted's size. */
static double ulps(float got, long double wanted)
{
    int exponent;
    frexpl(wanted, &exponent);
    if (exponent < FLT_MIN_EXP) exponent = FLT_MIN_EXP;
    return (double)fabsl(ldexpl(got - wanted, FLT_MANT_DIG - exponent));
}

typedef struct function {
    const char *name;
    float (*f)(float);
    long double (*exact)(long double);
    float first, last; /* of the range, and its mirror image */
    double bound;      /* ulp, as ops/math.h states it */
} function;

static float our_exp(float x)
{
    return sb_exp(x);
}

static float our_sigmoid(float x)
{
    return sb_sigmoid(x);
}

static float our_tanh(float x)
{
    return sb_tanh(x);
}

static float our_expm1(float x)
{
    return sb_expm1(x);
}

static float our_erf(float x)
{
    return sb_erf(x);
}

static long double sigmoidl(long double x)
{
    return 1 / (1 + expl(-x));
}

/* One sign of the range; the worst argument goes to *where. */
static double worst_error(const function *f, float sign, float end, float *where)
{
    double worst = 0;
    long n = bits_of(end) / STRIDE + 1;
#pragma omp parallel
    {
        double mine = 0;
        float at = 0;
#pragma omp for schedule(static) nowait
        for (long i = 0; i < n; i++) {
            float x = sign * float_of((uint32_t)i * STRIDE);
            double error = ulps(f->f(x), f->exact(x));
            if (!(error <= mine)) mine = error, at = x;
        }
#pragma omp critical
        if (!(mine <= worst)) worst = mine, *where = at;
    }
    return worst;
}

static void hold(const function *f)
{
    float below = 0, above = 0;
    double negative = worst_error(f, -1, -f->first, &below), positive = worst_error(f, 1, f->last, &above);
    print_message("%s: at most %.3f ulp (at %a), stated %.2f\n", f->name, fmax(negative, positive),
                  negative > positive ? below : above, f->bound);
    if (!(negative <= f->bound)) fail_msg("%s(%a) is %a, %.3f ulp off", f->name, below, f->f(below), negative);
    if (!(positive <= f->bound)) fail_msg("%s(%a) is %a, %.3f ulp off", f->name, above, f->f(above), positive);
}

static void exp_keeps_its_bound(void **state)
{
    (void)state;
    hold(&(function){"exp", our_exp, expl, -87.0f, 88.0f, 1.02});
}

static void sigmoid_keeps_its_bound(void **state)
{
    (void)state;
    hold(&(function){"sigmoid", our_sigmoid, sigmoidl, -87.0f, 40.0f, 2.5});
}

static void tanh_keeps_its_bound(void **state)
{
    (void)state;
    hold(&(function){"tanh", our_tanh, tanhl, -16.0f, 16.0f, 1.4});
}

static void expm1_keeps_its_bound(void **state)
{
    (void)state;
    hold(&(function){"expm1", our_expm1, expm1l, -87.0f, 88.0f, 1.5});
}

static void erf_keeps_its_bound(void **state)
{
    (void)state;
    hold(&(function){"erf", our_erf, erfl, -9.0f, 9.0f, 1.2});
}

/* ---- in double: the bounds on a walk through the range ---- */

static double ulps_of_double(double got, long double wanted)
{
    int exponent;
    frexpl(wanted, &exponent);
    return (double)fabsl(ldexpl(got - wanted, DBL_MANT_DIG - exponent));
}

static void double_functions_keep_their_bounds(void **state)
{
    (void)state;
    const int n = 400000 / (STRIDE / 61);
    double exp_worst = 0, log_worst = 0;
    for (int i = 0; i <= n; i++) {
        const double x = -700.0 * i / n, near = x / 700, sum = 1 + 254.0 * i / n;
        exp_worst = fmax(exp_worst, ulps_of_double(sb_exp_double(x), expl(x)));
        exp_worst = fmax(exp_worst, ulps_of_double(sb_exp_double(near), expl(near)));
        log_worst = fmax(log_worst, ulps_of_double(sb_log_double(sum), logl(sum)));
        log_worst = fmax(log_worst, ulps_of_double(sb_log_double(1 - 0.5 * near), logl(1 - 0.5 * near)));
    }
    print_message("in double: exp at most %.3f ulp, stated 1.1; log %.3f, stated 2.5\n", exp_worst, log_worst);
    assert_true(exp_worst <= 1.1 && log_worst <= 2.5);
    assert_true(sb_exp_double(0) == 1 && sb_log_double(1) == 0);
    assert_true(sb_exp_double(-INFINITY) == sb_exp_double(-700) && sb_exp_double(-1e9) == sb_exp_double(-700));
    assert_true(isnan(sb_exp_double((double)NAN)) && isnan(sb_log_double((double)NAN)));
}

static void expect_bits(const char *what, float got, float wanted)
{
    if (bits_of(got) != bits_of(wanted)) fail_msg("%s is %a, wanted %a", what, got, wanted);
}

static void limits_and_special_values(void **state)
{
    (void)state;
    expect_bits("exp(0)", sb_exp(0), 1);
    expect_bits("exp(-0)", sb_exp(-0.0f), 1);
    expect_bits("exp(-inf)", sb_exp(-INFINITY), sb_exp(-87.0f));
    expect_bits("exp(inf)", sb_exp(INFINITY), sb_exp(88.0f));
    expect_bits("sigmoid(0)", sb_sigmoid(0), 0.5f);
    expect_bits("sigmoid(inf)", sb_sigmoid(INFINITY), 1);
    expect_bits("sigmoid(40)", sb_sigmoid(40), 1);
    expect_bits("sigmoid(-inf)", sb_sigmoid(-INFINITY), sb_sigmoid(-88.0f));
    assert_true(sb_sigmoid(-FLT_MAX) > 0 && sb_sigmoid(-FLT_MAX) < 1e-37f);
    assert_true(sb_tanh(0) == 0 && sb_tanh(-0.0f) == 0);
    expect_bits("tanh(inf)", sb_tanh(INFINITY), 1);
    expect_bits("tanh(16)", sb_tanh(16), 1);
    expect_bits("tanh(-inf)", sb_tanh(-INFINITY), -1);
    expect_bits("expm1(-inf)", sb_expm1(-INFINITY), -1);
    expect_bits("expm1(2^-149)", sb_expm1(0x1p-149f), 0x1p-149f);
    expect_bits("expm1(2^-30)", sb_expm1(-0x1p-30f), -0x1p-30f);
    expect_bits("erf(inf)", sb_erf(INFINITY), 1);
    expect_bits("erf(4)", sb_erf(4), 1);
    expect_bits("erf(-inf)", sb_erf(-INFINITY), -1);
    assert_true(sb_erf(0) == 0 && sb_erf(-0.0f) == 0 && sb_expm1(0) == 0);
    expect_bits("tanh(2^-149)", sb_tanh(0x1p-149f), 0x1p-149f);
}

static void nan_stays_nan(void **state)
{
    (void)state;
    assert_true(isnan(sb_exp(NAN)) && isnan(sb_sigmoid(NAN)) && isnan(sb_tanh(NAN)));
    assert_true(isnan(sb_expm1(NAN)) && isnan(sb_erf(NAN)));
}

/* Sizes and signs, on neighbours around every switch from one formula to another, and on a walk over the range. */
static void signs_and_order(void **state)
{
    (void)state;
    float before = -INFINITY;
    for (double x = -100; x <= 100; x += 0.0625) {
        float e = sb_exp((float)x), s = sb_sigmoid((float)x), t = sb_tanh((float)x);
        assert_true(e > 0 && s > 0 && s <= 1 && t >= -1 && t <= 1 && t * (float)x >= 0);
        assert_true(-sb_tanh(-(float)x) == t);
        assert_true(-sb_erf(-(float)x) == sb_erf((float)x) && sb_expm1((float)x) >= -1);
        if (e < before) fail_msg("exp falls at %a", (float)x);
        before = e;
    }
    static const float edges[] = {0.625f, 0.9375f, 4.0f, 87.0f, 88.0f, 0.34657359f};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        float x = edges[i], below = nextafterf(x, 0), above = nextafterf(x, INFINITY);
        if (sb_exp(below) > sb_exp(above)) fail_msg("exp falls around %a", x);
        if (sb_sigmoid(below) > sb_sigmoid(above)) fail_msg("sigmoid falls around %a", x);
        if (sb_tanh(below) > sb_tanh(above)) fail_msg("tanh falls around %a", x);
        if (sb_erf(below) > sb_erf(above)) fail_msg("erf falls around %a", x);
        if (sb_expm1(-above) > sb_expm1(-below)) fail_msg("expm1 falls around %a", -x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_keeps_its_bound),
        cmocka_unit_test(sigmoid_keeps_its_bound),
        cmocka_unit_test(expm1_keeps_its_bound),
        cmocka_unit_test(erf_keeps_its_bound),
        cmocka_unit_test(double_functions_keep_their_bounds),
        cmocka_unit_test(tanh_keeps_its_bound),
        cmocka_unit_test(limits_and_special_values),
        cmocka_unit_test(nan_stays_nan),
        cmocka_unit_test(signs_and_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
