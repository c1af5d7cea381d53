/* Points into a script of gnuplot: a case one can check by eye. */
#include "support.h"

#include "core/file.h"
#include "paper/figures/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR, MEAN, TWIN, JOIN, N_SERIES };

static const sb_series series[N_SERIES] = {
    [PAIR] = {"pair", SB_MARKS, SB_STYLE_RATIO, "a pair", 0.1},
    [MEAN] = {"mean", SB_MEANS, SB_STYLE_MEAN, "mean", -0.1},
    [TWIN] = {"twin", SB_MARKS, SB_STYLE_RATIO_OPEN, "a pair"},
    [JOIN] = {"join", SB_JOINS, SB_STYLE_JOIN, "never drawn"},
};

static const sb_chart_form strips = {
    .rows = SB_ROWS_STRIPS,
    .x = {.label = "ratio", .column = "ratio", .low = 0.5, .high = 1.5},
    .series = series,
    .n_series = N_SERIES,
};

static char *script_of(const sb_chart *chart)
{
    char *text;
    const sb_layout layout = sb_chart_layout(chart);
    assert_int_equal(chart->status, SB_OK);
    sb_writer *script = sb_writer_open(&sb_gnuplot);
    sb_chart_write_script(script, &layout, chart);
    assert_int_equal(sb_writer_close(script, "script", &text, NULL), SB_OK);
    return text;
}

static void points_are_lists_in_their_rows(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &strips);
    sb_chart_point(&chart, (sb_point){.series = PAIR, .x = 1}); /* of no panel */
    sb_chart_panel(&chart, "loss");
    sb_chart_rule(&chart, 1);
    sb_chart_row(&chart, "native", "1.2");
    sb_chart_mark(&chart, (sb_point){.series = PAIR, .x = 2}, "seed %d: <a>\"", 3);
    sb_chart_point(&chart, (sb_point){.series = PAIR, .x = NAN});
    sb_chart_row(&chart, "it's", "");
    sb_chart_point(&chart, (sb_point){.series = MEAN, .x = 4, .low = NAN});
    sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = 0}, "zero");
    assert_int_equal(chart.n_points, 3);
    char *text = script_of(&chart);
    assert_non_null(strstr(text, "$pair_1 << END\n2 -0.5800 \"seed 3: _a__\"\nEND\n"));
    assert_non_null(strstr(text, "$mean_1 << END\n4 -1.7800 4 4\nEND\n"));            /* a bar of no length */
    assert_non_null(strstr(text, "set xrange [0.49505:4.04]"));                       /* a hundredth of room */
    assert_non_null(strstr(text, "$twin_1 << END\n0.49505 -1.6800 \"zero\"\nEND\n")); /* at the axis's lower end */
    assert_non_null(strstr(text, "set label narrow ? 'it''s' : 'it''s' at"));
    assert_null(strstr(text, "join"));
    free(text);
    sb_chart_free(&chart);
}

/* The csv of a chart. */
static char *csv_of(const sb_chart *chart)
{
    char *text;
    assert_int_equal(sb_chart_write_csv(chart, ".", "test_chart"), SB_OK);
    assert_int_equal(sb_file_read("test_chart.csv", &text, NULL), SB_OK);
    assert_int_equal(remove("test_chart.csv"), 0);
    return text;
}

static const sb_chart_form plane = {
    .x = {.label = "window", .column = "window", .room = 0.1},
    .y = {.label = "ratio", .column = "ratio", .room = 0.1},
    .series = series,
    .n_series = N_SERIES,
};

static void what_moves_a_point_is_drawn_and_no_value(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &plane);
    sb_chart_panel(&chart, "loss");
    sb_chart_mark(&chart, (sb_point){.series = PAIR, .x = 10, .y = 2}, "ten");
    assert_true(chart.x.low > 10); /* the axis holds the mark where it is drawn */
    char *text = script_of(&chart), *csv = csv_of(&chart);
    assert_non_null(strstr(text, "$pair_1 << END\n11.0517 2 \"ten\"\nEND\n")); /* exp(0.1) times 10 */
    assert_non_null(strstr(csv, "loss,pair,10,2,,,"));
    free(csv);
    free(text);
    sb_chart_free(&chart);
}

static void a_csv_has_the_seed_of_a_run(void **state)
{
    (void)state;
    const long seed[] = {0, 3};
    sb_chart chart;
    sb_chart_open(&chart, &strips);
    sb_chart_panel(&chart, "loss");
    sb_chart_row(&chart, "native", "");
    for (int i = 0; i < 2; i++) sb_chart_mark(&chart, (sb_point){.series = PAIR, .x = 1, .seed = &seed[i]}, "a run");
    sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = 1}, "of no run");
    char *csv = csv_of(&chart);
    assert_string_equal(csv, "panel,row,series,ratio,low,high,seed,words\n"
                             "loss,native,pair,1,,,0,a run\n"
                             "loss,native,pair,1,,,3,a run\n"
                             "loss,native,twin,1,,,,of no run\n");
    free(csv);
    sb_chart_free(&chart);
}

static void zero_is_at_the_lower_end_of_its_panel(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &plane);
    chart.form.x.by_panel = true;
    for (int panel = 0; panel < 2; panel++) {
        sb_chart_panel(&chart, "loss");
        for (int i = 0; i < 2; i++)
            sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = panel ? i : 100, .y = i}, "a");
    }
    sb_chart_panel(&chart, "loss");
    sb_chart_range(&chart, NULL, 20, 30);
    sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = -1, .y = 1}, "of no finite logarithm");
    char *text = script_of(&chart);
    assert_non_null(strstr(text, "set yrange [0.990099:1.01]")); /* of all panels */
    assert_non_null(strstr(text, "$twin_1 << END\n100 0.990099 \"a\"\n100 1 \"a\"\nEND\n"));
    assert_non_null(strstr(text, "set xrange [99.0099:101]"));
    assert_non_null(strstr(text, "$twin_2 << END\n0.990099 0.990099 \"a\"\n1 1 \"a\"\nEND\n"));
    assert_non_null(strstr(text, "set xrange [0.990099:1.01]"));
    assert_non_null(strstr(text, "$twin_3 << END\n19.2053 1 \"of no"));
    assert_non_null(strstr(text, "set xrange [19.2053:31.2414]"));
    free(text);
    sb_chart_free(&chart);
}

static void values_without_a_logarithm_are_on_an_axis(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &plane);
    sb_chart_panel(&chart, "loss");
    sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = 0, .y = 0}, "a");
    sb_chart_point(&chart, (sb_point){.series = MEAN, .x = 0, .y = 0, .low = -1, .high = 0});
    char *text = script_of(&chart);
    /* from 0.1 to 1, and a tenth of that on both sides */
    assert_non_null(strstr(text, "set xrange [0.0794328:1.25893]"));
    assert_non_null(strstr(text, "set yrange [0.0794328:1.25893]"));
    assert_non_null(strstr(text, "$twin_1 << END\n0.0794328 0.0794328 \"a\"\nEND\n"));
    assert_non_null(strstr(text, "$mean_1 << END\n0.0794328 0.0794328 0.0794328 0.0794328\nEND\n"));
    free(text);
    sb_chart_free(&chart);
}

static void a_count_begins_with_0(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &plane);
    chart.form.x.kind = SB_SCALE_COUNT;
    chart.form.x.low = 3; /* of a logarithmic axis alone */
    sb_chart_panel(&chart, "loss");
    sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = 5, .y = 1}, "five");
    sb_chart_mark(&chart, (sb_point){.series = TWIN, .x = 0, .y = 1}, "none");
    char *text = script_of(&chart);
    assert_non_null(strstr(text, "set xrange [0:5]"));
    assert_non_null(strstr(text, "$twin_1 << END\n5 1 \"five\"\n0 1 \"none\"\nEND\n"));
    free(text);
    chart.form.x.high = 8;
    text = script_of(&chart);
    assert_non_null(strstr(text, "set xrange [0:8]"));
    free(text);
    sb_chart_free(&chart);
}

static void a_key_says_each_thing_once(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &strips);
    for (int panel = 0; panel < 2; panel++) {
        sb_chart_panel(&chart, "loss");
        sb_chart_row(&chart, "native", "");
        sb_chart_point(&chart, (sb_point){.series = panel ? TWIN : PAIR, .x = 1});
    }
    char *text = script_of(&chart);
    const char *key = strstr(text, "keyentry with points linestyle 5 title 'a pair'");
    assert_non_null(key);
    assert_null(strstr(key + 1, "keyentry"));
    assert_int_equal(sb_chart_layout(&chart).key_lines_narrow, 1);
    free(text);
    sb_chart_free(&chart);
}

static void an_axis_holds_ends_and_margins(void **state)
{
    (void)state;
    sb_chart chart;
    sb_chart_open(&chart, &strips);
    sb_chart_panel(&chart, "loss");
    sb_chart_row(&chart, "native", "");
    sb_chart_margin(&chart, 0.25, 2);
    sb_chart_point(&chart, (sb_point){.series = MEAN, .x = 1, .low = 0.5, .high = 8});
    char *text = script_of(&chart);
    assert_non_null(strstr(text, "set xrange [0.247525:8.08]")); /* a hundredth of room */
    assert_non_null(
        strstr(text, "set arrow from first 0.25, first -0.68 to first 2, first -0.68 nohead back linestyle"));
    free(text);
    sb_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_lists_in_their_rows),
        cmocka_unit_test(what_moves_a_point_is_drawn_and_no_value),
        cmocka_unit_test(a_csv_has_the_seed_of_a_run),
        cmocka_unit_test(zero_is_at_the_lower_end_of_its_panel),
        cmocka_unit_test(values_without_a_logarithm_are_on_an_axis),
        cmocka_unit_test(a_count_begins_with_0),
        cmocka_unit_test(a_key_says_each_thing_once),
        cmocka_unit_test(an_axis_holds_ends_and_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
