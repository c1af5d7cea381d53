#include "train/overfit.h"

#include "support.h"

#include <math.h>

static sb_overfit of(size_t patience, double min_delta, size_t n, const double *validation, const double *training)
{
    sb_run_validation row[8] = {0};
    assert_true(n <= sizeof row / sizeof *row);
    for (size_t i = 0; i < n; i++) row[i].cross_entropy = validation[i], row[i].train_loss = training[i];
    return sb_overfit_of(patience, min_delta, n, row);
}

static void assert_found(sb_overfit found, size_t best, size_t at)
{
    assert_int_equal(found.best, best);
    assert_int_equal(found.at, at);
}

static void patience_is_counted_from_the_best(void **unused)
{
    (void)unused;
    const double validation[] = {3, 2, 2.5, 2.4, 2.2, 1}, training[] = {3, 2, 1, 0.9, 0.8, 0.7};
    assert_found(of(2, 0, 3, validation, training), 2, 0);
    assert_found(of(2, 0, 4, validation, training), 2, 4);
    assert_found(of(3, 0, 5, validation, training), 2, 5);
    assert_found(of(4, 0, 6, validation, training), 6, 0);
    assert_found(of(2, 0, 6, validation, training), 6, 4); /* a better one later does not unsay it */
}

/* s = 3, 2.5, 2.75, 3.875: a loss of training that rises is no overfitting, but trouble of another kind. */
static void training_must_still_fall(void **unused)
{
    (void)unused;
    const double validation[] = {3, 2, 2.5, 2.4}, rises[] = {3, 2, 3, 5}, falls[] = {3, 2, 2.4, 2.4};
    assert_found(of(2, 0, 4, validation, rises), 2, 0);
    assert_found(of(2, 0, 4, validation, falls), 2, 4); /* s = 3, 2.5, 2.45, 2.425 */
}

static void better_is_by_more_than_min_delta(void **unused)
{
    (void)unused;
    const double validation[] = {3, 2.75, 2.5, 2.25}, training[] = {4, 3, 2, 1};
    assert_found(of(1, 0.25, 4, validation, training), 3, 2);
    assert_found(of(1, 0, 4, validation, training), 4, 0);
}

static void no_number_is_not_better(void **unused)
{
    (void)unused;
    const double validation[] = {NAN, 3, NAN, NAN}, training[] = {4, 3, 2, 1};
    assert_found(of(2, 0, 4, validation, training), 2, 4);
    assert_found(of(2, 0, 1, validation, training), 0, 0);
    assert_found(of(2, 0, 0, validation, training), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patience_is_counted_from_the_best), cmocka_unit_test(training_must_still_fall),
        cmocka_unit_test(better_is_by_more_than_min_delta), cmocka_unit_test(no_number_is_not_better)};
    return cmocka_run_group_tests_name("overfit", tests, NULL, NULL);
}
