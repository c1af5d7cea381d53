/* How programs of ours end, as a status: by an exit code, killed, with a code that none of them has. */
#include "matrix/process/process.h"

#include <unistd.h>

#include "support.h"

/* Of a shell that runs this text. */
static sb_status status_after(const char *script)
{
    sb_argv argv = {0};
    int end = -1;
    sb_argv_add_pair(&argv, "sh", "-c");
    sb_argv_add(&argv, script);
    assert_int_equal(sb_process_run(&end, &argv, STDERR_FILENO), SB_OK);
    sb_argv_free(&argv);
    return sb_process_status(end);
}

static void an_exit_code_is_a_status_again(void **unused)
{
    (void)unused;
    for (sb_status status = SB_OK; status < SB_E_INTERRUPTED; status++) {
        const sb_status again = sb_status_of_exit(sb_exit_code(status), SB_E_INTERRUPTED);
        assert_int_not_equal(again, SB_E_INTERRUPTED);
        assert_int_equal(sb_exit_code(again), sb_exit_code(status));
    }
    assert_int_equal(sb_status_of_exit(1, SB_E_IO), SB_E_DIFFERS);
    assert_int_equal(sb_status_of_exit(99, SB_E_IO), SB_E_IO);
    assert_int_equal(sb_status_of_exit(130, SB_E_USAGE), SB_E_USAGE);
}

static void a_killed_program_found_no_difference(void **unused)
{
    (void)unused;
    assert_int_equal(status_after("exit 0"), SB_OK);
    assert_int_equal(status_after("exit 1"), SB_E_DIFFERS);
    assert_int_equal(status_after("exit 7"), SB_E_INTEGRITY);
    assert_int_equal(status_after("exit 99"), SB_E_IO);
    assert_int_equal(status_after("kill -KILL $$"), SB_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_exit_code_is_a_status_again),
                                       cmocka_unit_test(a_killed_program_found_no_difference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
