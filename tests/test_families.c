/* parents.csv into families: lines of descent and common ancestors, by eye; what makes no sense. */
#include "support.h"

#include "made_cells.h"
#include "paper/results/curves.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "./parents.csv";

/* The table as cells of made_arms would have it. */
static sb_status read_text(sb_families *families, const char *rows)
{
    char text[1024];
    const sb_results results = made_arms();
    snprintf(text, sizeof text, "hash,generation,rank,individual,parent\n%s", rows);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    const sb_status status = sb_families_read(families, ".", &results);
    unlink(path);
    if (status != SB_OK) sb_families_free(families);
    return status;
}

/* Two parents of each generation:  7 - 3 - 5   the best at the end is 5, from 3, from 7; 8 has 3 for a parent, too, so
 *                                  9 - 4   8   that both of the end have the ancestor 3 in the middle one. */
static void lines_of_descent(void **state)
{
    (void)state;
    static const char rows[] = "aaaaaaaa,4,0,7,-1\naaaaaaaa,4,1,9,-1\naaaaaaaa,5,0,4,9\naaaaaaaa,5,1,3,7\n"
                               "aaaaaaaa,6,0,5,3\naaaaaaaa,6,1,8,3\nbbbbbbbb,0,0,1,-1\n";
    static const bool of_champion[] = {true, false, false, true, true, false};
    static const size_t parent[] = {SB_NO_KIN, SB_NO_KIN, 1, 0, 3, 3};
    sb_families f;
    assert_int_equal(read_text(&f, rows), SB_OK);
    assert_int_equal(f.n, 2);
    assert_true(f.family[0].is_first && !f.family[1].is_first); /* the other seed is of the same arm */
    const sb_family *family = &f.family[0];
    assert_string_equal(family->cell->hash, "aaaaaaaa");
    assert_int_equal(family->n, 6);
    assert_int_equal(family->n_ranks, 2);
    assert_int_equal(family->ancestor, 5);
    for (size_t k = 0; k < 6; k++) {
        assert_int_equal(family->kin[k].is_of_champion, of_champion[k]);
        assert_true(family->kin[k].parent == parent[k]);
    }
    sb_families_free(&f);
}

/* A line that begins with somebody who was not chosen ends there; one parent alone is its own ancestor. */
static void ancestors_that_are_not_there(void **state)
{
    (void)state;
    sb_families f;
    assert_int_equal(read_text(&f, "aaaaaaaa,0,0,1,-1\naaaaaaaa,0,1,2,-1\naaaaaaaa,1,0,3,6\naaaaaaaa,1,1,4,2\n"
                                   "cccccccc,3,0,0,-1\n"),
                     SB_OK);
    assert_int_equal(f.n, 2);
    assert_int_equal(f.family[0].ancestor, -1);
    assert_true(f.family[0].kin[2].parent == SB_NO_KIN && f.family[0].kin[3].parent == 1);
    assert_true(f.family[0].kin[2].is_of_champion && !f.family[0].kin[0].is_of_champion);
    assert_string_equal(f.family[1].cell->hash, "cccccccc");
    assert_int_equal(f.family[1].ancestor, 3);
    sb_families_free(&f);
}

/* The run of another backend from the same seed has other parents from the second generation on, by rank alone. */
static void where_a_comparison_turned(void **state)
{
    (void)state;
    static const char *const later[] = {"bbbbbbbb,1,0,4,1\nbbbbbbbb,1,1,3,1\n", "bbbbbbbb,1,0,3,1\nbbbbbbbb,1,1,4,1\n"};
    static const long generation[] = {1, -1};
    for (size_t i = 0; i < 2; i++) {
        static sb_result cells[2], *by_hash[2];
        char text[1024];
        for (int k = 0; k < 2; k++) {
            cells[k] = made_cell(1, -6);
            cells[k].hash = k ? "bbbbbbbb" : "aaaaaaaa";
            cells[k].line = (size_t)k + 2;
            by_hash[k] = &cells[k];
        }
        cells[1].backend = "openblas";
        const sb_results results = {.n_cells = 2, .cell = cells, .by_hash = by_hash};
        snprintf(text, sizeof text,
                 "hash,generation,rank,individual,parent\naaaaaaaa,0,0,1,-1\naaaaaaaa,0,1,2,-1\naaaaaaaa,1,0,3,1\n"
                 "aaaaaaaa,1,1,4,1\nbbbbbbbb,0,0,1,-1\nbbbbbbbb,0,1,2,-1\n%s",
                 later[i]);
        sb_families families;
        sb_turns turns;
        assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
        assert_int_equal(sb_families_read(&families, ".", &results), SB_OK);
        unlink(path);
        assert_int_equal(sb_turns_find(&turns, &families), SB_OK);
        assert_int_equal(turns.n, 1);
        assert_int_equal(turns.arm[0].n, 1);
        assert_int_equal(turns.arm[0].generations, 2);
        assert_int_equal(turns.arm[0].n_turned, generation[i] >= 0);
        assert_int_equal(turns.arm[0].turn[0].generation, generation[i]);
        assert_string_equal(turns.arm[0].turn[0].reference->hash, "aaaaaaaa");
        assert_string_equal(turns.arm[0].cell->hash, "bbbbbbbb");
        sb_turns_free(&turns);
        sb_families_free(&families);
    }
}

static void no_table_is_no_families(void **state)
{
    (void)state;
    sb_families f;
    unlink(path);
    assert_int_equal(sb_families_read(&f, ".", &(sb_results){0}), SB_OK);
    assert_int_equal(f.n, 0);
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *sentence;
    } wrong[] = {
        {"ffffffff,0,0,1,-1\n", "parents.csv:2: no cell of cells.csv has the hash 'ffffffff'"},
        {"aaaaaaaa,0,1,1,-1\n", "parents.csv:2: generation 0, rank 1: does not come next"},
        {"aaaaaaaa,0,0,1,-1\naaaaaaaa,2,0,1,1\n", "parents.csv:3: generation 2, rank 0: does not come next"},
        {"aaaaaaaa,0,0,1,-1\naaaaaaaa,0,2,1,-1\n", "parents.csv:3: generation 0, rank 2: does not come next"},
        {"aaaaaaaa,0,0,-1,-1\n", "parents.csv:2: generation 0, rank 0: does not come next"},
        {"aaaaaaaa,0,0,1,-2\n", "parents.csv:2: generation 0, rank 0: does not come next"},
        {"aaaaaaaa,0,0,1,-1\nbbbbbbbb,0,0,1,-1\naaaaaaaa,1,0,1,1\n", "parents.csv:4: the run aaaaaaaa has rows before"},
        {"aaaaaaaa,0,best,1,-1\n", "parents.csv:2: rank wants a"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sb_families f;
        assert_int_equal(read_text(&f, wrong[i].rows), SB_E_INTEGRITY);
        assert_non_null(strstr(sb_message(), wrong[i].sentence));
        assert_int_equal(f.n, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_descent),          cmocka_unit_test(ancestors_that_are_not_there),
        cmocka_unit_test(where_a_comparison_turned), cmocka_unit_test(no_table_is_no_families),
        cmocka_unit_test(what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
