/* Labels of axes: round, apart from each other, none beyond the ends. */
#include "support.h"

#include "paper/figures/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double place_of(const sb_axis *axis, double value)
{
    double share = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                     : (value - axis->low) / (axis->high - axis->low);
    return share * axis->length;
}

/* What a figure relies on, of any axis. */
static void check(const sb_axis *axis, const double *tic, size_t n)
{
    double end = -axis->before;
    assert_true(n <= SB_AXIS_TICS);
    for (size_t i = 0; i < n; i++) {
        char text[32];
        double width = axis->upright ? SB_AXIS_LINE : SB_AXIS_LETTER * snprintf(text, sizeof text, "%g", tic[i]);
        double place = place_of(axis, tic[i]);
        assert_true(place >= -1e-6 && place <= axis->length + 1e-6);
        assert_true(place - width / 2 >= end - 1e-6);
        end = place + width / 2;
    }
    assert_true(end <= axis->length + axis->after + 1e-6);
}

static void known_axes_get_known_labels(void **state)
{
    (void)state;
    const struct {
        sb_axis axis;
        const char *labels;
    } cases[] = {
        {{0.8, 2.6, true, false, 800, 14, 14}, "0.8 1 1.2 1.4 1.6 1.8 2 2.2 2.4 2.6"},
        {{1, 1000, true, false, 400, 50, 14}, "1 2 5 10 20 50 100 200 500"},
        {{1, 1000, true, false, 200, 50, 14}, "1 10 100"},
        {{0, 250, false, false, 300, 50, 14}, "0 50 100 150 200 250"},
        {{0, 60000, false, false, 190, 50, 14}, "0 20000 40000"},
        {{0.0199, 0.0237, true, false, 240, 50, 14}, "0.02 0.021 0.022 0.023"},
        {{0.0199, 0.0237, true, true, 150, 9, 9}, "0.02 0.021 0.022 0.023"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double tic[SB_AXIS_TICS];
        char text[256] = "";
        size_t n = sb_axis_tics(&cases[i].axis, tic), used = 0;
        for (size_t k = 0; k < n; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, k ? " %g" : "%g", tic[k]);
        check(&cases[i].axis, tic, n);
        assert_string_equal(text, cases[i].labels);
    }
}

/* As of a figure all of whose runs diverged. */
static void no_range_has_no_labels(void **state)
{
    (void)state;
    const double ends[][2] = {{NAN, NAN}, {HUGE_VAL, 0}, {0.1, HUGE_VAL}, {-HUGE_VAL, 1}, {1, 1}, {NAN, 1}, {1, NAN}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
            double tic[SB_AXIS_TICS];
            const sb_axis axis = {ends[i][0], ends[i][1], logarithmic, false, 400, 14, 14};
            assert_int_equal(sb_axis_tics(&axis, tic), 0);
        }
    const sb_axis from_zero = {0, 1, true, false, 400, 14, 14};
    double tic[SB_AXIS_TICS];
    assert_int_equal(sb_axis_tics(&from_zero, tic), 0);
}

static void any_axis_gets_labels_that_fit(void **state)
{
    (void)state;
    for (int log_low = -9; log_low < 5; log_low++)
        for (double factor = 1.001; factor < 1e9; factor *= 1.37)
            for (double length = 60; length < 1000; length *= 1.6)
                for (int kind = 0; kind < 4; kind++) {
                    double tic[SB_AXIS_TICS], low = 1.23 * pow(10, log_low);
                    const sb_axis axis = {low, low * factor, kind & 1, kind >> 1, length, 10, 14};
                    check(&axis, tic, sb_axis_tics(&axis, tic));
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_axes_get_known_labels),
        cmocka_unit_test(no_range_has_no_labels),
        cmocka_unit_test(any_axis_gets_labels_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
