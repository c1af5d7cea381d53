/* The records of results/published, and what their reader says of wrong ones. */
#include "support.h"

#include "paper/compare/compare.h"

#include "core/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void our_records_are_read(void **state)
{
    (void)state;
    sb_published p;
    sb_numbers numbers = {0};
    assert_int_equal(sb_published_read(&p, SB_RECORDS), SB_OK);
    assert_int_equal(sb_published_add(&numbers, &p), SB_OK);
    const sb_number *number = sb_numbers_find(&numbers, "published.dawnbench.bottleneck.pytorch.p100.accuracy");
    assert_true(number && number->value == 94.69 && number->n == 1);
    assert_int_equal(number->evidence, SB_EVIDENCE_PUBLISHED);
    assert_non_null(strstr(number->source, "dawn-bench-entries"));
    number = sb_numbers_find(&numbers, "published.dawnbench.bottleneck.pytorch.k80.hours");
    assert_string_equal(number->text, "12 to 12.3");
    number = sb_numbers_find(&numbers, "published.spread.one-bit.disagreement");
    assert_true(number && number->value == 10.6 && number->n == 100);
    /* The original paper's numbers are not public: its records are claims, and none is a number. */
    size_t n_claims = 0;
    for (size_t i = 0; i < p.n; i++)
        if (strncmp(p.record[i].label, "original.", 9) == 0) {
            assert_int_equal(p.record[i].kind, SB_PUBLISHED_CLAIM);
            n_claims++;
        }
    assert_int_equal(n_claims, 6 + 12);
    for (size_t i = 0; i < numbers.n; i++) assert_null(strstr(numbers.number[i]->label, "original"));
    sb_numbers_free(&numbers);
    sb_published_free(&p);
}

static void expect_refused(const char *content, const char *sentence)
{
    sb_published p;
    assert_int_equal(sb_folder_make("published_bad"), SB_OK);
    assert_int_equal(sb_file_write("published_bad/a.yaml", content, strlen(content)), SB_OK);
    assert_int_equal(sb_published_read(&p, "published_bad"), SB_E_USAGE);
    sb_published_free(&p);
    if (strcmp(sb_message(), sentence) != 0) fail_msg("got '%s', wanted '%s'", sb_message(), sentence);
}

#define HEAD "title: t\nsource: s\ndate: '2020'\nkind: measured\nrecords:\n"

static void wrong_records_are_named_by_line(void **state)
{
    (void)state;
    expect_refused(HEAD "  - {label: a, what: b, value: '1,5'}\n",
                   "published_bad/a.yaml:6: value wants a number, not '1,5'");
    expect_refused(HEAD "  - {label: a, what: b}\n  - {label: a, what: c}\n",
                   "published_bad/a.yaml:7: label wants a label of its own, not 'a'");
    expect_refused(HEAD "  - {label: A b, what: c}\n",
                   "published_bad/a.yaml:6: label wants the characters a-z 0-9 - . /, not 'A b'");
    expect_refused(HEAD "  - {label: a, what: b, n: '0'}\n",
                   "published_bad/a.yaml:6: n wants a whole number from 1, not '0'");
    expect_refused(HEAD "  - {label: a, what: b, metric: loss}\n",
                   "published_bad/a.yaml:6: metric wants loss_last or loss_mean, not 'loss'");
    expect_refused(HEAD "  - {label: a, what: b, cell: {studdy: x}}\n",
                   "published_bad/a.yaml:6: unknown key 'studdy', did you mean 'study'?");
    expect_refused("title: t\nsource: s\ndate: '2020'\nkind: guessed\nrecords:\n  - {label: a, what: b}\n",
                   "published_bad/a.yaml:4: kind wants measured, digitised or claim, not 'guessed'");
    expect_refused("title: t\nsource: s\ndate: '2020'\nkind: claim\nrecords:\n  - {label: a, what: b, value: '1'}\n",
                   "published_bad/a.yaml:6: value wants kind measured or digitised: a claim has no number, not '1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_records_are_read),
        cmocka_unit_test(wrong_records_are_named_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
