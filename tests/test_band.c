/* Curves into a line with a band: a case one can check by eye. */
#include "support.h"

#include "paper/figures/figures.h"

#include <string.h>

static double update[] = {1, 2, 3, 4, 5};
static double low[] = {8, 6, 4, 2, 1}, middle[] = {9, 7, 5, 3, 2}, high[] = {12, 10, 8, 6, 30};

static sb_result make(double *loss, size_t n)
{
    return (sb_result){.name = "cell", .n_curve = n, .update = update, .curve = {loss, loss}};
}

static void points_are_means_then_medians(void **state)
{
    (void)state;
    sb_result cells[] = {make(high, 5), make(low, 5), make(middle, 5)};
    const sb_result *list[] = {&cells[0], &cells[1], &cells[2]};
    sb_arm arm = {.n = 3, .cell = list};
    sb_curve band;
    assert_int_equal(sb_curve_of_arm(&band, &arm, SB_METRIC_LAST, 3), SB_OK);
    assert_int_equal(band.n, 3);
    const double updates[] = {1.5, 3.5, 5}, lows[] = {7, 3, 1}, medians[] = {8, 4, 2}, highs[] = {11, 7, 30};
    assert_memory_equal(band.at, updates, sizeof updates);
    assert_memory_equal(band.low, lows, sizeof lows);
    assert_memory_equal(band.median, medians, sizeof medians);
    assert_memory_equal(band.high, highs, sizeof highs);
    sb_curve_free(&band);
    assert_int_equal(sb_curve_of_arm(&band, &arm, SB_METRIC_LAST, 120), SB_OK);
    assert_int_equal(band.n, 5);
    assert_true(band.median[3] == 3);
    sb_curve_free(&band);
}

static void curves_of_one_arm_are_of_one_length(void **state)
{
    (void)state;
    sb_result cells[] = {make(high, 5), make(low, 4)};
    const sb_result *list[] = {&cells[0], &cells[1]};
    sb_arm arm = {.n = 2, .cell = list};
    sb_curve band;
    assert_int_equal(sb_curve_of_arm(&band, &arm, SB_METRIC_LAST, 3), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "4 rows of cell cell, but 5 of cell cell"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_means_then_medians),
        cmocka_unit_test(curves_of_one_arm_are_of_one_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
