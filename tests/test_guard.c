/* A call in a process of its own: what it finds comes back, and its crash is a status. */
#include "core/machine/guard.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

typedef struct found {
    int number;
    char text[100000]; /* more than a pipe holds */
} found;

static sb_status find(void *context, void *result)
{
    found *f = result;
    f->number += *(int *)context;
    memset(f->text, 'x', sizeof f->text);
    return sb_fail(SB_E_EMPTY, "only this far");
}

static void what_is_found_comes_back(void **state)
{
    (void)state;
    static found f;
    f.number = 40;
    assert_int_equal(sb_guard_call(find, &(int){2}, "file", &f, sizeof f), SB_E_EMPTY);
    assert_string_equal(sb_message(), "only this far");
    assert_int_equal(f.number, 42);
    assert_int_equal(f.text[sizeof f.text - 1], 'x');
}

/* By a signal, whose handler in this process would hold it up, or by leaving. */
static sb_status crash(void *context, void *result)
{
    int how = *(int *)context;
    *(int *)result = 1;
    if (how) raise(how);
    _exit(3);
}

static void a_crash_is_a_status(void **state)
{
    (void)state;
    static const int ways[] = {SIGSEGV, SIGABRT, SIGBUS, 0};
    signal(SIGSEGV, SIG_IGN);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int result = 7, way = ways[i];
        assert_int_equal(sb_guard_call(crash, &way, "bad.h5", &result, sizeof result), SB_E_INTEGRITY);
        assert_non_null(strstr(sb_message(), "bad.h5: a process that read it crashed"));
        assert_int_equal(result, 7);
    }
    signal(SIGSEGV, SIG_DFL);
    int killed = SIGKILL, result;
    assert_int_equal(sb_guard_call(crash, &killed, "big.h5", &result, sizeof result), SB_E_MEMORY);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left behind */
}

/* The second waits for what the third one says; they are ended in another order than they began. */
static sb_status pass_on(void *context, void *result)
{
    const int *end = context;
    char byte = 'x';
    const bool passed = end[0] >= 0 ? read(end[0], &byte, 1) == 1 : write(end[1], &byte, 1) == 1;
    *(int *)result += passed;
    return SB_OK;
}

static void several_are_under_way_at_a_time(void **state)
{
    (void)state;
    int ends[2], waits[] = {0, -1}, tells[] = {-1, 0}, crashes = SIGSEGV, number[] = {10, 20, 30};
    sb_guard guard[3];
    assert_int_equal(pipe(ends), 0);
    waits[0] = ends[0], tells[1] = ends[1];
    assert_int_equal(sb_guard_start(&guard[0], crash, &crashes, "bad.h5", &number[0], sizeof *number), SB_OK);
    assert_int_equal(sb_guard_start(&guard[1], pass_on, waits, "a.h5", &number[1], sizeof *number), SB_OK);
    assert_int_equal(sb_guard_start(&guard[2], pass_on, tells, "b.h5", &number[2], sizeof *number), SB_OK);
    assert_int_equal(sb_guard_end(&guard[1], "a.h5", &number[1], sizeof *number), SB_OK);
    assert_int_equal(sb_guard_end(&guard[0], "bad.h5", &number[0], sizeof *number), SB_E_INTEGRITY);
    assert_int_equal(sb_guard_end(&guard[2], "b.h5", &number[2], sizeof *number), SB_OK);
    assert_int_equal(number[0], 10);
    assert_int_equal(number[1], 21);
    assert_int_equal(number[2], 31);
    close(ends[0]), close(ends[1]);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_comes_back),
        cmocka_unit_test(a_crash_is_a_status),
        cmocka_unit_test(several_are_under_way_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
