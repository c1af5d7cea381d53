/* The filter grammar: names, hashes, expressions, exclusion, tags. */
#include "support.h"

#include "matrix/cells/filter.h"
#include "matrix_files.h"

static sb_cells *cells; /* s001 .. s012 of study p (tags a, b), then s001 of study xp (tag b) */

static int setup(void **state)
{
    if (enter_folder(state) != 0) return -1;
    static const char text[] =
        "defaults: {model: prednet, data: walk, updates: 4, target: copy, backend: native, hardware: any}\n"
        "studies:\n"
        "  - {name: p, seeds: 12, tags: [a, b]}\n"
        "  - {name: xp, seeds: 1, tags: [b]}\n";
    return load_matrix(&cells, NULL, text) == SB_OK ? 0 : -1;
}

static int teardown(void **state)
{
    sb_cells_free(cells);
    return leave_folder(state);
}

/* How many cells pass, and what was said about it. */
static size_t count(const sb_filter *filter, const char *said)
{
    char *talk_text;
    size_t talk_bytes;
    sb_selection selection;
    FILE *talk = open_memstream(&talk_text, &talk_bytes);
    assert_non_null(talk);
    assert_int_equal(sb_filter_select(&selection, cells, filter, talk), SB_OK);
    assert_int_equal(fclose(talk), 0);
    assert_string_equal(talk_text, said);
    size_t n = selection.n;
    sb_selection_free(&selection);
    free(talk_text);
    return n;
}

static void expressions_are_found_anywhere(void **state)
{
    (void)state;
    assert_int_equal(count(&(sb_filter){0}, ""), 13);
    assert_int_equal(count(&(sb_filter){.names = {1, {"s00[12]$"}}}, "-n 's00[12]$': 10 of 13 cells left out\n"), 3);
    assert_int_equal(
        count(&(sb_filter){.names = {2, {"^xp/", "s012"}}}, "-n '^xp/' -n 's012': 11 of 13 cells left out\n"), 2);
}

static void a_whole_name_means_that_cell(void **state)
{
    (void)state;
    /* As an expression it would also be found in the name of study xp. */
    assert_int_equal(count(&(sb_filter){.names = {1, {"p/walk/native/any/copy/s001"}}},
                           "-n 'p/walk/native/any/copy/s001': 12 of 13 cells left out\n"),
                     1);
    assert_int_equal(count(&(sb_filter){.names = {1, {"p/walk/native/any/copy/s01"}}},
                           "-n 'p/walk/native/any/copy/s01': 10 of 13 cells left out\n"),
                     3);
}

static void hashes_begin_with_a_slash(void **state)
{
    (void)state;
    char filter[16], said[96];
    snprintf(filter, sizeof filter, "/%.8s", cells->item[3].hash);
    snprintf(said, sizeof said, "-n '%s': 12 of 13 cells left out\n", filter);
    assert_int_equal(count(&(sb_filter){.names = {1, {filter}}}, said), 1);
}

/* Thirteen hashes have at most sixteen first digits: the shortest beginning that two share, and those only one has. */
static void a_hash_is_as_long_as_it_must_be(void **state)
{
    (void)state;
    sb_selection selection;
    char digit[3] = "/0";
    for (const char *c = "0123456789abcdef"; *c; c++) {
        size_t n = 0;
        digit[1] = *c;
        for (size_t i = 0; i < cells->n; i++) n += cells->item[i].hash[0] == *c;
        sb_status status = sb_filter_select(&selection, cells, &(sb_filter){.names = {1, {digit}}}, NULL);
        assert_int_equal(status, n == 0 ? SB_E_EMPTY : n == 1 ? SB_OK : SB_E_USAGE);
        if (n > 1) assert_non_null(strstr(sb_message(), "write more digits"));
        if (status == SB_OK) sb_selection_free(&selection);
    }
    char whole[SB_SHA256_TEXT + 1];
    snprintf(whole, sizeof whole, "/%s", cells->item[0].hash);
    assert_int_equal(sb_filter_select(&selection, cells, &(sb_filter){.names = {1, {whole}}}, NULL), SB_OK);
    assert_int_equal(selection.n, 1);
    sb_selection_free(&selection);
    assert_int_equal(sb_filter_select(&selection, cells, &(sb_filter){.names = {1, {"/"}}}, NULL), SB_OK);
    assert_int_equal(selection.n, 13); /* not a hash but an expression */
    sb_selection_free(&selection);
}

static void exclusion_wins_and_tags_narrow(void **state)
{
    (void)state;
    assert_int_equal(count(&(sb_filter){.names = {1, {"^p/"}}, .excludes = {2, {"s001", "s002"}}},
                           "-n '^p/': 1 of 13 cells left out\n"
                           "-x 's001': 1 of 12 cells left out\n"
                           "-x 's002': 1 of 11 cells left out\n"),
                     10);
    assert_int_equal(count(&(sb_filter){.tags = {1, {"b"}}}, "-t 'b': 0 of 13 cells left out\n"), 13);
    assert_int_equal(
        count(&(sb_filter){.tags = {2, {"b", "a"}}}, "-t 'b': 0 of 13 cells left out\n-t 'a': 1 of 13 cells left out\n"),
        12);
}

static void nothing_left_and_nonsense_are_errors(void **state)
{
    (void)state;
    sb_selection selection;
    assert_int_equal(sb_filter_select(&selection, cells, &(sb_filter){.names = {1, {"winograd"}}}, NULL), SB_E_EMPTY);
    assert_string_equal(sb_message(), "matrix_test.yaml: no cell selected; 'samebits-matrix list -f matrix_test.yaml' "
                                      "shows all 13");
    assert_int_equal(sb_filter_select(&selection, cells, &(sb_filter){.excludes = {1, {"a("}}}, NULL), SB_E_USAGE);
    assert_string_equal(sb_message(), "samebits-matrix: filter 'a(' is no regular expression: Unmatched ( or \\(");
    const sb_filter empty[] = {{.names = {1, {""}}}, {.names = {2, {"s001", ""}}}, {.excludes = {1, {""}}}};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        assert_int_equal(sb_filter_select(&selection, cells, &empty[i], NULL), SB_E_USAGE);
        assert_non_null(strstr(sb_message(), "an empty filter would match every cell"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_found_anywhere), cmocka_unit_test(a_whole_name_means_that_cell),
        cmocka_unit_test(hashes_begin_with_a_slash),      cmocka_unit_test(a_hash_is_as_long_as_it_must_be),
        cmocka_unit_test(exclusion_wins_and_tags_narrow), cmocka_unit_test(nothing_left_and_nonsense_are_errors),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
