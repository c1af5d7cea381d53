/* Spread by source: which pairs count for which source, and the numbers that come of them. */
#include "support.h"

#include "made_cells.h"
#include "paper/effects/measures.h"

#include <math.h>
#include <string.h>

static sb_spreads measure(sb_result *cells, size_t n)
{
    sb_results results = {.n_cells = n, .cell = cells};
    sb_spreads spreads;
    assert_int_equal(sb_spreads_measure(&spreads, &results), SB_OK);
    return spreads;
}

static void seeds_spread_as_their_sample_deviation(void **state)
{
    (void)state;
    const double log_loss[] = {-6.2, -5.9, -6.5, -5.1};
    sb_result cells[4];
    for (int i = 0; i < 4; i++) cells[i] = made_cell(i + 1, log_loss[i]);
    sb_spreads s = measure(cells, 4);
    assert_int_equal(s.n, 1);
    const sb_spread_row *row = &s.spread->row[SB_SOURCE_SEED];
    assert_int_equal(row->n_pairs, 6);
    assert_int_equal(row->n_cells, 4);
    assert_true(fabs(row->sd[0] - 0.6020797289396149) < 1e-12); /* numpy.std(ddof=1), NumPy 2.4.6 */
    assert_true(row->share[0] == 1);
    assert_true(s.spread->row[SB_SOURCE_ULP].n_pairs == 0 && isnan(s.spread->row[SB_SOURCE_ULP].sd[0]));
    sb_spreads_free(&s);
}

/* One seed throughout: a base, and cells that differ from it in one thing each. */
static void one_source_at_a_time(void **state)
{
    (void)state;
    sb_result cells[9];
    for (int i = 0; i < 9; i++) cells[i] = made_cell(1, -6 + 0.01 * i);
    cells[1].ulp = 1;
    cells[2].ulp = 2;
    cells[3].arithmetic = "winograd";
    cells[4].target = SB_TARGET_SHARED;
    cells[5].backend = "openblas", cells[5].arithmetic = "", cells[5].blas_kernel = "Haswell", cells[5].threads = 4;
    cells[6] = cells[5], cells[6].hardware = "i5-4590",
    cells[6].evidence = SB_EVIDENCE_EMULATED; /* nothing but the name of a CPU */
    cells[7] = cells[5], cells[7].threads = 1;
    cells[8] = cells[5], cells[8].blas_kernel = "Zen", cells[8].hardware = "ryzen5-3600"; /* measured: two things */
    sb_spreads s = measure(cells, 9);
    const size_t wanted[SB_N_SOURCES] = {
        [SB_SOURCE_REPEAT] = 1,     /* 5 6 */
        [SB_SOURCE_ULP] = 3,        /* 0 1, 0 2, 1 2 */
        [SB_SOURCE_THREADS] = 2,    /* 5 7, 6 7 */
        [SB_SOURCE_ARITHMETIC] = 1, /* 0 3 */
        [SB_SOURCE_LIBRARY] = 6,    /* 0 and 3 with 5 6 7 */
        [SB_SOURCE_TARGET] = 1,     /* 0 4 */
    };
    for (int k = 0; k < SB_N_SOURCES; k++)
        if (s.spread->row[k].n_pairs != wanted[k])
            fail_msg("%s: %zu pairs, wanted %zu", sb_source_name[k], s.spread->row[k].n_pairs, wanted[k]);
    assert_true(s.spread->row[SB_SOURCE_REPEAT].sd[0] == 0);
    assert_int_equal(s.spread->row[SB_SOURCE_THREADS].evidence, SB_EVIDENCE_EMULATED);
    assert_int_equal(s.spread->row[SB_SOURCE_ULP].evidence, SB_EVIDENCE_MEASURED);
    double sum = 0;
    for (int k = 0; k < SB_N_SOURCES; k++)
        if (s.spread->row[k].n_pairs) sum += s.spread->row[k].share[1];
    assert_true(fabs(sum - 1) < 1e-12);
    sb_numbers numbers = {0};
    assert_int_equal(sb_spreads_add(&numbers, &s), SB_OK);
    const sb_number *ulp = sb_numbers_find(&numbers, "spread.made.ulp.loss-last");
    assert_true(ulp && ulp->n == 3 && ulp->n_cells == 3);
    assert_true(fabs(ulp->value - 0.01) < 1e-12); /* sqrt((1 + 4 + 1) / 6) / 100 */
    sb_numbers_free(&numbers);
    sb_spreads_free(&s);
}

static void recipes_stay_apart(void **state)
{
    (void)state;
    sb_result cells[4];
    for (int i = 0; i < 4; i++) cells[i] = made_cell(1 + i % 2, -6 + 0.1 * i);
    cells[2].channels = cells[3].channels = "3 16";
    sb_spreads s = measure(cells, 4);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.spread[0].row[SB_SOURCE_SEED].n_pairs, 1);
    assert_string_equal(s.spread[0].recipe, "prednet 3 16 on walk, 10 updates");
    assert_string_equal(s.spread[0].part, "made");
    assert_string_equal(s.spread[1].part, "made-2");
    sb_spreads_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_spread_as_their_sample_deviation),
        cmocka_unit_test(one_source_at_a_time),
        cmocka_unit_test(recipes_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
