/* The register of numbers: labels, order, and the bytes of its two files. */
#include "support.h"

#include "paper/numbers/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_result cells[] = {{.name = "full/x/native/any/copy/s001", .hash = "aa"},
                            {.name = "full/x/openblas/i5/copy/s001", .hash = "bb", .evidence = SB_EVIDENCE_EMULATED}};
static const sb_result *const both[] = {&cells[0], &cells[1]};

static sb_number make(const char *label, double value)
{
    sb_number number = {.value = value,
                        .low = NAN,
                        .high = NAN,
                        .p = NAN,
                        .unit = "1",
                        .formula = "one, two \"three\"",
                        .evidence = sb_evidence_of(both, 2),
                        .n_cells = 2,
                        .cell = both};
    sb_number_label(&number, "%s", label);
    return number;
}

static void labels_hold_what_they_may(void **state)
{
    (void)state;
    sb_number number;
    sb_number_label(&number, "%s", "Full.openblas, i5-4590/A_b.loss last%");
    assert_string_equal(number.label, "full.openblas-i5-4590/a-b.loss-last");
    char part[32];
    sb_number_part(part, sizeof part, "a.b/c, 4 threads ");
    assert_string_equal(part, "a-b-c-4-threads");
}

static void numbers_are_found_and_stand_once(void **state)
{
    (void)state;
    sb_numbers numbers = {0};
    char label[16];
    for (int i = 0; i < 200; i++) {
        snprintf(label, sizeof label, "n.%d", i * 77 % 200);
        sb_number number = make(label, i);
        assert_int_equal(sb_numbers_add(&numbers, &number), SB_OK);
    }
    for (size_t i = 1; i < numbers.n; i++)
        assert_true(strcmp(numbers.number[i - 1]->label, numbers.number[i]->label) < 0);
    assert_true(sb_numbers_find(&numbers, "n.77")->value == 1);
    assert_int_equal(sb_numbers_find(&numbers, "n.77")->evidence, SB_EVIDENCE_EMULATED);
    assert_null(sb_numbers_find(&numbers, "n.200"));
    sb_number again = make("n.5", 5);
    assert_int_equal(sb_numbers_add(&numbers, &again), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "n.5"));
    assert_int_equal(numbers.n, 200);
    sb_numbers_free(&numbers);
}

static void expect_content(const char *path, const char *wanted)
{
    char *content;
    assert_int_equal(sb_file_read(path, &content, NULL), SB_OK);
    assert_non_null(strstr(content, wanted));
    free(content);
}

static void files_say_everything(void **state)
{
    (void)state;
    sb_numbers numbers = {0};
    sb_number plain = make("b.plain", 0.00123456), published = make("a.published", 94.68);
    plain.low = 0.001, plain.high = 0.002, plain.p = 0.03125, plain.n = 6;
    published.n_cells = 0, published.evidence = SB_EVIDENCE_PUBLISHED, published.source = "them, 2017";
    snprintf(published.text, sizeof published.text, "94.68 %%_");
    assert_int_equal(sb_numbers_add(&numbers, &plain), SB_OK);
    assert_int_equal(sb_numbers_add(&numbers, &published), SB_OK);
    assert_int_equal(sb_numbers_write(&numbers, "numbers_out"), SB_OK);
    expect_content("numbers_out/numbers.csv",
                   "cells\na.published,94.68 %_,94.68,,,,0,1,published,\"one, two \"\"three\"\"\",\"them, 2017\",\n"
                   "b.plain,\"0.00123 [0.001, 0.002]\",0.00123456,0.001,0.002,0.03125,6,1,emulated,"
                   "\"one, two \"\"three\"\"\",,full/x/native/any/copy/s001/aa full/x/openblas/i5/copy/s001/bb\n");
    expect_content("numbers_out/numbers.tex", "\\@namedef{sb@a.published@}{94.68 \\%\\_}\n");
    expect_content("numbers_out/numbers.tex", "\\@namedef{sb@b.plain@high}{0.002}\n");
    expect_content("numbers_out/numbers.tex", "\\@namedef{sb@b.plain@n}{6}\n");
    sb_numbers_free(&numbers);
}

static void digits_are_three_and_never_fewer_than_the_whole(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {{0.0017812, "0.00178"},
                 {1.8349, "1.83"},
                 {-1.8349, "-1.83"},
                 {0.000012, "1.2e-05"},
                 {0, "0"},
                 {999.4, "999"},
                 {999.5, "1000"},
                 {60000, "60000"},
                 {-12345.6, "-12346"},
                 {1, "1"},
                 {5e14, "500000000000000"},
                 {1e15, "1e+15"},
                 {NAN, "nan"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[SB_NUMBER_DIGITS];
        sb_number_digits(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
    assert_string_equal(sb_number_p(0.03125).text, "0.0312");
    assert_string_equal(sb_number_p(1).text, "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_hold_what_they_may),
        cmocka_unit_test(numbers_are_found_and_stand_once),
        cmocka_unit_test(digits_are_three_and_never_fewer_than_the_whole),
        cmocka_unit_test(files_say_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
