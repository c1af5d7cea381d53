/* Whose data it is: told by the content alone; what was typed goes before it; names in attributes are UTF-8. */
#include "support.h"

#include "core/hash.h"
#include "core/text/text.h"
#include "datasets/catalog/provenance.h"
#include "datasets/convert/clip.h"

#include <stdio.h>
#include <string.h>

static const uint8_t pixels[] = {1, 2, 3, 4, 5, 6}, labels[] = {7, 8, 9};

/* Two training images and one test image of two pixels, and the row of a catalog that states just that. */
static sb_catalog_entry entry_of(char content[SB_HASH_TEXT])
{
    const uint8_t in_order[] = {1, 2, 3, 4, 7, 8, 5, 6, 9};
    sb_hash_text(sb_hash_of(in_order, sizeof in_order, 1), content);
    return (sb_catalog_entry){.name = "known",
                              .source = "its authors",
                              .url = "https://known",
                              .licence = "its licence",
                              .content = content,
                              .content_test = 1};
}

static void content_tells(void **state)
{
    (void)state;
    char content[SB_HASH_TEXT];
    sb_catalog_entry entry = entry_of(content);
    sb_origin_half half[2] = {{pixels, labels, 2, 2}, {pixels + 4, labels + 2, 1, 2}};
    assert_true(sb_origin_is(&entry, half));
    const uint8_t others[] = {7, 0};
    half[0].labels = others;
    assert_false(sb_origin_is(&entry, half));
    half[0].labels = labels;
    entry.content_test = 2; /* more than there are */
    assert_false(sb_origin_is(&entry, half));
    entry.content = NULL;
    assert_false(sb_origin_is(&entry, half));
}

static void typed_goes_first(void **state)
{
    (void)state;
    char content[SB_HASH_TEXT];
    const sb_catalog_entry entry = entry_of(content);
    sb_provenance p = {0};
    sb_origin_settle(&p, &(sb_origin_given){0}, &entry, true, "known.h5", "folder");
    assert_string_equal(p.name, "known");
    assert_string_equal(p.source, "its authors");
    assert_string_equal(p.url, "https://known");
    assert_string_equal(p.licence, "its licence");
    sb_origin_settle(&p, &(sb_origin_given){0}, &entry, false, "out/known.h5", "folder");
    assert_string_equal(p.name, "unknown");
    assert_string_equal(p.source, "folder");
    assert_null(p.url);
    assert_string_equal(p.licence, "unknown");
    sb_origin_settle(&p, &(sb_origin_given){.licence = "CC0"}, &entry, false, "other.h5", "folder");
    assert_null(p.name); /* that of the output */
    assert_string_equal(p.licence, "CC0");
}

static void texts_are_not_cut_in_a_character(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},           {"abc", "abc"},       {"ab\xC3", "ab"},         {"\xC3\xA9", "\xC3\xA9"},
        {"a\xE2\x82", "a"}, {"\xF0\x9F\x98", ""}, {"\x82\x82", "\x82\x82"}, {"a\xE2\x82\xAC", "a\xE2\x82\xAC"},
        {"\xFF", "\xFF"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[16];
        strcpy(text, cases[i][0]);
        sb_text_trim(text);
        assert_string_equal(text, cases[i][1]);
    }
    char list[SB_ORIGIN_INPUTS] = "", name[300];
    memset(name, 'n', sizeof name);
    strcpy(name + 280, "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9");
    for (int i = 0; i < 3; i++) sb_origin_add_input(list, name);
    assert_int_equal(sb_text_plain_length(list, false), strlen(list));
}

static void names_in_the_order_of_their_numbers(void **state)
{
    (void)state;
    static const char *const ordered[] = {"",
                                          "00000.png",
                                          "00009.png",
                                          "000010.png",
                                          "11.png",
                                          "012.png",
                                          "99999999999999999999998.png",
                                          "099999999999999999999999.png",
                                          "a.png",
                                          "a1.png",
                                          "a01.png",
                                          "a1b2.png",
                                          "a1b10.png",
                                          "a2b1.png",
                                          "a2b1.tif",
                                          "b0.png",
                                          "\xC3\xA9.png"};
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++)
        for (size_t k = 0; k < sizeof ordered / sizeof *ordered; k++) {
            const int order = sb_names_order(ordered[i], ordered[k]);
            if ((order < 0) != (i < k) || (order > 0) != (i > k))
                fail_msg("'%s' and '%s': %d", ordered[i], ordered[k], order);
        }
}

static void doubts_about_an_order(void **state)
{
    (void)state;
    static const char *const settled[][2] = {{"1.png", "2.png"},           {"00009.png", "000010.png"},
                                             {"a1b2.png", "a1b3.png"},     {"v.1.png", "v.02.png"},
                                             {"1.05.png", "1.10.png"},     {"2024-01-05.png", "2024-01-06.png"},
                                             {"cam2_1.png", "cam2_2.png"}, {"1", "2"}};
    static const char *const open[][2] = {{"a.png", "b.png"},           {"1.png", "01.png"},     {"1.png", "1.tif"},
                                          {"cam1_2.png", "cam2_1.png"}, {"a2.png", "b1.png"},    {"a.png", "a1.png"},
                                          {"a1.png", "a1_2.png"},       {"1.1.png", "1.05.png"}, {"a1.png", "b1.png"},
                                          {"-1.png", "0.png"}};
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
        if (sb_names_doubt(settled[i][0], settled[i][1]))
            fail_msg("doubt about '%s' and '%s'", settled[i][0], settled[i][1]);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (!sb_names_doubt(open[i][0], open[i][1])) fail_msg("no doubt about '%s' and '%s'", open[i][0], open[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_tells),
        cmocka_unit_test(typed_goes_first),
        cmocka_unit_test(texts_are_not_cut_in_a_character),
        cmocka_unit_test(names_in_the_order_of_their_numbers),
        cmocka_unit_test(doubts_about_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
