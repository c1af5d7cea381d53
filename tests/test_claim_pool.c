/* Claims that pool data sets: what they say of a new one, how often the effect is above 1, and what varies it. */
#define CLAIM_FILE "claim_pool_test.yaml"
#include "claim_trial.h"

#include <math.h>

/* Five videos: an effect that is in all of them, one that is in them by halves, one against, four videos. */
static void a_pool_speaks_of_a_new_video(void **state)
{
    (void)state;
    static const char *const study[] = {"a", "b", "c", "d", "e"};
    static const struct {
        double shift[5];
        int n;
        const char *wanted;
        bool one_data;
    } cases[] = {{{0.3, 0.32, 0.28, 0.31, 0.29}, 5, "supported"},
                 {{0.6, 0, 0.5, 0.02, 0.3}, 5, "not supported"},
                 {{-0.3, -0.32, -0.28, -0.31, -0.29}, 5, "refuted"},
                 {{0.3, 0.32, 0.28, 0.31}, 4, "undetermined"},
                 {{0.3, 0.32, 0.28, 0.31, 0.29}, 5, "undetermined", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sb_result cell[MAX];
        sb_claims claims;
        size_t n = 0;
        for (int i = 0; i < cases[k].n; i++) {
            const size_t first = n;
            n += make_study(cell + n, study[i], "native", 6, cases[k].shift[i], 0.001);
            for (size_t c = first; c < n; c++) cell[c].data_digest = cases[k].one_data ? "1" : study[i];
        }
        sb_claim_result result = judge_claim("samebits", "loss_last", cell, n, "greater",
                                             "    of: {target: shared}\n    over: {target: copy}\n    each: setting\n"
                                             "    pool: data\n    seeds: '6'\n",
                                             &claims);
        assert_int_equal(result.pool.n, cases[k].n);
        assert_string_equal(sb_outcome_name[result.outcome], cases[k].wanted);
        if (k == 0) assert_float_equal(result.pool.ratio, exp(0.3), 0.01);
        /* mean 0.3, sd 0.0158, t of 4 degrees of freedom 2.776, sqrt(1 + 1/5); starts and rest hardly vary */
        if (k == 0) assert_float_equal(log(result.pool.new_high), 0.3 + 2.776 * 0.01581 * sqrt(1.2), 0.003);
        if (k == 0) assert_float_equal(result.pool.effects.data.sd, 0.01581, 0.001);
        if (k == 0) assert_int_equal(result.pool.effects.n_starts, 6);
        sb_claims_free(&claims);
    }
}

/* Of 14 videos all, 11 or 2 have an effect above 1: exact binomial tests against three quarters. */
static void a_fraction_counts_videos(void **state)
{
    (void)state;
    static const char *const study[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"};
    static const struct {
        size_t n_above;
        const char *wanted;
        double p;
    } cases[] = {{14, "supported", 0.017818}, {11, "not supported", NAN}, {2, "refuted", 3.2112e-6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sb_result cell[14 * 8];
        sb_claims claims;
        size_t n = 0;
        for (size_t i = 0; i < 14; i++) {
            const size_t first = n;
            n +=
                make_study(cell + n, study[i], "native", 4, i < cases[k].n_above ? 0.3 + 0.1 * (double)i : -0.2, 0.001);
            for (size_t c = first; c < n; c++) cell[c].data_digest = study[i];
        }
        sb_claim_result result = judge_claim("samebits", "loss_last", cell, n, "greater",
                                             "    of: {target: shared}\n    over: {target: copy}\n    each: setting\n"
                                             "    pool: data\n    fraction: '0.75'\n    seeds: '4'\n",
                                             &claims);
        assert_int_equal(result.pool.n_above, cases[k].n_above);
        assert_string_equal(sb_outcome_name[result.outcome], cases[k].wanted);
        if (isnan(cases[k].p))
            assert_true(isnan(result.p));
        else
            assert_float_equal(result.p, cases[k].p, 0.01 * cases[k].p);
        sb_claims_free(&claims);
    }
}

/* Five videos and one of them in three more orders: the variance divides, and what decides does not change. One video
 * lacks two of the starts, and no pair of the others is left out. */
static void orders_divide_the_variance(void **state)
{
    (void)state;
    static const char *const study[] = {"a", "b", "c", "d", "e", "e-2", "e-3", "e-4"};
    static const double shift[] = {0.3, 0.4, 0.2, 0.5, 0.1, 0.12, 0.08, 0.1};
    static const char lines[] =
        "    of: {study: a|b|c|d|e, target: shared}\n    over: {study: a|b|c|d|e, target: copy}\n"
        "    each: setting\n    pool: data\n";
    char with_orders[256];
    sb_result cell[2 * MAX];
    sb_claims claims, divided;
    sb_pool_row row[SB_POOL_ROWS];
    size_t n = 0;
    for (int i = 0; i < 8; i++) {
        const size_t first = n;
        n += make_study(cell + n, study[i], "native", i == 3 ? 4 : 6, shift[i], 0.001);
        for (size_t c = first; c < n; c++) cell[c].data_digest = study[i];
    }
    snprintf(with_orders, sizeof with_orders, "%s    orders: e|e-2|e-3|e-4\n", lines);
    const sb_claim_result whole = judge_claim("samebits", "loss_last", cell, n, "greater", lines, &claims);
    const sb_claim_result result = judge_claim("samebits", "loss_last", cell, n, "greater", with_orders, &divided);
    assert_true(result.pool.effects.n_starts == 6 && result.pool.effects.n == 28 && !result.pool.effects.complete);
    assert_true(result.pool.new_low == whole.pool.new_low && result.outcome == whole.outcome);
    assert_int_equal(sb_claim_pool_rows(&whole.pool, row), 3);
    assert_int_equal(sb_claim_pool_rows(&result.pool, row), 5);
    assert_string_equal(row[3].name, "order");
    assert_float_equal(row[3].sd, sqrt(0.0008 / 3), 0.001); /* of 0.1, 0.12, 0.08, 0.1 */
    assert_int_equal(row[3].n, 4);
    assert_float_equal(row[1].sd, sqrt(0.025), 0.002); /* of 0.1 to 0.5 */
    assert_float_equal(row[2].sd, sqrt(0.025 - 0.0008 / 3), 0.002);
    assert_true(row[0].share + row[1].share + row[4].share < 1 + 1e-12 && row[1].share > 0.99);
    sb_claims_free(&claims);
    sb_claims_free(&divided);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_speaks_of_a_new_video),
        cmocka_unit_test(a_fraction_counts_videos),
        cmocka_unit_test(orders_divide_the_variance),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
