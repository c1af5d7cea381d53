/* The table of characters: what is collected, looked up and written back, for bytes and for UTF-8. */
#include "support.h"

#include "io/characters.h"

#include <string.h>
#include <unistd.h>

static sb_characters table_of(const char *text, bool is_bytes)
{
    sb_characters table;
    assert_int_equal(sb_characters_collect(&table, "a.txt", text, strlen(text), is_bytes), SB_OK);
    return table;
}

static void expect_refused(const char *text, size_t n, bool is_bytes, const char *sentence)
{
    sb_characters table;
    assert_int_equal(sb_characters_collect(&table, "a.txt", text, n, is_bytes), SB_E_USAGE);
    assert_string_equal(sb_message(), sentence);
}

static void the_table_ascends(void **state)
{
    (void)state;
    const sb_characters table = table_of("hello\n", false);
    assert_int_equal(table.n, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(table.code[i], "\nehlo"[i]);
}

/* One character of each length, and the last one of all. */
static void tokens_become_the_same_text(void **state)
{
    (void)state;
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBFz";
    for (int is_bytes = 0; is_bytes < 2; is_bytes++) {
        const sb_characters table = table_of(text, is_bytes);
        uint8_t token[sizeof text];
        char back[sizeof text + SB_CHARACTER_BYTES];
        size_t n, used = 0;
        assert_int_equal(sb_characters_encode(&table, "a.txt", text, strlen(text), token, &n), SB_OK);
        assert_int_equal(n, is_bytes ? strlen(text) : 6);
        for (size_t i = 0; i < n; i++) used += sb_characters_text(&table, token[i], back + used);
        assert_int_equal(used, strlen(text));
        assert_memory_equal(back, text, used);
    }
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    char all[4 * 257];
    size_t n = 0;
    for (uint32_t code = 0x100; code <= 0x200; code++) {
        all[n++] = (char)(0xC0 | code >> 6);
        all[n++] = (char)(0x80 | (code & 0x3F));
    }
    expect_refused("", 0, true, "a.txt: empty");
    expect_refused("aaa", 3, false, "a.txt: the same character all over; nothing can be learned");
    expect_refused("ab\xFF", 3, false, "a.txt: byte 3 is no UTF-8");
    expect_refused("ab\xC3", 3, false, "a.txt: byte 3 is no UTF-8");
    expect_refused("a\xED\xA0\x80", 4, false, "a.txt: byte 2 is no UTF-8");
    expect_refused("\xC0\x80", 2, false, "a.txt: byte 1 is no UTF-8");
    expect_refused(all, n, false, "a.txt: 257 different characters, and 256 are the most; --as bytes takes any file");
    assert_int_equal(table_of("ab\xFF", true).n, 3);
}

static void a_character_outside_the_table(void **state)
{
    (void)state;
    uint8_t token[8];
    size_t n;
    const sb_characters letters = table_of("abc", false), bytes = table_of("abc", true);
    assert_int_equal(sb_characters_encode(&letters, "b.txt", "ab\xC3\xA9", 4, token, &n), SB_E_USAGE);
    assert_string_equal(sb_message(), "b.txt: byte 3 is of U+00E9, which is not among the 3 characters of the table");
    assert_int_equal(sb_characters_encode(&bytes, "b.txt", "\xC3", 1, token, &n), SB_E_USAGE);
    assert_string_equal(sb_message(), "b.txt: byte 1 is of 0x00C3, which is not among the 3 characters of the table");
}

/* To a file and back; a table that does not ascend, or of codes that are no bytes, is none. */
static void a_file_has_a_table(void **state)
{
    (void)state;
    static const char *const path = "test_characters.h5";
    static const sb_characters wrong[] = {{3, true, {1, 1, 2}}, {2, true, {0, 256}}, {2, false, {0, 0x110000}}, {1, true, {7}}};
    const sb_characters right = table_of("a\xC3\xA9z", false);
    for (int i = -1; i < 4; i++) {
        sb_h5 *file;
        sb_characters got;
        assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
        assert_int_equal(sb_characters_write(i < 0 ? &right : &wrong[i], file), SB_OK);
        assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
        assert_int_equal(sb_h5_open(&file, path, SB_SEAL_DATA), SB_OK);
        assert_int_equal(sb_characters_read(&got, file), i < 0 ? SB_OK : SB_E_INTEGRITY);
        if (i < 0) assert_true(sb_characters_equal(&got, &right));
        sb_h5_close(file);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_ascends),           cmocka_unit_test(tokens_become_the_same_text),
        cmocka_unit_test(what_is_no_text_is_refused),  cmocka_unit_test(a_character_outside_the_table),
        cmocka_unit_test(a_file_has_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
