/* Sizes from outside: products that do not fit are refused, and a list that grows keeps what it has. */
#include "support.h"

#include "core/size.h"

#include <stdlib.h>

static void products_that_wrap_are_refused(void **state)
{
    (void)state;
    size_t product;
    assert_true(sb_size_multiply(SB_SIZE_MAX / 2, 2, &product));
    assert_int_equal(product, SB_SIZE_MAX - 1);
    assert_false(sb_size_multiply(SB_SIZE_MAX / 2 + 1, 2, &product));
    assert_int_equal(product, 0);
    assert_null(sb_size_allocate(SB_SIZE_MAX, 2));
}

static void a_list_keeps_what_it_has(void **state)
{
    (void)state;
    int64_t *list = NULL;
    size_t room = 0, n_times = 0;
    for (size_t i = 0; i < 1000; i++) {
        const size_t before = room;
        assert_true(sb_size_reserve(&list, &room, i + 1, sizeof *list));
        assert_true(room > i);
        assert_int_equal(list[i], 0);
        list[i] = (int64_t)i;
        n_times += room != before;
    }
    for (size_t i = 0; i < 1000; i++) assert_int_equal(list[i], i);
    for (size_t i = 1000; i < room; i++) assert_int_equal(list[i], 0);
    assert_true(n_times < 12);
    free(list);
}

static void a_list_without_memory_stays(void **state)
{
    (void)state;
    int64_t *list = NULL;
    size_t room = 0;
    assert_true(sb_size_reserve(&list, &room, 3, sizeof *list));
    const int64_t *before = list;
    const size_t room_before = room;
    list[2] = 7;
    assert_false(sb_size_reserve(&list, &room, SB_SIZE_MAX, sizeof *list));
    assert_false(sb_size_reserve(&list, &room, SB_SIZE_MAX / 4, sizeof *list));
    assert_true(list == before && room == room_before && list[2] == 7);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_that_wrap_are_refused),
        cmocka_unit_test(a_list_keeps_what_it_has),
        cmocka_unit_test(a_list_without_memory_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
