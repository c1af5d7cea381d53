/* Lists of digests: the form of sha256sum, and what is none. */
#include "io/sums.h"

#include "core/file.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Of "a\n", from sha256sum of coreutils 9.1. */
#define DIGEST_A "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"

static void reads_what_sha256sum_writes(void **state)
{
    (void)state;
    sb_sums sums;
    const char *text = DIGEST_A "  a.csv\n" DIGEST_A "  with a space.csv\n";
    assert_int_equal(sb_sums_parse(&sums, text, strlen(text), "SUMS"), SB_OK);
    assert_int_equal(sums.n, 2);
    assert_string_equal(sb_sums_find(&sums, "a.csv"), DIGEST_A);
    assert_string_equal(sb_sums_find(&sums, "with a space.csv"), DIGEST_A);
    assert_null(sb_sums_find(&sums, "b.csv"));
    sb_sums_free(&sums);
}

static void refuses_other_lines(void **state)
{
    (void)state;
    static const char *const bad[] = {
        DIGEST_A "  cut",        DIGEST_A "\n",          "A" DIGEST_A "  a.csv\n", DIGEST_A "  \n",
        "87428fc5  short.csv\n", DIGEST_A "  a.csv\n\n", DIGEST_A "a a.csv\n",
        DIGEST_A " *a.csv\n",    DIGEST_A "  a.csv\n" DIGEST_A "  a.csv\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sb_sums sums;
        assert_int_equal(sb_sums_parse(&sums, bad[i], strlen(bad[i]), "SUMS"), SB_E_INTEGRITY);
        assert_non_null(strstr(sb_message(), "sha256sum"));
        assert_null(sums.item);
    }
}

/* What follows a zero byte would otherwise be dropped, and with it the digests of the files named there. */
static void refuses_a_zero_byte(void **state)
{
    (void)state;
    static const char text[] = DIGEST_A "  a.csv\n\0" DIGEST_A "  b.csv\n";
    sb_sums sums;
    assert_int_equal(sb_file_write("sums_zero", text, sizeof text - 1), SB_OK);
    assert_int_equal(sb_sums_read(&sums, "sums_zero"), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "sums_zero: holds a zero byte, so it is no list that sha256sum wrote");
    assert_null(sums.item);
    remove("sums_zero");
}

static void checks_files(void **state)
{
    (void)state;
    sb_sums sums;
    char *text;
    sb_writer *out = sb_writer_open(&sb_lines);
    sb_sums_write(out, "sums_a.csv", "a\n", 2);
    sb_sums_write(out, "sums_gone.csv", "a\n", 2);
    assert_int_equal(sb_writer_close(out, "sums", &text, NULL), SB_OK);
    assert_int_equal(strncmp(text, DIGEST_A "  sums_a.csv\n", strlen(DIGEST_A)), 0);
    assert_int_equal(sb_sums_parse(&sums, text, strlen(text), "SUMS"), SB_OK);
    assert_int_equal(sb_file_write("sums_a.csv", "a\n", 2), SB_OK);
    assert_int_equal(sb_sums_check(&sums, ".", "sums_a.csv"), SB_OK);
    assert_int_equal(sb_sums_check(&sums, ".", "sums_gone.csv"), SB_E_INTEGRITY);
    assert_int_equal(sb_sums_check(&sums, ".", "sums_unnamed.csv"), SB_E_INTEGRITY);
    assert_int_equal(sb_file_write("sums_a.csv", "b\n", 2), SB_OK);
    assert_int_equal(sb_sums_check(&sums, ".", "sums_a.csv"), SB_E_INTEGRITY);
    assert_string_equal(sb_message(),
                        "./sums_a.csv: changed since it was collected; its SHA-256 is not the one in SHA256SUMS");
    remove("sums_a.csv");
    sb_sums_free(&sums);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_sha256sum_writes),
        cmocka_unit_test(refuses_other_lines),
        cmocka_unit_test(refuses_a_zero_byte),
        cmocka_unit_test(checks_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
