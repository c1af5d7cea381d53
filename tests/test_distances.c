/* distances.csv into curves: medians, ranges, pairs of the same bits, recipes apart; by eye. */
#include "support.h"

#include "made_cells.h"
#include "paper/results/curves.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "./distances.csv";

static sb_status read_text(sb_curves *distances, const char *rows)
{
    static sb_result cells[4], *by_hash[4];
    static const char *const hash[4] = {"aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"};
    char text[1024];
    for (int i = 0; i < 4; i++) {
        cells[i] = made_cell(1, -6);
        cells[i].hash = hash[i];
        by_hash[i] = &cells[i];
    }
    cells[3].updates = 20; /* another recipe */
    const sb_results results = {.n_cells = 4, .cell = cells, .by_hash = by_hash};
    snprintf(text, sizeof text, "a,b,differs,update,distance,relative\n%s", rows);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    sb_status status = sb_curves_of_distances(distances, ".", &results);
    unlink(path);
    if (status != SB_OK) sb_curves_free(distances);
    return status;
}

static void medians_and_ranges(void **state)
{
    (void)state;
    sb_curves d;
    assert_int_equal(
        read_text(&d, "aaaaaaaa,bbbbbbbb,setting,1,9,0.5\naaaaaaaa,bbbbbbbb,setting,2,9,0.25\n"
                      "aaaaaaaa,cccccccc,setting,1,9,0.125\naaaaaaaa,cccccccc,setting,2,9,0\n"
                      "aaaaaaaa,cccccccc,ulp,1,9,1\naaaaaaaa,bbbbbbbb,ulp,1,9,2\nbbbbbbbb,cccccccc,ulp,1,9,8\n"),
        SB_OK);
    assert_int_equal(d.n, 1);
    const sb_curve *setting = &d.panel[0].curve[SB_DIFFERS_SETTING], *ulp = &d.panel[0].curve[SB_DIFFERS_ULP];
    assert_int_equal(setting->n, 2);
    assert_true(setting->at[0] == 1 && setting->median[0] == 0.3125);
    assert_true(setting->low[0] == 0.125 && setting->high[0] == 0.5);
    /* The pair of the same bits is counted and no part of the curve. */
    assert_int_equal(setting->n_none, 1);
    assert_true(setting->at[1] == 2 && setting->median[1] == 0.25 && setting->low[1] == 0.25);
    assert_int_equal(ulp->n, 1);
    assert_true(ulp->median[0] == 2 && ulp->low[0] == 1 && ulp->high[0] == 8);
    assert_int_equal(d.panel[0].curve[SB_DIFFERS_TARGET].n, 0);
    sb_curves_free(&d);
}

static void recipes_have_panels_of_their_own(void **state)
{
    (void)state;
    sb_curves d;
    assert_int_equal(read_text(&d, "aaaaaaaa,bbbbbbbb,target,1,9,0.5\neeeeeeee,dddddddd,target,1,9,0.25\n"), SB_OK);
    assert_int_equal(d.n, 2);
    assert_int_equal(d.panel[0].cell->updates, 10);
    assert_int_equal(d.panel[1].cell->updates, 20);
    assert_true(d.panel[1].curve[SB_DIFFERS_TARGET].median[0] == 0.25);
    sb_curves_free(&d);
}

static void no_table_is_no_distances(void **state)
{
    (void)state;
    sb_curves d;
    assert_int_equal(read_text(&d, ""), SB_OK);
    assert_int_equal(d.n, 0);
    sb_curves_free(&d);
    const sb_results results = {0};
    assert_int_equal(sb_curves_of_distances(&d, "./nowhere", &results), SB_OK);
    assert_int_equal(d.n, 0);
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *sentence;
    } cases[] = {
        {"aaaaaaaa,bbbbbbbb,target,1,9,0.5\naaaaaaaa,ffffffff,target,1,9,0.5\n",
         "distances.csv:3: no cell of cells.csv has the hash 'ffffffff'"},
        {"aaaaaaaa,bbbbbbbb,colour,1,9,0.5\n",
         "distances.csv:2: differs wants one of target|setting|ulp, not 'colour'"},
        {"aaaaaaaa,bbbbbbbb,target,1,9,-1\n", "distances.csv:2: relative of -1"},
        {"aaaaaaaa,bbbbbbbb,target,1,9,nan\n", "distances.csv:2: relative of "},
        {"aaaaaaaa,bbbbbbbb,target,one,9,1\n", "distances.csv:2: update wants a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_curves d;
        assert_int_equal(read_text(&d, cases[i].rows), SB_E_INTEGRITY);
        if (!strstr(sb_message(), cases[i].sentence)) fail_msg("%s\nlacks: %s", sb_message(), cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_ranges),
        cmocka_unit_test(recipes_have_panels_of_their_own),
        cmocka_unit_test(no_table_is_no_distances),
        cmocka_unit_test(what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
