/* The question that claims answer: what may be one, and what is said of made results of known truth. */
#define CLAIM_FILE "question_test.yaml"
#include "claim_trial.h"

#include "core/text/html.h"
#include "paper/claims/question.h"

#include <stdlib.h>

#define ONE                                                                                                            \
    "claims:\n  - {name: x, by: us, text: T., of: {study: a, target: shared}, over: {study: a, target: copy}, "        \
    "each: setting, metric: loss_last, relation: greater}\n"

static void load(const char *text, sb_claim_file **file)
{
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    if (sb_claim_file_load(file, path) != SB_OK) fail_msg("%s", sb_message());
}

/* A question, and the claims without rules beside it, are no part of what is registered. */
static void a_question_is_no_part_of_the_rules(void **state)
{
    (void)state;
    sb_claim_file *with, *without;
    char *registered, *before;
    load("question: Does it matter?\n" ONE, &with);
    load(ONE, &without);
    assert_string_equal(with->question, "Does it matter?");
    assert_null(without->question);
    assert_int_equal(sb_claim_file_register(with, NULL, 0, &registered), SB_OK);
    assert_int_equal(sb_claim_file_register(without, NULL, 0, &before), SB_OK);
    assert_string_equal(registered, before);
    free(registered);
    free(before);
    sb_claim_file_free(with);
    sb_claim_file_free(without);
}

static void a_question_is_one_line(void **state)
{
    (void)state;
    static const char sentence[] =
        "question_test.yaml:1: question wants one line of at most 160 characters that ends with '?'";
    char text[2048], letters[2 * SB_QUESTION_LENGTH + 1] = "";
    sb_claim_file *file;
    static const char *const wrong[] = {
        "''", "'?'", "It does.", "\"Does it\\nmatter?\"", "|\n  Does it matter?\n", "\"Does it \\t matter?\""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "question: %s\n" ONE, wrong[i]);
        expect_refused(text, sentence);
    }
    expect_refused("question: A?\nquestion: B?\n" ONE, "question_test.yaml:2: the key 'question' is here twice");
    expect_refused("question: [Why?]\n" ONE, "question_test.yaml:1: question wants one value, not a list");
    expect_refused("questions: Why?\n" ONE, "question_test.yaml:1: unknown key 'questions', did you mean 'question'?");
    for (int i = 0; i < SB_QUESTION_LENGTH - 1; i++) strcat(letters, "\xC3\xBC"); /* characters, not bytes */
    snprintf(text, sizeof text, "question: %s?\n" ONE, letters);
    load(text, &file);
    sb_claim_file_free(file);
    snprintf(text, sizeof text, "question: %su?\n" ONE, letters);
    expect_refused(text, sentence);
}

/* What n claims of made runs, under a question or none, are asked and answer. */
static void expect_answer(int n, double shift, const char *head, const char *question, const char *count,
                          const char *claim)
{
    sb_result cell[MAX];
    const sb_claims none = {0};
    sb_results results = {.n_cells = make_study(cell, "a", "native", n, shift, 0.01), .cell = cell};
    sb_arms arms;
    sb_claims claims;
    char text[1024], *said;
    snprintf(text, sizeof text, "%s" ONE, head);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    assert_int_equal(sb_arms_group(&arms, &results), SB_OK);
    assert_int_equal(sb_claims_judge(&claims, path, &results, &arms, NULL), SB_OK);
    const sb_question q = sb_question_of(&claims, &none, &arms);
    assert_int_equal(q.kind, SB_QUESTION_CLAIMS);
    assert_string_equal(q.text, question);
    sb_writer *out = sb_writer_open(&sb_html);
    sb_question_write_count(out, &q);
    sb_write(out, "\n");
    sb_question_write_claim(out, sb_question_next(&q, NULL), NULL);
    assert_int_equal(sb_writer_close(out, "answer", &said, NULL), SB_OK);
    if (!strstr(said, count) || !strstr(said, claim)) fail_msg("%s", said);
    assert_null(sb_question_next(&q, sb_question_next(&q, NULL)));
    assert_false(sb_question_has_gaps(&q));
    free(said);
    sb_claims_free(&claims);
    sb_arms_free(&arms);
}

/* As strong as the verdict; a number beside it; and where nothing is compared that another question is about, claims
 * are asked even where they name no question. */
static void claims_answer_their_question(void **state)
{
    (void)state;
    expect_answer(8, 0.5, "question: Is a < b?\n", "Is a < b?",
                  "The claim of this study is supported; it was formulated after",
                  "Supported: T. The last-frame loss with the shared target is 1.6");
    expect_answer(8, -0.5, "question: Is it?\n", "Is it?", "The claim of this study is refuted",
                  "Refuted: T. The last");
    expect_answer(3, 0.5, "", "What was claimed of these runs, and what came out?", "is undetermined", "3 pairs). ");
}

static void without_claims_runs_are_counted(void **state)
{
    (void)state;
    sb_result cell[MAX];
    const sb_claims none = {0};
    sb_results results = {.n_cells = make_study(cell, "a", "native", 3, 0, 0.01), .cell = cell};
    sb_claims asked;
    sb_arms arms;
    assert_int_equal(sb_arms_group(&arms, &results), SB_OK);
    assert_int_equal(sb_claims_ask_hardware(&asked, &results, &arms), SB_OK);
    const sb_question q = sb_question_of(&none, &none, &arms), hardware = sb_question_of(&none, &asked, &arms);
    assert_int_equal(q.kind, SB_QUESTION_NONE);
    assert_int_equal(strncmp(q.text, "What came out of 6 runs of ", 27), 0);
    assert_int_equal(hardware.kind, SB_QUESTION_HARDWARE);
    assert_string_equal(hardware.text, "Does the target buffer or the hardware change what the network learns?");
    sb_claims_free(&asked);
    sb_arms_free(&arms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_no_part_of_the_rules),
        cmocka_unit_test(a_question_is_one_line),
        cmocka_unit_test(claims_answer_their_question),
        cmocka_unit_test(without_claims_runs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
