/* Files over which the HDF5 library itself breaks down: it does so in a process beside this one, the file is refused
 * with a sentence, and the next file is read as ever. */
#include "craft.h"

#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"

#include <unistd.h>

static const char *const path = "test_crafted_library.h5", *const good = "test_crafted_library_good.h5";
/* The library lists all attributes of an object before it hands over the first; one that it cannot make out is a place
 * in that list where there is nothing, which it then frees. */
static const char name[] = "an attribute that is easily found";

static void make(const char *file)
{
    craft c = craft_begin(file);
    for (int i = 0; i < 20; i++) {
        char other[8];
        snprintf(other, sizeof other, "a%d", i);
        craft_int(c, "/", i == 10 ? name : other, 1);
    }
    craft_counts(c, "numbers", 3, 1);
    craft_end(c);
    assert_int_equal(sb_seal_write(file, SB_SEAL_DATA), SB_OK);
}

/* Sixteen bits before the attribute's name become 0xffff: the sizes of the name, of its type and of its space, and of
 * the message that they stand in. */
static void patch_before_name(size_t distance)
{
    char *content;
    size_t n_bytes, at = 0;
    make(path);
    assert_int_equal(sb_file_read(path, &content, &n_bytes), SB_OK);
    while (at + sizeof name <= n_bytes && memcmp(content + at, name, sizeof name) != 0) at++;
    assert_true(at >= distance && at + sizeof name <= n_bytes);
    memset(content + at - distance, 0xff, 2);
    assert_int_equal(sb_file_write(path, content, n_bytes), SB_OK);
    assert_int_equal(sb_seal_write(path, SB_SEAL_DATA), SB_OK);
    free(content);
}

static void expect_good(void)
{
    sb_h5 *file;
    int64_t value;
    assert_int_equal(sb_h5_open(&file, good, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_get_int(file, "", name, &value), SB_OK);
    assert_int_equal(value, 1);
    sb_h5_close(file);
}

static void it_breaks_down_elsewhere(void **state)
{
    (void)state;
    size_t n_breakdowns = 0;
    make(good);
    for (size_t distance = 2; distance <= 16; distance += 2) {
        sb_h5 *file;
        patch_before_name(distance);
        sb_status status = sb_h5_open(&file, path, SB_SEAL_DATA);
        bool broke_down = status != SB_OK && strstr(sb_message(), path) &&
                          strstr(sb_message(), "the HDF5 library breaks down over it");
        n_breakdowns += broke_down;
        if (status == SB_OK)
            sb_h5_close(file); /* bytes that mean nothing */
        else
            assert_int_equal(status, SB_E_INTEGRITY);
        expect_good();
    }
    if (H5_VERSION_GE(1, 14, 0)) return; /* it refuses these bytes, or reads on */
    assert_true(n_breakdowns > 0);       /* else this test has lost its subject */
}

/* Longer than the process beside waits for work. */
static void it_is_started_again(void **state)
{
    (void)state;
    make(good);
    expect_good();
    usleep(400000);
    expect_good();
}

static int remove_files(void **state)
{
    (void)state;
    unlink(path);
    return unlink(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(it_breaks_down_elsewhere, remove_files),
        cmocka_unit_test_teardown(it_is_started_again, remove_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
