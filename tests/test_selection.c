/* Where two runs chose other parents, or the same ones in another order: by eye. */
#include "support.h"

#include "inspect/generations.h"

#include <stdlib.h>
#include <string.h>

enum { N = 3, PARENTS = 3 };

static int ascending(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Two runs that are alike but for the parents of the second one, by rank. */
static sb_parents_compared compare(int64_t other[N][PARENTS])
{
    static int64_t ranked[2][N][PARENTS] = {{{5, 1, 9}, {4, 0, 2}, {7, 8, 3}}}, sets[2][N][PARENTS];
    static double chosen[N] = {3, 2, 1}, gap[N] = {0.5, 0.25, 0.125};
    sb_generations run[2];
    memcpy(ranked[1], other, sizeof ranked[1]);
    memcpy(sets, ranked, sizeof sets);
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < N; i++) qsort(sets[r][i], PARENTS, sizeof sets[r][i][0], ascending);
        run[r] = (sb_generations){N, PARENTS, ranked[r][0], sets[r][0], chosen, gap};
    }
    return sb_generations_compare(&run[0], &run[1]);
}

static void sets_and_orders(void **state)
{
    (void)state;
    sb_parents_compared s = compare((int64_t[N][PARENTS]){{5, 1, 9}, {4, 0, 2}, {7, 8, 3}});
    assert_true(!s.differs && !s.reordered && s.compared == N);

    /* another order, and behind it another set */
    s = compare((int64_t[N][PARENTS]){{5, 1, 9}, {4, 2, 0}, {7, 6, 3}});
    assert_true(s.reordered && s.order_generation == 1 && s.order_rank == 1);
    assert_true(s.differs && s.generation == 2 && s.n_other == 1 && s.gap[0] == 0.125);

    /* the first of two other orders, and no other set */
    s = compare((int64_t[N][PARENTS]){{1, 5, 9}, {4, 2, 0}, {7, 8, 3}});
    assert_true(s.reordered && s.order_generation == 0 && s.order_rank == 0 && !s.differs && s.compared == N);

    /* another set at once: its order says nothing, nor do the generations behind it */
    s = compare((int64_t[N][PARENTS]){{9, 1, 6}, {0, 4, 2}, {7, 8, 3}});
    assert_true(s.differs && s.generation == 0 && s.n_other == 1 && !s.reordered && s.compared == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_and_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
