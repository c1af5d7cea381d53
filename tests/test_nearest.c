/* Distances that one can count by hand, and which misspelt words are taken for which names. */
#include "support.h"

#include "core/command/nearest.h"

#include <stdio.h>
#include <string.h>

static void distances_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t whole, within; /* edits from a to b, and to a stretch of b */
    } cases[] = {
        {"", "", 0, 0},
        {"", "abc", 3, 0},
        {"abc", "", 3, 3},
        {"abc", "abc", 0, 0},
        {"abc", "abd", 1, 1},
        {"abc", "ab", 1, 1},
        {"abc", "abxc", 1, 1},
        {"trian", "train", 1, 1},
        {"ab", "ba", 1, 1},
        {"bc", "abcd", 2, 0},
        {"kopy", "shared-over-copy.loss", 18, 1},
        {"abcd", "badc", 2, 2},
        {"kitten", "sitting", 3, 2},
        {"ca", "abc", 3, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t whole = sb_edit_distance(cases[i].a, cases[i].b),
               within = sb_edit_distance_within(cases[i].a, cases[i].b);
        if (whole != cases[i].whole || within != cases[i].within)
            fail_msg("'%s' to '%s': %zu and %zu, not %zu and %zu", cases[i].a, cases[i].b, whole, within,
                     cases[i].whole, cases[i].within);
    }
}

static void long_words_are_cut_not_overrun(void **state)
{
    (void)state;
    char a[2000], b[2000];
    memset(a, 'a', sizeof a - 1), memset(b, 'b', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = 0;
    assert_int_equal(sb_edit_distance(a, b), 255);
    assert_int_equal(sb_edit_distance_within(a, b), 255);
    sb_nearest nearest = sb_nearest_begin(a);
    sb_nearest_offer(&nearest, b);
    assert_null(nearest.name);
}

static void a_misspelling_finds_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {"train", "trace", "step", "--updates", "--quiet", "mnist", "cpu", "cuda-12.9"};
    static const struct {
        const char *word, *name; /* NULL: nothing is near enough */
    } cases[] = {
        {"trian", "train"},
        {"tarce", "trace"},
        {"stpe", "step"},
        {"sep", "step"},
        {"--udpates", "--updates"},
        {"--upd", "--updates"},
        {"--q", NULL},
        {"mnits", "mnist"},
        {"cpuu", "cpu"},
        {"cuda12.9", "cuda-12.9"},
        {"x", NULL},
        {"gpu", "cpu"},
        {"paint", NULL},
        {"", NULL},
        {"--", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_nearest nearest = sb_nearest_begin(cases[i].word);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) sb_nearest_offer(&nearest, names[k]);
        if (!nearest.name != !cases[i].name || (nearest.name && strcmp(nearest.name, cases[i].name) != 0))
            fail_msg("'%s' is taken for '%s'", cases[i].word, nearest.name ? nearest.name : "nothing");
    }
}

static void a_part_finds_what_holds_it(void **state)
{
    (void)state;
    sb_nearest nearest = sb_nearest_begin("/openblsa/");
    sb_nearest_offer_part(&nearest, "prednet/walk/native/any/copy/s001");
    assert_null(nearest.name);
    sb_nearest_offer_part(&nearest, "prednet/walk/openblas/i5-4590/copy/s001");
    sb_nearest_offer_part(&nearest, "prednet/walk/openblas/i5-4590/copy/s002"); /* as near: the first one stays */
    assert_string_equal(nearest.name, "prednet/walk/openblas/i5-4590/copy/s001");
}

static void choices_are_guessed(void **state)
{
    (void)state;
    char guess[SB_NEAREST_GUESS];
    assert_string_equal(sb_nearest_guess("prednet|autoencoder", "autoencodre", guess), ", did you mean 'autoencoder'?");
    assert_string_equal(sb_nearest_guess("prednet|autoencoder", "prednte", guess), ", did you mean 'prednet'?");
    assert_string_equal(sb_nearest_guess("one", "one!", guess), ", did you mean 'one'?");
    assert_string_equal(sb_nearest_guess("prednet|autoencoder", "lstm", guess), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_counted),        cmocka_unit_test(long_words_are_cut_not_overrun),
        cmocka_unit_test(a_misspelling_finds_its_name), cmocka_unit_test(a_part_finds_what_holds_it),
        cmocka_unit_test(choices_are_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
