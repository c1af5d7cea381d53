/* The seal of a file: what is written holds, no byte of it can change unnoticed, equal contents are equal files, and an
 * older file is read as before once it is sealed. */
#include "core/file.h"
#include "core/hash.h"
#include "io/h5/h5_attribute.h"
#include "io/seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

#define PATH "seal_test.h5"

static void write_small(const char *path, sb_seal_kind kind, int64_t number)
{
    sb_h5 *file;
    assert_int_equal(sb_h5_create(&file, path, kind), SB_OK);
    assert_int_equal(sb_h5_set_int(file, "", "number", number), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

static int64_t read_small(const char *path, unsigned kinds)
{
    sb_h5 *file;
    int64_t number = -1;
    assert_int_equal(sb_h5_open(&file, path, kinds), SB_OK);
    assert_int_equal(sb_h5_get_int(file, "", "number", &number), SB_OK);
    sb_h5_close(file);
    return number;
}

static char *content_of(const char *path, size_t *n_bytes)
{
    char *content;
    assert_int_equal(sb_file_read(path, &content, n_bytes), SB_OK);
    return content;
}

static void put(const char *path, const void *content, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, n_bytes, file), n_bytes);
    assert_int_equal(fclose(file), 0);
}

static void what_is_written_holds(void **state)
{
    (void)state;
    sb_seal seal;
    size_t n_bytes;
    write_small(PATH, SB_SEAL_TRACE, 7);
    char *content = content_of(PATH, &n_bytes);
    assert_int_equal(sb_seal_check(PATH, SB_SEAL_ANY, &seal), SB_OK);
    assert_int_equal(seal.kind, SB_SEAL_TRACE);
    assert_int_equal(seal.n_bytes, n_bytes);
    assert_false(seal.adopted);
    assert_int_equal(read_small(PATH, SB_SEAL_TRACE | SB_SEAL_DATA), 7);

    /* the digest as the header of seal.h has it, computed another way */
    char digest[SB_SHA256_TEXT];
    assert_memory_equal(content + 23, seal.sha256, 64);
    memset(content + 23, '0', 64);
    sb_sha256_bytes(content, n_bytes, digest);
    assert_string_equal(digest, seal.sha256);
    free(content);
}

static void equal_contents_are_equal_files(void **state)
{
    (void)state;
    size_t n[2];
    write_small(PATH, SB_SEAL_DATA, 7);
    write_small("seal_other.h5", SB_SEAL_DATA, 7);
    char *a = content_of(PATH, &n[0]), *b = content_of("seal_other.h5", &n[1]);
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(a, b, n[0]);
    free(a);
    free(b);
    unlink("seal_other.h5");
}

/* What sb_seal_read says; the bytes, if it gives any, are those of the file. */
static sb_status read_at_once(unsigned kinds)
{
    sb_seal seal;
    char *bytes;
    size_t n_bytes;
    const sb_status status = sb_seal_read(PATH, kinds, UINT64_MAX, &seal, &bytes);
    assert_int_equal(status == SB_OK, bytes != NULL);
    if (status != SB_OK) return status;
    char *content = content_of(PATH, &n_bytes);
    assert_int_equal(seal.n_bytes, n_bytes);
    assert_memory_equal(bytes, content, n_bytes);
    free(content);
    free(bytes);
    return status;
}

static void a_file_is_read_at_once(void **state)
{
    (void)state;
    sb_h5 *other;
    sb_seal seal;
    size_t n_bytes;
    char *bytes;
    int64_t number = -1;
    write_small(PATH, SB_SEAL_RUN, 7);
    write_small("seal_other.h5", SB_SEAL_RUN, 8);
    assert_int_equal(read_at_once(SB_SEAL_RUN), SB_OK);
    assert_int_equal(read_small(PATH, SB_SEAL_RUN | SB_SEAL_AT_ONCE), 7);

    /* two at a time are two files; what is in memory stays when the file goes */
    assert_int_equal(sb_h5_open(&other, "seal_other.h5", SB_SEAL_RUN | SB_SEAL_AT_ONCE | SB_SEAL_MET), SB_OK);
    unlink("seal_other.h5");
    assert_int_equal(read_small(PATH, SB_SEAL_RUN | SB_SEAL_AT_ONCE | SB_SEAL_CHECKED), 7);
    assert_int_equal(sb_h5_get_int(other, "", "number", &number), SB_OK);
    assert_int_equal(number, 8);
    assert_string_equal(sb_h5_path(other), "seal_other.h5");
    sb_h5_close(other);

    free(content_of(PATH, &n_bytes));
    assert_int_equal(sb_seal_read(PATH, SB_SEAL_RUN, n_bytes - 1, &seal, &bytes), SB_OK);
    assert_null(bytes);
    assert_int_equal(seal.n_bytes, n_bytes);
}

/* That the form was met before is no reason to believe the bytes. */
static void a_known_form_is_not_whole_bytes(void **state)
{
    (void)state;
    sb_h5 *file;
    size_t n_bytes;
    write_small(PATH, SB_SEAL_RUN, 7);
    char *content = content_of(PATH, &n_bytes);
    content[n_bytes - 1] ^= 1;
    put(PATH, content, n_bytes);
    free(content);
    assert_int_equal(sb_h5_open(&file, PATH, SB_SEAL_RUN | SB_SEAL_MET), SB_E_INTEGRITY);
    assert_int_equal(sb_h5_open(&file, PATH, SB_SEAL_RUN | SB_SEAL_AT_ONCE | SB_SEAL_MET), SB_E_INTEGRITY);
}

/* Each bit of each byte, one at a time. */
static void every_bit_is_noticed(void **state)
{
    (void)state;
    size_t n_bytes;
    write_small(PATH, SB_SEAL_CHECKPOINT, 7);
    char *content = content_of(PATH, &n_bytes);
    FILE *file = fopen(PATH, "r+b");
    assert_non_null(file);
    for (size_t i = 0; i < n_bytes; i++)
        for (int bit = 0; bit < 8; bit++) {
            const char changed = (char)(content[i] ^ 1 << bit);
            assert_int_equal(pwrite(fileno(file), &changed, 1, (off_t)i), 1);
            if (sb_seal_check(PATH, SB_SEAL_ANY, NULL) != SB_E_INTEGRITY || read_at_once(SB_SEAL_ANY) != SB_E_INTEGRITY)
                fail_msg("bit %d of byte %zu of %zu changed, and nothing was said", bit, i, n_bytes);
            assert_int_equal(pwrite(fileno(file), &content[i], 1, (off_t)i), 1);
        }
    fclose(file);
    assert_int_equal(sb_seal_check(PATH, SB_SEAL_ANY, NULL), SB_OK);
    free(content);
}

static void another_length_is_noticed(void **state)
{
    (void)state;
    size_t n_bytes;
    write_small(PATH, SB_SEAL_RUN, 7);
    char *content = content_of(PATH, &n_bytes);
    content = realloc(content, n_bytes + 1);
    content[n_bytes] = 0;
    const size_t lengths[] = {0, 1, 8, 22, 100, 511, 512, 513, n_bytes - 1, n_bytes + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        put(PATH, content, lengths[i]);
        assert_int_equal(sb_seal_check(PATH, SB_SEAL_ANY, NULL), SB_E_INTEGRITY);
        assert_int_equal(read_at_once(SB_SEAL_ANY), SB_E_INTEGRITY);
    }
    free(content);
}

static void another_kind_is_refused(void **state)
{
    (void)state;
    write_small(PATH, SB_SEAL_DATA, 7);
    assert_int_equal(sb_seal_check(PATH, SB_SEAL_RUNS, NULL), SB_E_USAGE);
    assert_string_equal(sb_message(),
                        PATH ": is a data set, not a finished run or checkpoint; samebits train --data reads it");
    assert_int_equal(read_at_once(SB_SEAL_RUNS), SB_E_USAGE);
    assert_string_equal(sb_message(),
                        PATH ": is a data set, not a finished run or checkpoint; samebits train --data reads it");
    /* in the place of a program's own file it is damage */
    assert_int_equal(sb_seal_check(PATH, SB_SEAL_RUNS | SB_SEAL_OWN, NULL), SB_E_INTEGRITY);
    sb_h5 *file;
    assert_int_equal(sb_h5_open(&file, PATH, SB_SEAL_RUN), SB_E_USAGE);
}

static void what_is_no_file_is_not_waited_for(void **state)
{
    (void)state;
    assert_int_equal(sb_seal_check("seal_none.h5", SB_SEAL_ANY, NULL), SB_E_USAGE);
    assert_int_equal(sb_seal_check("/dev/zero", SB_SEAL_ANY, NULL), SB_E_USAGE);
    assert_int_equal(sb_seal_check(".", SB_SEAL_ANY, NULL), SB_E_USAGE);
    unlink("seal_pipe");
    assert_int_equal(mkfifo("seal_pipe", 0600), 0);
    assert_int_equal(sb_seal_check("seal_pipe", SB_SEAL_ANY, NULL), SB_E_USAGE);
    unlink("seal_pipe");
}

/* A file as the first release wrote it has no block before it. */
static void an_older_file_is_sealed_once(void **state)
{
    (void)state;
    sb_h5 *file;
    sb_seal seal;
    write_small(PATH, SB_SEAL_FOREIGN, 9);
    assert_true(sb_seal_is_missing(PATH));
    assert_int_equal(sb_h5_open(&file, PATH, SB_SEAL_DATA), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "without a seal"));
    assert_int_equal(read_small(PATH, SB_SEAL_FOREIGN), 9);

    assert_int_equal(sb_seal_adopt(PATH, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_seal_check(PATH, SB_SEAL_DATA, &seal), SB_OK);
    assert_true(seal.adopted);
    assert_int_equal(read_small(PATH, SB_SEAL_DATA), 9);
    assert_int_equal(sb_seal_adopt(PATH, SB_SEAL_DATA), SB_E_INTEGRITY);
    assert_int_equal(sb_seal_check(PATH, SB_SEAL_DATA, NULL), SB_OK);
}

/* Damage of the seal's own first bytes must not make the file look like one that may be sealed anew. */
static void a_damaged_seal_is_not_a_missing_one(void **state)
{
    (void)state;
    size_t n_bytes;
    write_small(PATH, SB_SEAL_DATA, 9);
    char *content = content_of(PATH, &n_bytes);
    content[0] ^= 1;
    put(PATH, content, n_bytes);
    assert_false(sb_seal_is_missing(PATH));
    assert_int_equal(sb_seal_adopt(PATH, SB_SEAL_DATA), SB_E_INTEGRITY);
    free(content);
}

static int clean_up(void **state)
{
    (void)state;
    return unlink(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_written_holds, clean_up),
        cmocka_unit_test_teardown(equal_contents_are_equal_files, clean_up),
        cmocka_unit_test_teardown(a_file_is_read_at_once, clean_up),
        cmocka_unit_test_teardown(a_known_form_is_not_whole_bytes, clean_up),
        cmocka_unit_test_teardown(every_bit_is_noticed, clean_up),
        cmocka_unit_test_teardown(another_length_is_noticed, clean_up),
        cmocka_unit_test_teardown(another_kind_is_refused, clean_up),
        cmocka_unit_test(what_is_no_file_is_not_waited_for),
        cmocka_unit_test_teardown(an_older_file_is_sealed_once, clean_up),
        cmocka_unit_test_teardown(a_damaged_seal_is_not_a_missing_one, clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
