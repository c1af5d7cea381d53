/* The faster of two ways is taken, also after other processes have come or gone, and trials of the slower way cost little. */
#include "expect.h"
#include "ops/library/openblas_pace.h"

/* n products of a size, on a machine where each takes that time by each way. Returns their time. */
static double multiply(sb_pace *pace, int size, int n, double alone, double threads)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        const sb_pace_way way = sb_pace_choose(pace, size);
        const double seconds = way == SB_PACE_ALONE ? alone : threads;
        sb_pace_add(pace, size, way, seconds);
        total += seconds;
    }
    return total;
}

static void idle_machine_uses_threads(void **state)
{
    (void)state;
    sb_pace pace = {0};
    const double total = multiply(&pace, 20, 10000, 2, 1);
    assert_true(total >= 10000 && total < 10000 * (1 + 1.0 / SB_PACE_TRIALS) + 4);
    assert_int_equal(SB_PACE_THREADS, sb_pace_choose(&pace, 20));
}

static void busy_machine_computes_alone(void **state)
{
    (void)state;
    sb_pace pace = {0};
    const double total = multiply(&pace, 20, 10000, 2, 2000);
    assert_true(total < 20000 * (1 + 1.0 / SB_PACE_TRIALS) + 2 * 2000);
}

static void load_comes_and_goes(void **state)
{
    (void)state;
    sb_pace pace = {0};
    multiply(&pace, 20, 10000, 2, 1);
    const double busy = multiply(&pace, 20, 10000, 2, 100);
    assert_true(busy < 20000 * (1 + 2.0 / SB_PACE_TRIALS) + 3 * 100);
    multiply(&pace, 20, 20000, 2, 1);
    assert_int_equal(SB_PACE_THREADS, sb_pace_choose(&pace, 20));
}

static void sizes_are_judged_alone(void **state)
{
    (void)state;
    sb_pace pace = {0};
    for (int i = 0; i < 100; i++) multiply(&pace, 10, 1, 1, 5), multiply(&pace, 30, 1, 500, 200);
    assert_int_equal(SB_PACE_ALONE, sb_pace_choose(&pace, 10));
    assert_int_equal(SB_PACE_THREADS, sb_pace_choose(&pace, 30));
}

static void sizes_have_a_place(void **state)
{
    (void)state;
    assert_int_equal(0, sb_pace_size_of(1, 1, 1));
    assert_int_equal(10, sb_pace_size_of(32, 4, 8));
    assert_int_equal(SB_PACE_SIZES - 1, sb_pace_size_of(1L << 31, 1L << 31, 1L << 31));
    assert_int_equal(0, sb_pace_size_of(0, 5, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_machine_uses_threads), cmocka_unit_test(busy_machine_computes_alone),
        cmocka_unit_test(load_comes_and_goes),       cmocka_unit_test(sizes_are_judged_alone),
        cmocka_unit_test(sizes_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
