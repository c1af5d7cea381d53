/* Matrix files that make no sense: one sentence with file and line each. The first line of each text is line 5. */
#include "support.h"

#include "matrix/cells/cells.h"
#include "matrix_files.h"

#define OPTIONS "    options: {model: prednet, data: walk, updates: 4, target: copy, backend: native, hardware: any}\n"

typedef struct refused {
    const char *text, *sentence;
} refused;

static const refused of_schema[] = {
    {"studies:\n  - name: p\n    seeeds: 3\n", "matrix_test.yaml:7: unknown key 'seeeds', did you mean 'seeds'?"},
    {"studies:\n  - name: p\n    axes:\n      target: [copy]\n      colour: [red]\n",
     "matrix_test.yaml:9: unknown key 'colour'"},
    {"tudies: []\n", "matrix_test.yaml:5: unknown key 'tudies', did you mean 'studies'?"},
    {"studies:\n  - name: p\n    seeds: three\n", "matrix_test.yaml:7: seeds wants a whole number in [1, 100000], not 'three'"},
    {"studies:\n  - name: p\n    seeds: [1, 2]\n", "matrix_test.yaml:7: seeds wants one value, not a list"},
    {"studies:\n  - name: p\n    axes:\n      target: copy\n", "matrix_test.yaml:8: target wants a list, not one value"},
    {"studies:\n  - name: p\n    axes:\n      target: [copy, [shared]]\n",
     "matrix_test.yaml:8: an entry of target wants one value, not a list"},
    {"studies:\n  - name: p\n    axes: {target: []}\n", "matrix_test.yaml:7: target wants at least one value"},
    {"studies:\n  - name: p\n    options: [1]\n", "matrix_test.yaml:7: options wants a mapping, not a list"},
    {"studies:\n  - name: p\n    name: q\n", "matrix_test.yaml:7: the key 'name' is here twice"},
    {"studies:\n  - name: p\n    options: {lr: }\n", "matrix_test.yaml:7: lr has no value"},
    {"studies:\n  - seeds: 1\n", "matrix_test.yaml:6: the key 'name' is missing here"},
    {"defaults: {}\n", "matrix_test.yaml:1: the key 'studies' is missing here"},
    {"studies:\n  - name: p\n    exclude:\n      - {target: copy, reason: x}\n      - {target: shared}\n",
     "matrix_test.yaml:9: the key 'reason' is missing here"},
    {"studies:\n  - name: 'p\n", "matrix_test.yaml:7: not YAML: found unexpected end of stream"},
    {"studies:\n  - name: \"p\\e[2J\"\n", "matrix_test.yaml:6: a control character in the text 'p'"},
    {"studies:\n  - name: \"p\\u202e\"\n", "matrix_test.yaml:6: a control character in the text 'p'"},
    {"studies: *nowhere\n", "matrix_test.yaml:5: not YAML: found undefined alias"},
};

static const refused of_meaning[] = {
    {"studies:\n  - name: p\n    seeds: 1\n    options:\n      model: prednet\n      threads: four\n",
     "matrix_test.yaml:10: threads wants a whole number in [1, 256], not 'four'"},
    {"studies:\n  - name: p\n    axes:\n      threads:\n        - 1\n        - 04\n",
     "matrix_test.yaml:10: threads wants a whole number in [1, 256], not '04'"},
    {"studies:\n  - name: p\n    axes:\n      target: [copy,\n               copied]\n",
     "matrix_test.yaml:9: target wants one of copy|shared, not 'copied'"},
    {"studies:\n  - name: p\n    zip:\n      - {channels: '3,8'}\n      - {channels: '3;8'}\n",
     "matrix_test.yaml:9: channels wants at most 16 whole numbers in [1, 4096] with commas, not '3;8'"},
    {"studies:\n  - name: p\n    include: [{hidden: '64,0'}]\n",
     "matrix_test.yaml:7: hidden wants at most 16 whole numbers in [1, 65536] with commas, not '64,0'"},
    {"studies:\n  - name: p\n    include: [{lr: 200}]\n",
     "matrix_test.yaml:7: lr wants a number in [0, 100], not '200'"},
    {"studies:\n  - name: ../p\n",
     "matrix_test.yaml:6: name wants letters, digits, '.', '_' and '-' (63 at most), not '../p'"},
    {"studies:\n  - name: p\n    axes:\n      seed: [1, 2, 1]\n",
     "matrix_test.yaml:8: the value '1' is on this axis twice"},
    {"studies:\n  - name: p\n    axes: {target: [copy]}\n    options: {target: copy}\n",
     "matrix_test.yaml:6: study 'p' sets target in more than one of options, axes and zip"},
    {"studies:\n  - name: p\n    axes: {seed: [1]}\n    seeds: 2\n",
     "matrix_test.yaml:8: either seeds (how many) or seed (which ones), not both"},
    {"studies:\n  - name: p\n    seeds: -1\n",
     "matrix_test.yaml:7: seeds wants a whole number in [1, 100000], not '-1'"},
    {"studies:\n  - name: p\n    seeds: 1e3\n",
     "matrix_test.yaml:7: seeds wants a whole number in [1, 100000], not '1e3'"},
    {"studies:\n  - name: p\n    seeds: 010\n",
     "matrix_test.yaml:7: seeds wants a whole number in [1, 100000], not '010'"},
    {"studies:\n  - name: p\n    seeds: 0\n",
     "matrix_test.yaml:7: seeds wants a whole number in [1, 100000], not '0'"},
    {"studies:\n  - name: p\n    seeds: 1\n    replicates: 2.9\n",
     "matrix_test.yaml:8: replicates wants a whole number in [1, 1000], not '2.9'"},
    {"studies:\n  - name: p\n    require: [gpu,\n              sm>7.5]\n",
     "matrix_test.yaml:8: require wants gpu, sm>=N or driver>=N, not 'sm>7.5'"},
    {"studies:\n  - name: p\n" OPTIONS "    axes: {epochs: [1]}\n    seeds: 1\n",
     "matrix_test.yaml:6: its cells want either updates or epochs, not both"},
    {"studies:\n  - name: p\n" OPTIONS, "matrix_test.yaml:6: its cells have no seed: set it in options, axes, zip or "
                                        "defaults"},
    {"studies:\n  - name: p\n    seeds: 1\n" OPTIONS "    include: [{data: wlak}]\n",
     "matrix_test.yaml:9: data set 'wlak' is not in the list 'data' of this file, did you mean 'walk'?"},
    {"studies:\n  - name: p\n    seeds: 1\n    options: {model: prednet, data: walk, updates: 4, target: copy, "
     "backend: "
     "native, hardware: i5-4591}\n",
     "matrix_test.yaml:6: hardware 'i5-4591' is not in matrix_test_hw.yaml, did you mean 'i5-4590'?"},
    {"studies:\n  - name: q\n    seeds: 1\n" OPTIONS "  - name: p\n    seeds: 1\n" OPTIONS
     "    axes: {batch: [1, 2]}\n",
     "matrix_test.yaml:9: duplicate cell p/walk/native/any/copy/s001: what its name does not show (updates, batch, "
     "threads, ...) wants a study of its own"},
    {"studies:\n  - name: p\n    seeds: 1\n" OPTIONS "    exclude: [{reason: none}]\n",
     "matrix_test.yaml:9: exclude names no factor: it would take every cell"},
    {"studies:\n  - name: p\n    seeds: 1\n" OPTIONS "    exclude:\n      - {target: '(', reason: x}\n",
     "matrix_test.yaml:10: exclude: '(' is no regular expression"},
    {"studies:\n  - name: p\n    seeds: 1\n" OPTIONS "    exclude:\n      - {target: shared, reason: x}\n",
     "matrix_test.yaml:10: this exclude matches no cell"},
    {"studies:\n  - name: p\n    axes: {seed: [12532, 15085]}\n    options: {model: prednet, data: walk, updates: 5, "
     "target: copy, backend: native, hardware: any}\n",
     "matrix_test.yaml:6: the hashes of p/walk/native/any/copy/s12532 and p/walk/native/any/copy/s15085 both begin "
     "with "
     "4a4b415d, and tables identify cells by these digits; give one of them another seed, or its study another name"},
};

static void check(const refused *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sb_cells *cells;
        assert_int_equal(load_matrix(&cells, NULL, cases[i].text), SB_E_USAGE);
        assert_string_equal(sb_message(), cases[i].sentence);
        assert_null(cells);
    }
}

static void what_the_schema_forbids(void **state)
{
    (void)state;
    check(of_schema, sizeof of_schema / sizeof *of_schema);
}

static void what_has_no_meaning(void **state)
{
    (void)state;
    check(of_meaning, sizeof of_meaning / sizeof *of_meaning);
}

/* A matrix of one cell, with so many letters in the command that makes its data set. */
static sb_status load_padded(sb_cells **cells, size_t n_letters)
{
    char head[SB_RECORD_BYTES + 256], letters[SB_RECORD_BYTES + 1] = "";
    memset(letters, 'x', n_letters);
    letters[n_letters] = 0;
    snprintf(head, sizeof head,
             "hardware: matrix_test_hw.yaml\ndata:\n  - {name: walk, make: convert video a/b --source x%s}\n", letters);
    return load_matrix(cells, head, "studies:\n  - name: p\n    seeds: 1\n" OPTIONS);
}

static void a_record_that_a_run_file_cannot_give_back(void **state)
{
    (void)state;
    sb_cells *cells;
    assert_int_equal(load_padded(&cells, 0), SB_OK);
    const size_t room = SB_RECORD_BYTES - 1 - strlen(cells->item[0].record);
    sb_cells_free(cells);
    assert_int_equal(load_padded(&cells, room), SB_OK);
    sb_cells_free(cells);
    assert_int_equal(load_padded(&cells, room + 1), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "the settings of p/walk/native/any/copy/s001 take 8192 bytes, 8191 at most"));
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    sb_cells *cells;
    const sb_host host = {0};
    assert_int_equal(sb_cells_load(&cells, "no_such.yaml", &host), SB_E_USAGE);
    assert_string_equal(sb_message(), "no_such.yaml: No such file or directory");
    assert_int_equal(load_matrix(&cells, "", ""), SB_E_USAGE);
    assert_string_equal(sb_message(), "matrix_test.yaml: empty");
    assert_int_equal(
        load_matrix(&cells, "\n\nhardware: none.yaml\ndata: [{name: a, make: synth walk}]\n", "studies: [{name: p}]\n"),
        SB_E_USAGE);
    assert_string_equal(sb_message(), "matrix_test.yaml:3: none.yaml: no such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_schema_forbids),
        cmocka_unit_test(what_has_no_meaning),
        cmocka_unit_test(a_record_that_a_run_file_cannot_give_back),
        cmocka_unit_test(files_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
