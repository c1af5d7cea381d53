/* The list of stamps: what is kept is found again, damaged lines are not, and what was dropped is gone at once. */
#include "core/file.h"
#include "matrix/store/stamps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define RESULTS "stamps_test"
#define LIST    RESULTS "/runs/stamps.ok"

/* Of the record with that number. */
static sb_stamp stamp_of(int number)
{
    sb_stamp stamp = {.file = {11328, 1700000000123456789, 1700000000123456790, 77},
                      .updates = 12,
                      .seconds = 1.0 / 3,
                      .cpu = "AMD EPYC 7R13"};
    snprintf(stamp.hash, sizeof stamp.hash, "%064x", number);
    stamp.file.inode += number;
    return stamp;
}

static const sb_stamp *find(const sb_stamps *stamps, int number)
{
    return sb_stamps_find(stamps, stamp_of(number).hash);
}

static sb_stamps *keep_many(int n)
{
    sb_stamps *stamps = sb_stamps_open(RESULTS);
    assert_non_null(stamps);
    for (int i = n; i-- > 0;) {
        sb_stamp stamp = stamp_of(i);
        sb_stamps_keep(stamps, &stamp);
    }
    return stamps;
}

static int begin(void **state)
{
    (void)state;
    sb_folder_remove(RESULTS);
    return sb_folder_make(RESULTS "/runs") == SB_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    sb_folder_remove(RESULTS);
    return 0;
}

static void a_line_says_what_the_stamp_does(void **state)
{
    (void)state;
    char line[SB_STAMP_LINE];
    sb_stamp stamp = stamp_of(3), read;
    sb_stamp_print(&stamp, line);
    assert_true(sb_stamp_parse(&read, line));
    assert_string_equal(read.hash, stamp.hash);
    assert_true(sb_stamp_is_of(&read, &stamp.file));
    assert_int_equal(read.updates, 12);
    assert_float_equal(read.seconds, 1.0 / 3, 1e-9);
    assert_string_equal(read.cpu, stamp.cpu);
    assert_false(read.diverged);
    for (size_t i = 0; line[i]; i++) {
        line[i] ^= 1;
        assert_false(sb_stamp_parse(&read, line));
        line[i] ^= 1;
    }
    read.file.changed_ns++;
    assert_false(sb_stamp_is_of(&read, &stamp.file));
}

/* A run that diverged is no other line than before, but for its updates. */
static void a_line_says_that_it_diverged(void **state)
{
    (void)state;
    char line[SB_STAMP_LINE];
    sb_stamp stamp = stamp_of(3), read;
    stamp.diverged = true;
    sb_stamp_print(&stamp, line);
    assert_non_null(strstr(line, " 12! 0.333"));
    assert_true(sb_stamp_parse(&read, line));
    assert_true(read.diverged);
    assert_int_equal(read.updates, 12);
    assert_float_equal(read.seconds, 1.0 / 3, 1e-9);
    assert_string_equal(read.cpu, stamp.cpu);
}

static void what_is_kept_is_found(void **state)
{
    (void)state;
    enum { N = 300 };
    sb_stamps_close(keep_many(N));
    assert_false(sb_file_exists(LIST ".part"));
    sb_stamps *stamps = sb_stamps_open(RESULTS);
    for (int i = 0; i < N; i++) {
        const sb_stamp *found = find(stamps, i);
        assert_non_null(found);
        assert_int_equal(found->file.inode, 77 + i);
    }
    assert_null(find(stamps, N));

    sb_stamp other = stamp_of(5); /* the run was made once more */
    other.file.inode = 1;
    sb_stamps_keep(stamps, &other);
    assert_int_equal(find(stamps, 5)->file.inode, 1);
    sb_stamps_close(stamps);
    stamps = sb_stamps_open(RESULTS);
    assert_int_equal(find(stamps, 5)->file.inode, 1);
    sb_stamps_close(stamps);
}

static void an_unchanged_list_is_not_written(void **state)
{
    (void)state;
    sb_stamps_close(keep_many(3));
    sb_stamps *stamps = sb_stamps_open(RESULTS);
    assert_int_equal(remove(LIST), 0);
    sb_stamps_close(stamps);
    assert_false(sb_file_exists(LIST));
}

static void a_damaged_line_is_no_stamp(void **state)
{
    (void)state;
    char *text;
    size_t n_bytes;
    sb_stamps_close(keep_many(3));
    assert_int_equal(sb_file_read(LIST, &text, &n_bytes), SB_OK);
    strchr(text, '\n')[30] ^= 1;                                     /* in the line of record 1 */
    assert_int_equal(sb_file_write(LIST, text, n_bytes - 1), SB_OK); /* and the last one has no end, but is whole */
    sb_stamps *stamps = sb_stamps_open(RESULTS);
    assert_non_null(find(stamps, 0));
    assert_null(find(stamps, 1));
    assert_non_null(find(stamps, 2));
    sb_stamps_close(stamps);
    assert_int_equal(sb_file_write(LIST, text, n_bytes - 5), SB_OK);
    stamps = sb_stamps_open(RESULTS);
    assert_null(find(stamps, 2));
    sb_stamps_close(stamps);
    free(text);
}

static void what_is_dropped_is_gone_at_once(void **state)
{
    (void)state;
    sb_stamps_close(keep_many(9));
    sb_stamps *stamps = sb_stamps_open(RESULTS);
    sb_stamps_drop(stamps, stamp_of(20).hash);
    assert_true(sb_file_exists(LIST)); /* nothing was taken out of it */
    sb_stamps_drop(stamps, stamp_of(4).hash);
    assert_false(sb_file_exists(LIST));
    assert_null(find(stamps, 4));
    assert_non_null(find(stamps, 3));
    assert_non_null(find(stamps, 5));
    sb_stamps_close(stamps);
    stamps = sb_stamps_open(RESULTS);
    assert_null(find(stamps, 4));
    assert_non_null(find(stamps, 8));
    sb_stamps_close(stamps);
}

/* Nowhere to write to, and no list at all. */
static void it_is_done_without(void **state)
{
    (void)state;
    sb_folder_remove(RESULTS);
    sb_fail(SB_E_EMPTY, "what was said before");
    sb_stamps_close(keep_many(3));
    assert_string_equal(sb_message(), "what was said before");
    assert_false(sb_file_exists(LIST));
    sb_stamp stamp = stamp_of(1);
    sb_stamps_keep(NULL, &stamp);
    sb_stamps_drop(NULL, stamp.hash);
    assert_null(sb_stamps_find(NULL, stamp.hash));
    sb_stamps_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_says_what_the_stamp_does),
        cmocka_unit_test(a_line_says_that_it_diverged),
        cmocka_unit_test_setup_teardown(what_is_kept_is_found, begin, end),
        cmocka_unit_test_setup_teardown(an_unchanged_list_is_not_written, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_line_is_no_stamp, begin, end),
        cmocka_unit_test_setup_teardown(what_is_dropped_is_gone_at_once, begin, end),
        cmocka_unit_test_setup_teardown(it_is_done_without, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
