/* What every column of every table may hold: its own values, and none of the texts that try to be something else. */
#include "support.h"

#include "core/text/csv.h"
#include "io/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One value for each kind. */
static const char *const good[SB_N_COLUMN_KINDS] = {
    [SB_COLUMN_NAME] = "i5-4590",
    [SB_COLUMN_CELL] = "prednet/walk/native/any/copy/s001",
    [SB_COLUMN_HASH] = "1a2b3c4d",
    [SB_COLUMN_WORDS] = "hardware missing",
    [SB_COLUMN_CHOICE] = NULL, /* the first of its words */
    [SB_COLUMN_INT] = "-12",
    [SB_COLUMN_REAL] = "1.25e-3",
    [SB_COLUMN_NUMBERS] = "3 48 96 192",
    [SB_COLUMN_REALS] = "0 3.6 1e-3",
    [SB_COLUMN_LAYERS] = "conv-16-3_norm_relu_pool-all_dense-classes",
    [SB_COLUMN_PATH] = "runs/prednet/walk/native/any/copy/s001/1a2b3c4d.h5",
    [SB_COLUMN_TEXT] = "Made-up CPU <8 cores> & caches, 3\xC2\xB5m",
};

/* No column takes these; what is in `marked` a column of free text does. */
static const char *const never[] = {"a\nb",     "a\x01z",   "\x1B[2J",      "a\tb",         "\x7F",        "\xFF",
                                    "\xC0\xBC", "\xC2\x9B", "\xE2\x80\xAE", "\xED\xA0\x80", "\xEF\xBF\xBF"};
static const char *const marked[] = {
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "x' onclick='alert(1)",
    "`id`",
    "$(id)",
    "; id",
    "| id",
    "\\input{/etc/passwd}",
    "a%b",
    "{}",
    "&lt;",
    "]]>",
    "a\"b",
    "a,b",
    "a'b",
    "#c",
    "../../etc/passwd",
    "/etc/passwd",
    "runs/../../x",
    "..",
    "-x /",
    "javascript:alert(1)",
    "3 -8",
    "0X10;h",
    "1e5;",
    "shared|copy",
    "copy ",
    "a b:c",
    "\xC3\xA9",
};

static void each_column_takes_its_own(void **state)
{
    (void)state;
    for (const sb_columns *const *t = sb_columns_all; *t; t++)
        for (size_t i = 0; i < (*t)->n; i++) {
            const sb_column *column = &(*t)->column[i];
            char word[64];
            const char *value = good[column->kind];
            if (column->kind == SB_COLUMN_CHOICE) {
                snprintf(word, sizeof word, "%.*s", (int)strcspn(column->words, "|"), column->words);
                value = word;
            }
            if (!sb_column_accepts(column, value)) fail_msg("%s: %s takes no '%s'", (*t)->file, column->name, value);
            assert_int_equal(sb_column_accepts(column, ""), column->may_be_empty);
            assert_ptr_equal(sb_columns_find(*t, column->name), column);
            assert_non_null(sb_column_wanted(column->kind));
        }
}

static void no_column_takes_more(void **state)
{
    (void)state;
    for (const sb_columns *const *t = sb_columns_all; *t; t++)
        for (size_t i = 0; i < (*t)->n; i++) {
            const sb_column *column = &(*t)->column[i];
            for (size_t k = 0; k < sizeof never / sizeof *never; k++)
                if (sb_column_accepts(column, never[k]))
                    fail_msg("%s: %s takes '%s'", (*t)->file, column->name, never[k]);
            if (column->kind == SB_COLUMN_TEXT) continue;
            for (size_t k = 0; k < sizeof marked / sizeof *marked; k++) {
                bool path = column->kind == SB_COLUMN_PATH && *marked[k] != '/' && !strstr(marked[k], "..");
                if (!path && sb_column_accepts(column, marked[k]))
                    fail_msg("%s: %s takes '%s'", (*t)->file, column->name, marked[k]);
            }
        }
}

static void paths_stay_below(void **state)
{
    (void)state;
    static const char *const outside[] = {"/x", "..", "../x", "x/..", "x/../y", ""};
    static const char *const inside[] = {"x", "x/y..", "..x/y", "x/...", "a b/<c>"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_false(sb_column_holds(SB_COLUMN_PATH, NULL, outside[i]));
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        assert_true(sb_column_holds(SB_COLUMN_PATH, NULL, inside[i]));
}

static void limits(void **state)
{
    (void)state;
    char name[65], hash[66];
    memset(name, 'a', 64), name[64] = 0;
    memset(hash, 'a', 65), hash[65] = 0;
    assert_false(sb_column_holds(SB_COLUMN_NAME, NULL, name));
    assert_true(sb_column_holds(SB_COLUMN_NAME, NULL, name + 1));
    assert_false(sb_column_holds(SB_COLUMN_CELL, NULL, name));
    assert_false(sb_column_holds(SB_COLUMN_CELL, NULL, "a//b"));
    assert_false(sb_column_holds(SB_COLUMN_CELL, NULL, "a/"));
    assert_false(sb_column_holds(SB_COLUMN_HASH, NULL, hash));
    assert_true(sb_column_holds(SB_COLUMN_HASH, NULL, hash + 1));
    assert_false(sb_column_holds(SB_COLUMN_HASH, NULL, "1a2b3c4"));
    assert_false(sb_column_holds(SB_COLUMN_HASH, NULL, "1A2B3C4D"));
    assert_false(sb_column_holds(SB_COLUMN_INT, NULL, "99999999999999999999"));
    assert_false(sb_column_holds(SB_COLUMN_REAL, NULL, "0x1p3"));
    assert_true(sb_column_holds(SB_COLUMN_REAL, NULL, "-nan"));
    assert_false(sb_column_holds(SB_COLUMN_NUMBERS, NULL, "3  8"));
    assert_false(sb_column_holds(SB_COLUMN_NUMBERS, NULL, "9999999999"));
    assert_true(sb_column_holds(SB_COLUMN_REALS, NULL, "0.5"));
    assert_false(sb_column_holds(SB_COLUMN_REALS, NULL, "0  1") || sb_column_holds(SB_COLUMN_REALS, NULL, "0 1 "));
    assert_false(sb_column_holds(SB_COLUMN_REALS, NULL, "0,1") || sb_column_holds(SB_COLUMN_REALS, NULL, " 1"));
}

static void a_header_is_of_the_table(void **state)
{
    (void)state;
    char *text;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_columns_write(csv, &sb_columns_timing);
    assert_int_equal(sb_writer_close(csv, "it", &text, NULL), SB_OK);
    assert_string_equal(text, "hash,seconds,frames_per_second,peak_mib\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_column_takes_its_own), cmocka_unit_test(no_column_takes_more),
        cmocka_unit_test(paths_stay_below),          cmocka_unit_test(limits),
        cmocka_unit_test(a_header_is_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
