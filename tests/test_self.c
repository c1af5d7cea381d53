/* How the program finds what runs it, from the command lines of the kernel and of its own. */
#include "core/machine/self.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BEFORE(kernel, own, path) sb_self_words_before(kernel, sizeof kernel, own, sizeof own, path)

static void words_of_an_emulator_stand_before_its_program(void **unused)
{
    (void)unused;
    assert_int_equal(BEFORE("qemu-aarch64\0-cpu\0max\0./sb\0info", "./sb\0info", "/home/sb"), 3);
    assert_int_equal(BEFORE("qemu-s390x\0./sb\0info", "./sb\0info", "/home/sb"), 1);
    assert_int_equal(BEFORE("qemu-s390x\0-L\0\0./sb\0info", "./sb\0info", "/home/sb"), 3); /* an empty word */
}

static void none_where_the_kernel_starts_it(void **unused)
{
    (void)unused;
    assert_int_equal(BEFORE("./sb\0info", "./sb\0info", "/home/sb"), 0);
    /* registered with the kernel, which tells the emulator the program's file and then its command line */
    assert_int_equal(BEFORE("/usr/bin/qemu-aarch64\0/home/sb\0./sb\0info", "./sb\0info", "/home/sb"), 0);
    /* command lines that are not each other's */
    assert_int_equal(BEFORE("qemu-aarch64\0./other\0info", "./sb\0info", "/home/sb"), 0);
    assert_int_equal(BEFORE("qemu-aarch64\0-cpu\0max./sb\0info", "./sb\0info", "/home/sb"), 0);
    assert_int_equal(BEFORE("info", "./sb\0info", "/home/sb"), 0);
}

static void here_it_is_itself(void **unused)
{
    (void)unused;
    char name[] = "self", option[] = "--again", *argv[] = {name, option, NULL};
    sb_self self;
    assert_int_equal(sb_self_find(&self, argv), SB_OK);
    size_t n = 0;
    while (self.argv[n]) n++;
    assert_int_equal(access(self.path, X_OK), 0);
    assert_string_equal(self.argv[n - 1], "--again");
    if (strcmp(self.path, "/proc/self/exe") == 0)
        assert_string_equal(self.argv[0], "self"); /* else below an emulator */
    sb_self_free(&self);
}

static void programs_next_to_it(void **unused)
{
    (void)unused;
    char own[SB_PATH_MAX], path[SB_PATH_MAX], name[SB_PATH_MAX];
    assert_true(sb_self_neighbor("test_self", own));
    assert_int_equal(*own, '/');
    assert_string_equal(strrchr(own, '/'), "/test_self");
    assert_false(sb_self_neighbor("no-such-program", path));
    const size_t folder = (size_t)(strrchr(own, '/') + 1 - own);
    assert_memory_equal(path, own, folder);
    assert_string_equal(path + folder, "no-such-program");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_false(sb_self_neighbor(name, path));
    assert_string_equal(path, name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_an_emulator_stand_before_its_program),
                                       cmocka_unit_test(none_where_the_kernel_starts_it),
                                       cmocka_unit_test(here_it_is_itself), cmocka_unit_test(programs_next_to_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
