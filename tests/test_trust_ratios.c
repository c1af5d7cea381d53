/* trust.csv into rows of tensors: medians, ranges and arms, by eye; ratios that are no number; what makes no sense. */
#include "support.h"

#include "made_cells.h"
#include "paper/results/curves.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "./trust.csv";

/* The table as cells of made_arms would have it. */
static sb_status read_text(sb_trust_ratios *ratios, const char *rows)
{
    char text[1024];
    const sb_results results = made_arms();
    snprintf(text, sizeof text, "hash,epoch,tensor,weight_norm,direction_norm,ratio\n%s", rows);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    const sb_status status = sb_trust_ratios_read(ratios, ".", &results);
    unlink(path);
    if (status != SB_OK) sb_trust_ratios_free(ratios);
    return status;
}

static void medians_and_ranges(void **state)
{
    (void)state;
    sb_trust_ratios r;
    assert_int_equal(read_text(&r, "cccccccc,0,w,1,1,7\n"
                                   "aaaaaaaa,0,conv/w,1,1,2\naaaaaaaa,0,conv/b,1,1,1\naaaaaaaa,0,out/w,1,,\n"
                                   "aaaaaaaa,3,conv/w,1,1,4\naaaaaaaa,3,conv/b,1,1,1\naaaaaaaa,3,out/w,1,,\n"
                                   "bbbbbbbb,0,conv/w,1,1,3\nbbbbbbbb,0,conv/b,1,1,1\nbbbbbbbb,0,out/w,1,,\n"
                                   "bbbbbbbb,3,conv/w,1,1,0.5\nbbbbbbbb,3,conv/b,1,1,1\nbbbbbbbb,3,out/w,1,,\n"),
                     SB_OK);
    assert_int_equal(r.n, 2);
    const sb_trust_arm *arm = &r.arm[0];
    assert_string_equal(arm->cell->hash, "aaaaaaaa");
    assert_int_equal(arm->n_runs, 2);
    assert_int_equal(arm->n_epochs, 2);
    assert_int_equal(arm->n, 2); /* out/w never had a ratio */
    const sb_trust_tensor *t = sb_trust_find(arm, "conv/w");
    assert_true(t == &arm->tensor[0] && t->first == 2.5 && t->last == 2.25 && t->low == 0.5 && t->high == 4);
    assert_false(sb_trust_is_fixed(t));
    assert_string_equal(arm->tensor[1].name, "conv/b");
    assert_true(sb_trust_is_fixed(&arm->tensor[1]));
    assert_null(sb_trust_find(arm, "out/w"));
    assert_string_equal(r.arm[1].cell->hash, "cccccccc");
    assert_int_equal(r.arm[1].n_runs, 1);
    assert_true(r.arm[1].tensor[0].last == 7);
    sb_trust_ratios_free(&r);
}

static void no_table_is_no_ratios(void **state)
{
    (void)state;
    sb_trust_ratios r;
    const sb_results results = {0};
    assert_int_equal(read_text(&r, ""), SB_OK);
    assert_int_equal(r.n, 0);
    assert_int_equal(sb_trust_ratios_read(&r, "./nowhere", &results), SB_OK);
    assert_int_equal(r.n, 0);
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *sentence;
    } cases[] = {
        {"ffffffff,0,w,1,1,1\n", "trust.csv:2: no cell of cells.csv has the hash 'ffffffff'"},
        {"aaaaaaaa,1,w,1,1,1\naaaaaaaa,0,w,1,1,1\n", "trust.csv:3: epoch 0 does not come next"},
        {"aaaaaaaa,-1,w,1,1,1\n", "trust.csv:2: epoch -1 does not come next"},
        {"aaaaaaaa,0,w,1,1,-2\n", "trust.csv:2: ratio of -2"},
        {"aaaaaaaa,0,w,1,1,much\n", "trust.csv:2: ratio wants a"},
        {"aaaaaaaa,0,w,1,1,2\nbbbbbbbb,0,v,1,1,2\n", "trust.csv:3: tensor 'v' where the run aaaaaaaa has 'w'"},
        {"aaaaaaaa,0,w,1,1,2\nbbbbbbbb,0,w,1,1,2\naaaaaaaa,0,w,1,1,2\n", "epoch 0 of the run aaaaaaaa comes twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_trust_ratios r;
        assert_int_equal(read_text(&r, cases[i].rows), SB_E_INTEGRITY);
        if (!strstr(sb_message(), cases[i].sentence)) fail_msg("%s\nlacks: %s", sb_message(), cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_ranges),
        cmocka_unit_test(no_table_is_no_ratios),
        cmocka_unit_test(what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
