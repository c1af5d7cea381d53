/* generations.csv into curves: medians, ranges and arms, by eye; losses that are no number; what makes no sense. */
#include "support.h"

#include "made_cells.h"
#include "paper/results/curves.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "./generations.csv";

/* The table as cells of made_arms would have it. */
static sb_status read_text(sb_curves *curves, const char *rows)
{
    char text[1024];
    const sb_results results = made_arms();
    snprintf(text, sizeof text, "hash,generation,elite,best,median,worst,chosen,refused,gap\n%s", rows);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    const sb_status status = sb_curves_of_generations(curves, ".", &results);
    unlink(path);
    if (status != SB_OK) sb_curves_free(curves);
    return status;
}

static void medians_and_ranges(void **state)
{
    (void)state;
    sb_curves c;
    assert_int_equal(read_text(&c, "cccccccc,0,3,5,6,7,,,\n"
                                   "aaaaaaaa,0,3,1,2,4,1.5,1.75,0.25\naaaaaaaa,1,-1,0.5,2,,1,2,1\n"
                                   "bbbbbbbb,0,3,3,3,8,3,3,0\n"),
                     SB_OK);
    assert_int_equal(c.n, 2);
    assert_string_equal(c.panel[0].cell->hash, "aaaaaaaa");
    assert_int_equal(c.panel[0].n_runs, 2);
    const sb_curve *best = &c.panel[0].curve[SB_RANK_BEST], *worst = &c.panel[0].curve[SB_RANK_WORST];
    assert_int_equal(best->n, 2);
    assert_true(best->at[0] == 0 && best->low[0] == 1 && best->median[0] == 2 && best->high[0] == 3);
    assert_true(best->at[1] == 1 && best->low[1] == 0.5 && best->median[1] == 0.5 && best->high[1] == 0.5);
    assert_int_equal(worst->n, 1);
    assert_true(worst->low[0] == 4 && worst->median[0] == 6 && worst->high[0] == 8);
    assert_string_equal(c.panel[1].cell->hash, "cccccccc");
    assert_int_equal(c.panel[1].n_runs, 1);
    assert_true(c.panel[1].curve[SB_RANK_MEDIAN].median[0] == 6);
    sb_curves_free(&c);
}

static void no_table_is_no_generations(void **state)
{
    (void)state;
    sb_curves c;
    const sb_results results = {0};
    assert_int_equal(read_text(&c, ""), SB_OK);
    assert_int_equal(c.n, 0);
    assert_int_equal(sb_curves_of_generations(&c, "./nowhere", &results), SB_OK);
    assert_int_equal(c.n, 0);
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *sentence;
    } cases[] = {
        {"ffffffff,0,1,1,1,1,,,\n", "generations.csv:2: no cell of cells.csv has the hash 'ffffffff'"},
        {"aaaaaaaa,1,1,1,1,1,,,\naaaaaaaa,1,1,1,1,1,,,\n", "generations.csv:3: generation 1 does not come next"},
        {"aaaaaaaa,-1,1,1,1,1,,,\n", "generations.csv:2: generation -1 does not come next"},
        {"aaaaaaaa,0,1,-1,1,1,,,\n", "generations.csv:2: best of -1"},
        {"aaaaaaaa,0,1,nan,1,1,,,\n", "generations.csv:2: best of "},
        {"aaaaaaaa,0,1,low,1,1,,,\n", "generations.csv:2: best wants a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_curves c;
        assert_int_equal(read_text(&c, cases[i].rows), SB_E_INTEGRITY);
        if (!strstr(sb_message(), cases[i].sentence)) fail_msg("%s\nlacks: %s", sb_message(), cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_ranges),
        cmocka_unit_test(no_table_is_no_generations),
        cmocka_unit_test(what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
