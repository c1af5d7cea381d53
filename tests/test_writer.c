/* Documents in other languages: what is ours goes out as it is, what is of others cannot leave its place. */
#include "support.h"

#include "core/text/shell.h"
#include "core/text/text.h"
#include "core/text/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A language that shows where its texts begin and end, and whether they stand in quotes. */
static void write_shown(FILE *out, const char *text, bool quoted)
{
    fprintf(out, quoted ? "{%s}" : "[%s]", text);
}

static const sb_language shown = {.name = "a language", .text = write_shown};
static const sb_language lines = {.name = "a language", .text = write_shown, .lines = true};
static const sb_language exact = {.name = "a language", .text = write_shown, .exact = true};

static void assert_document(sb_writer *writer, const char *wanted)
{
    char *text;
    size_t n;
    assert_int_equal(sb_writer_close(writer, "it", &text, &n), SB_OK);
    assert_string_equal(text, wanted);
    assert_int_equal(n, strlen(wanted));
    free(text);
}

/* Every conversion, held against printf's own. */
static void numbers_are_printf_s(void **state)
{
    (void)state;
    char wanted[512];
#define EVERY(print, to)                                                                                               \
    print(to, "%d|%5i|%-4u|%#x|%X|%o|%%|%ld|%lu|%lld|%llx|%zu|%zd|%hd|%+d|%05d|%.3g|%8.2f|%e|%a|%G|%.*f|%g", -3, 4,    \
          5U, 255U, 255U, 8U, -5000000000L, 5000000000UL, -7LL, 0xABCDEF012345LL, (size_t)9, (ptrdiff_t)-9, (short)6,  \
          7, 8, 3.14159, -1.5, 1e-9, 0.1, 1e20, 2, 2.71828, NAN)
    EVERY(sprintf, wanted);
    sb_writer *writer = sb_writer_open(&shown);
    EVERY(sb_write, writer);
    assert_document(writer, wanted);
}

static void texts_go_through_the_language(void **state)
{
    (void)state;
    sb_writer *writer = sb_writer_open(&shown);
    sb_write(writer, "a %s b '%s' c ", "one", "two");
    sb_write(writer, "%s", "three");
    sb_write(writer, " %c %.2s %.*s %s", 'x', "four", 3, "five", "%d");
    sb_write_raw(writer, SB_RAW("<%s>"));
    sb_write_text(writer, "sixteen", 3);
    assert_document(writer, "a [one] b '{two}' c [three] [x] [fo] [fiv] [%d]<%s>[six]");
}

/* What no language is given: controls, bytes that are no UTF-8, marks of direction, codes that are no characters. */
static void texts_are_plain(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted, *with_lines;
    } cases[] = {
        {"a\nb\tc", "[a b c]", "[a\nb\tc]"},
        {"a\x01\x1B[2J\x7F\r", "[a\xEF\xBF\xBD\xEF\xBF\xBD[2J\xEF\xBF\xBD\xEF\xBF\xBD]", NULL},
        {"\xC3\xA9\xE2\x86\x92\xF0\x9F\x98\x80", "[\xC3\xA9\xE2\x86\x92\xF0\x9F\x98\x80]", NULL},
        {"\xC3", "[\xEF\xBF\xBD]", NULL}, /* cut short */
        {"\x80z\xFF", "[\xEF\xBF\xBDz\xEF\xBF\xBD]", NULL},
        {"\xC0\xBC", "[\xEF\xBF\xBD\xEF\xBF\xBD]", NULL},                 /* '<' in two bytes */
        {"\xED\xA0\x80", "[\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD]", NULL}, /* half of a pair */
        {"\xC2\x9B", "[\xEF\xBF\xBD\xEF\xBF\xBD]", NULL},                 /* a terminal's escape in two bytes */
        {"\xE2\x80\xAE", "[\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD]", NULL}, /* from right to left */
        {"\xEF\xBF\xBF", "[\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD]", NULL}, /* no character */
        {"", "[]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_writer *writer = sb_writer_open(&shown);
        sb_write(writer, "%s", cases[i].text);
        assert_document(writer, cases[i].wanted);
        writer = sb_writer_open(&lines);
        sb_write(writer, "%s", cases[i].text);
        assert_document(writer, cases[i].with_lines ? cases[i].with_lines : cases[i].wanted);
    }
}

static void an_exact_language_refuses(void **state)
{
    (void)state;
    char *text;
    sb_writer *writer = sb_writer_open(&exact);
    sb_write(writer, "%s", "caf\xE9 \xC3\xA9"); /* a path may hold any byte */
    assert_document(writer, "[caf\xE9 \xC3\xA9]");
    writer = sb_writer_open(&exact);
    sb_write(writer, "%s %s", "a\nb", "c\x1B");
    assert_int_equal(sb_writer_close(writer, "job.sh", &text, NULL), SB_E_USAGE);
    assert_null(text);
    assert_string_equal(sb_message(),
                        "job.sh: 'a b' holds a line end or another control character, which a language cannot carry");
    sb_writer_drop(sb_writer_open(&exact));
}

static void words_of_a_shell(void **state)
{
    (void)state;
    char *text;
    sb_writer *line = sb_writer_open(&sb_shell);
    sb_write(line, "run -f %s %s %s %s | cat", "a/b-1.c", "it's $(id)\\", "", "\xFF");
    assert_document(line, "run -f a/b-1.c 'it'\\''s $(id)\\' '' '\xFF' | cat");
    const sb_language *const of_lines[] = {&sb_shell, &sb_lines};
    for (int i = 0; i < 2; i++) {
        line = sb_writer_open(of_lines[i]);
        sb_write(line, "%s\n", "a\nb");
        assert_int_equal(sb_writer_close(line, "it", &text, NULL), SB_E_USAGE);
    }
}

static void names_mean_nothing_to_anybody(void **state)
{
    (void)state;
    assert_true(sb_text_is_name("i5-4590"));
    assert_true(sb_text_is_name("a.B_c-9"));
    static const char *const not [] = {"",
                                       "..",
                                       "-x",
                                       ".a",
                                       "_a",
                                       "a b",
                                       "a/b",
                                       "a'",
                                       "a\n",
                                       "<",
                                       "\xC3\xA9",
                                       "a$b",
                                       "0123456789012345678901234567890123456789012345678901234567890123"};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) assert_false(sb_text_is_name(not [i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_printf_s), cmocka_unit_test(texts_go_through_the_language),
        cmocka_unit_test(texts_are_plain),      cmocka_unit_test(an_exact_language_refuses),
        cmocka_unit_test(words_of_a_shell),     cmocka_unit_test(names_mean_nothing_to_anybody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
