/* The reader of csv files: quotes, columns by name, and the file and line of whatever is wrong. */
#include "support.h"

#include "io/table.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test_table.csv";

static sb_status read_bytes(sb_table *table, const char *text, size_t n)
{
    assert_int_equal(sb_file_write(path, text, n), SB_OK);
    sb_status status = sb_table_read(table, path, NULL);
    unlink(path);
    return status;
}

static sb_status read_text(sb_table *table, const char *text)
{
    return read_bytes(table, text, strlen(text));
}

static void fields_and_numbers(void **state)
{
    (void)state;
    sb_table t;
    assert_int_equal(read_text(&t, "seed,name,loss\r\n3,\"a, \"\"b\"\"\",0.5\r\n-4,,nan\r\n5,\"\",1e-3"), SB_OK);
    assert_int_equal(t.n_rows, 3);
    assert_int_equal(t.n_columns, 3);
    size_t name, loss, seed;
    assert_int_equal(sb_table_column(&t, "name", &name), SB_OK);
    assert_int_equal(sb_table_column(&t, "loss", &loss), SB_OK);
    assert_int_equal(sb_table_column(&t, "seed", &seed), SB_OK);
    assert_string_equal(sb_table_text(&t, 0, name), "a, \"b\"");
    assert_string_equal(sb_table_text(&t, 1, name), "");
    assert_string_equal(sb_table_text(&t, 2, name), "");
    long whole;
    double real;
    assert_int_equal(sb_table_int(&t, 1, seed, &whole), SB_OK);
    assert_int_equal(whole, -4);
    assert_int_equal(sb_table_real(&t, 2, loss, &real), SB_OK);
    assert_true(real == 1e-3);
    assert_int_equal(sb_table_real(&t, 1, loss, &real), SB_OK);
    assert_true(isnan(real));
    assert_int_equal(sb_table_int(&t, 0, loss, &whole), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_table.csv:2: loss wants a whole number, not '0.5'");
    assert_int_equal(sb_table_real(&t, 1, name, &real), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_table.csv:3: name wants a number, not ''");
    assert_int_equal(sb_table_column(&t, "Loss", &loss), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "test_table.csv:1: no column 'Loss'"));
    sb_table_free(&t);
}

static void a_header_alone_has_no_rows(void **state)
{
    (void)state;
    sb_table t;
    assert_int_equal(read_text(&t, "a,b\n"), SB_OK);
    assert_int_equal(t.n_rows, 0);
    sb_table_free(&t);
}

static void broken_files_say_where(void **state)
{
    (void)state;
    const struct {
        const char *text, *sentence;
    } cases[] = {
        {"", "test_table.csv: empty, not even a header line"},
        {"a,b,a\n1,2,3\n", "test_table.csv:1: the column 'a' is here twice"},
        {"a,b\n1,2\n3\n", "test_table.csv:3: 1 fields, the header has 2; collect again"},
        {"a,b\n1,2,3\n", "test_table.csv:2: 3 fields, the header has 2; collect again"},
        {"a,b\n1,2\n\n3,4\n", "test_table.csv:3: 1 fields, the header has 2; collect again"},
        {"a,b\n\"1,2\n", "test_table.csv:2: a quote has no partner"},
        {"a,b\n\"1\"x,2\n", "test_table.csv:2: a quote has no partner"},
        {"a,b\n1,\"\n", "test_table.csv:2: a quote has no partner"},
    };
    sb_table t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_text(&t, cases[i].text), SB_E_INTEGRITY);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
    assert_int_equal(read_bytes(&t, "a,b\n1,\0\n", 8), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_table.csv:2: not in UTF-8: it holds a zero byte, so it is no text");
    assert_int_equal(sb_table_read(&t, "absent.csv", NULL), SB_E_USAGE);
}

/* Every separator, mark, blanks and empty lines at the end give the same fields. */
static void tables_of_other_programs(void **state)
{
    (void)state;
    static const char *const same[] = {
        "seed,name,loss\n3,\"a; b\",0.5\n",
        "\xEF\xBB\xBFseed,name,loss\r\n3,\"a; b\",0.5\r\n\r\n\n",
        "seed;name;loss\n3;\"a; b\";0.5",
        "seed\tname\tloss\n3\ta; b\t0.5\n",
        " seed , name,\"loss\"\n3, \"a; b\" , 0.5 \n",
        "# a comment; of the table; with; semicolons\n#\n\nseed,name,loss\n \n# another\n3,\"a; b\",0.5\n# at the end",
    };
    sb_table t;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(sb_file_write(path, same[i], strlen(same[i])), SB_OK);
        assert_int_equal(sb_table_read_any(&t, path), SB_OK);
        assert_int_equal(t.n_rows, 1);
        assert_int_equal(t.n_columns, 3);
        assert_string_equal(t.field[0], "seed");
        assert_string_equal(t.field[2], "loss");
        assert_string_equal(sb_table_text(&t, 0, 0), "3");
        assert_string_equal(sb_table_text(&t, 0, 1), "a; b");
        assert_string_equal(sb_table_text(&t, 0, 2), "0.5");
        sb_table_free(&t);
    }
    const char wide[] = "Step,\"a, b - loss\"\n1,2\n1\n";
    assert_int_equal(sb_file_write(path, wide, strlen(wide)), SB_OK);
    assert_int_equal(sb_table_read_any(&t, path), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_table.csv:3: 1 fields, the header has 2");
    const char commented[] = "# one\n\na,b\n\n#1,2\n# two\n3\n";
    assert_int_equal(sb_file_write(path, commented, strlen(commented)), SB_OK);
    assert_int_equal(sb_table_read_any(&t, path), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_table.csv:7: 1 fields, the header has 2");
    assert_int_equal(sb_file_write(path, commented, strlen(commented) - 2), SB_OK);
    assert_int_equal(sb_table_read_any(&t, path), SB_OK);
    assert_int_equal(t.n_rows, 1);
    assert_string_equal(sb_table_text(&t, 0, 0), "#1");
    assert_int_equal(sb_table_line(&t, 0), 5);
    sb_table_free(&t);
    unlink(path);
}

/* The sentence names the encoding and the command. */
static void other_encodings_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *sentence;
    } cases[] = {
        {"a,b\n1,\xE9\n", 8,
         "test_table.csv:2: not in UTF-8: perhaps in Latin-1; 'iconv -f ISO-8859-1 -t UTF-8 FILE >NEW' converts it"},
        {"\xFF\xFE"
         "a\0,\0b\0\n",
         10, "test_table.csv:1: not in UTF-8: in UTF-16; 'iconv -f UTF-16 -t UTF-8 FILE >NEW' converts it"},
        {"a\0,\0b\0\n", 8,
         "test_table.csv:1: not in UTF-8: in UTF-16; 'iconv -f UTF-16LE -t UTF-8 FILE >NEW' converts it"},
        {"\0a\0,\0b\0\n", 8,
         "test_table.csv:1: not in UTF-8: in UTF-16; 'iconv -f UTF-16BE -t UTF-8 FILE >NEW' converts it"},
    };
    sb_table t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_bytes(&t, cases[i].bytes, cases[i].n), SB_E_INTEGRITY);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_and_numbers),        cmocka_unit_test(a_header_alone_has_no_rows),
        cmocka_unit_test(broken_files_say_where),    cmocka_unit_test(tables_of_other_programs),
        cmocka_unit_test(other_encodings_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
