/* What the imitations promise (ops/imitate): errors of functions within CUDA's bounds and up to them, TF32's bits, the
 * mode of the CPU restored, ties, and orders that depend on seed, draw, update and operation. Whole networks stand in
 * test_golden.c, their bits in cli_train_bits. */
#include "expect.h"
#include "support.h"

#include "backend/backend.h"
#include "core/random.h"
#include "ops/imitate/functions.h"
#include "ops/imitate/imitate.h"
#include "ops/imitate/tf32.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- functions ---- */

enum { STRIDE = 6101 };

/* How far `got` is from the rounded exact value, in units in the last place, and how far any was. */
static void judge(const char *name, float x, float got, long double exact, int most, int *farthest)
{
    const float rounded = (float)exact;
    const int distance = abs((int)sb_device_bits(got) - (int)sb_device_bits(rounded));
    if (distance > most)
        fail_msg("%s(%a) is %a, %d units from %a; at most %d", name, (double)x, (double)got, distance, (double)rounded,
                 most);
    if (distance > *farthest) *farthest = distance;
}

static long double exact_sigmoid(long double x)
{
    return 1 / (1 + expl(-x));
}

/* Both signs of every STRIDE-th float up to `last`. The bound is met, and reached. */
static void hold(const char *name, float (*f)(float), long double (*exact)(long double), float last, int most)
{
    int farthest = 0;
    for (uint32_t bits = 0x00900000u; bits < sb_device_bits(last); bits += STRIDE)
        for (int sign = -1; sign <= 1; sign += 2) {
            const float x = (float)sign * float_of(bits);
            const long double wanted = exact(x);
            if (fabsl(wanted) > 0x1p-120L && fabsl(wanted) < 0x1p120L) judge(name, x, f(x), wanted, most, &farthest);
        }
    assert_int_equal(farthest, most);
}

static void functions_are_as_far_off_as_stated(void **state)
{
    (void)state;
    hold("exp", sb_exp, expl, 80, SB_DEVICE_EXP_ULP);
    hold("tanh", sb_tanh, tanhl, 30, SB_DEVICE_TANH_ULP);
    int farthest = 0;
    for (uint32_t bits = 0x00900000u; bits < 0x7e000000u; bits += STRIDE)
        judge("sqrt", float_of(bits), sb_device_sqrt(float_of(bits)), sqrtl(float_of(bits)), SB_DEVICE_SQRT_ULP,
              &farthest);
    assert_int_equal(farthest, SB_DEVICE_SQRT_ULP);
    farthest = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        const sb_random4 words = sb_random_words(1, 0, i);
        const float a = float_of(0x30000000u + words.word[0] % 0x20000000u);
        const float b = float_of(0x30000000u + words.word[1] % 0x20000000u);
        judge("x / y", a, sb_device_divide(a, b), (long double)a / b, SB_DEVICE_DIVIDE_ULP, &farthest);
    }
    assert_int_equal(farthest, SB_DEVICE_DIVIDE_ULP);
    for (float x = -20; x < 20; x += 0x1p-7f)
        assert_true(fabsl(sb_sigmoid(x) - exact_sigmoid(x)) <= 8 * 0x1p-24L * exact_sigmoid(x));
}

/* The errors have no side of their own, or they would be a bias that no GPU has. */
static void errors_are_balanced(void **state)
{
    (void)state;
    long sum = 0, n = 0;
    for (float x = 0x1p-10f; x < 8; x += 0x1.3p-14f, n++)
        sum += (int)sb_device_bits(sb_tanh(x)) - (int)sb_device_bits((float)tanhl(x));
    assert_true(labs(sum) < 4 * sqrt(2.0 * (double)n)); /* four times the deviation of so many errors of variance 2 */
}

static void limits_stay(void **state)
{
    (void)state;
    assert_true(sb_tanh(0) == 0 && sb_device_divide(0, 3) == 0 && sb_device_sqrt(0) == 0);
    for (float x = 8; x < 100; x++) assert_true(sb_tanh(x) <= 1 && sb_tanh(-x) >= -1 && sb_sigmoid(x) <= 1);
    assert_true(isnan(sb_exp(NAN)) && isnan(sb_tanh(NAN)) && isnan(sb_device_divide(NAN, 1)));
    assert_true(isinf(sb_device_divide(1, 0)) && sb_exp(-INFINITY) > 0 && isfinite(sb_exp(INFINITY)));
}

/* ---- TF32 ---- */

static void tf32_has_ten_bits(void **state)
{
    (void)state;
    assert_true(sb_tf32_round(1 + 0x1p-11f) == 1);              /* a tie, to even */
    assert_true(sb_tf32_round(1 + 0x1.8p-10f) == 1 + 0x1p-9f);  /* another one */
    assert_true(sb_tf32_round(0x1.002002p0f) == 1 + 0x1p-10f);  /* above the tie */
    assert_true(sb_tf32_round(-1 - 0x1p-10f) == -1 - 0x1p-10f); /* is one already */
    assert_true(isinf(sb_tf32_round(INFINITY)) && isnan(sb_tf32_round(float_of(0x7fffffffu))));
    for (uint32_t i = 0; i < 100000; i++) {
        const float x = float_of(sb_random_words(2, 0, i).word[0]), y = sb_tf32_round(x);
        if (isnan(x)) continue;
        assert_int_equal(sb_device_bits(y) & 0x1fff, 0);
        if (fabsf(x) < 0x1p126f && fabsf(x) > 0x1p-120f) assert_true(fabsf(y - x) <= 0x1p-11f * fabsf(x));
    }
}

/* ---- operations ---- */

static sb_ops *open_native(const char *arithmetic, int threads, uint64_t seed, uint64_t draw)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = threads, .arithmetic = arithmetic, .seed = seed, .draw = draw};
    if (sb_backend_open(&ops, "native", &options) != SB_OK) fail_msg("%s", sb_message());
    return ops;
}

static void subnormal_numbers_are_zero(void **state)
{
    (void)state;
    const float a[4] = {0x1p-130f, 0x1p-126f, 1, 0x1p-126f}, b[4] = {0, -0x1.8p-126f, 0x1p-149f, 0x1p-126f};
    float y[4];
    volatile float tiny = 0x1p-130f;
    sb_ops *ops = open_native("direct", 2, 1, 0);
    ops->sum(ops, 4, a, b, y);
    assert_true(y[0] == 0x1p-130f && y[1] == -0x1p-127f && y[3] == 0x1p-125f);
    sb_backend_close(ops);
    ops = open_native("imitate-flush", 2, 1, 0);
#pragma omp parallel num_threads(2)
    ops->sum(ops, 4, a, b, y);
    assert_true(y[0] == 0 && y[1] == 0 && y[2] == 1 && y[3] == 0x1p-125f);
    int restored = 0;
#pragma omp parallel num_threads(2) reduction(+ : restored)
    restored += tiny * 0.5f > 0;
    assert_int_equal(restored, 2);
    sb_backend_close(ops);
}

static void the_last_of_equal_numbers(void **state)
{
    (void)state;
    float y[16] = {/* two rows of four pixels of two channels */ 1,
                   3,
                   1,
                   2,
                   0,
                   -1,
                   0,
                   -2,
                   1,
                   3,
                   1,
                   1,
                   0,
                   -3,
                   0,
                   -4},
          a[4];
    const sb_tensor large = {1, 1, 2, 2, 4, y}, small = {1, 1, 2, 1, 2, a};
    uint8_t choice[4];
    sb_ops *ops = open_native("direct", 1, 1, 0);
    ops->pool_forward(ops, &large, (sb_tensor *)&small, choice);
    assert_memory_equal(choice, ((uint8_t[]){0, 0, 4, 4}), 4);
    sb_backend_close(ops);
    ops = open_native("imitate-ties", 1, 1, 0);
    ops->pool_forward(ops, &large, (sb_tensor *)&small, choice);
    assert_memory_equal(choice, ((uint8_t[]){3, 2, 4, 4}), 4);
    assert_true(a[0] == 1 && a[1] == 3 && a[2] == 0 && a[3] == 0);
    sb_backend_close(ops);
}

/* ---- orders ---- */

enum { N = 20, SECOND = 30 };

/* The orders of the third operation of an update, and the places of a sum over 1, 7 and 12 terms. */
static void draw(const char *arithmetic, uint64_t seed, uint64_t number, long update, int operation,
                 uint32_t order[N + SECOND])
{
    const int n_k[] = {1, 7, 12};
    sb_ops *ops = open_native(arithmetic, 3, seed, number);
    sb_backend_begin(ops, update);
    sb_orders orders = {0};
#pragma omp parallel num_threads(3)
    {
        sb_orders mine = {0};
        for (int i = 0; i <= operation; i++) mine = sb_imitation_draw(ops, 3, n_k, SECOND);
#pragma omp single
        orders = mine;
    }
    assert_int_equal(orders.n_first, N);
    memcpy(order, orders.first, N * sizeof *order);
    memcpy(order + N, orders.second, SECOND * sizeof *order);
    for (uint32_t i = 0; i < N; i++) {
        const int before[] = {0, 1, 8};
        assert_int_equal(before[orders.place[i].stretch] + orders.place[i].k, order[i]);
        assert_true(orders.place[i].k < n_k[orders.place[i].stretch]);
    }
    sb_backend_close(ops);
}

static void orders_depend_on_all_that_they_are_drawn_from(void **state)
{
    (void)state;
    uint32_t first[N + SECOND], again[N + SECOND];
    draw("imitate-atomics", 1, 0, 5, 2, first);
    draw("imitate-gpu", 1, 0, 5, 2, again);
    assert_memory_equal(first, again, sizeof first);
    const struct {
        uint64_t seed, draw;
        long update;
        int operation;
    } others[] = {{2, 0, 5, 2}, {1, 1, 5, 2}, {1, 0, 6, 2}, {1, 0, 5, 3}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        draw("imitate-atomics", others[i].seed, others[i].draw, others[i].update, others[i].operation, again);
        assert_memory_not_equal(first, again, N * sizeof *first);
        assert_memory_not_equal(first + N, again + N, SECOND * sizeof *first);
    }
    bool seen[N] = {0};
    for (int i = 0; i < N; i++) assert_false(seen[first[i]]), seen[first[i]] = true;
    draw("imitate-unfused", 1, 0, 5, 2, again);
    for (uint32_t i = 0; i < N; i++) assert_int_equal(again[i], i);
}

static void others_refuse_them(void **state)
{
    (void)state;
    sb_ops *ops;
    for (const sb_arithmetic *a = sb_arithmetics; a->name; a++) {
        const sb_backend_options options = {.threads = 1, .arithmetic = a->name};
        const sb_status status = sb_backend_open(&ops, "cuda-on-cpu", &options);
        const bool imitates = a->rules & SB_IMITATED_ALL, is_tiny_zero = a->rules & SB_RULE_TINY;
        assert_int_equal(status, imitates || is_tiny_zero ? SB_E_USAGE : SB_OK);
        if (imitates) assert_non_null(strstr(sb_message(), "it imitates a GPU on the CPU, with native"));
        if (is_tiny_zero) assert_non_null(strstr(sb_message(), "has no arithmetic 'winograd-flush'; native has it"));
        sb_backend_close(ops);
    }
    assert_int_equal(sb_backend_open(&ops, "native", &(sb_backend_options){.threads = 1, .arithmetic = "fft"}),
                     SB_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_as_far_off_as_stated),
        cmocka_unit_test(errors_are_balanced),
        cmocka_unit_test(limits_stay),
        cmocka_unit_test(tf32_has_ten_bits),
        cmocka_unit_test(subnormal_numbers_are_zero),
        cmocka_unit_test(the_last_of_equal_numbers),
        cmocka_unit_test(orders_depend_on_all_that_they_are_drawn_from),
        cmocka_unit_test(others_refuse_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
