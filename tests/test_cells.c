/* From a matrix file to cells: what multiplies, what is taken out and put in, and names and hashes that stay. */
#include "support.h"

#include "matrix_files.h"

#include "core/hash.h"

#define OPTIONS "    options: {model: prednet, data: walk, updates: 4, window: 2}\n"
#define BOTH    "    axes: {target: [copy, shared], backend: [native, openblas]}\n"
#define ANY     "    zip: [{hardware: any, threads: 1}]\n"

static sb_cells *load(const char *text)
{
    sb_cells *cells;
    if (load_matrix(&cells, NULL, text) != SB_OK) fail_msg("%s", sb_message());
    return cells;
}

static const sb_cell *find(const sb_cells *cells, const char *name)
{
    for (size_t i = 0; i < cells->n; i++)
        if (strcmp(cells->item[i].name, name) == 0) return &cells->item[i];
    fail_msg("there is no cell %s", name);
    return NULL;
}

static void axes_multiply_in_a_fixed_order(void **state)
{
    (void)state;
    sb_cells *cells = load("studies:\n  - name: p\n" OPTIONS "    seeds: 2\n" BOTH ANY);
    static const char *const names[] = {
        "p/walk/native/any/copy/s001",     "p/walk/native/any/copy/s002",     "p/walk/native/any/shared/s001",
        "p/walk/native/any/shared/s002",   "p/walk/openblas/any/copy/s001",   "p/walk/openblas/any/copy/s002",
        "p/walk/openblas/any/shared/s001", "p/walk/openblas/any/shared/s002",
    };
    assert_int_equal(cells->n, 8);
    for (size_t i = 0; i < 8; i++) assert_string_equal(cells->item[i].name, names[i]);
    sb_cells_free(cells);
}

static void zipped_factors_advance_together(void **state)
{
    (void)state;
    sb_cells *cells = load("defaults: {threads: 7, target: copy}\n"
                           "studies:\n  - name: p\n" OPTIONS "    axes: {seed: [5, 9]}\n"
                           "    zip:\n"
                           "      - {backend: native, hardware: any}\n"
                           "      - {backend: openblas, hardware: i5-4590, threads: 4, blas_kernel: Haswell}\n");
    assert_int_equal(cells->n, 4);
    const sb_cell *native = find(cells, "p/walk/native/any/copy/s009");
    const sb_cell *openblas = find(cells, "p/walk/openblas/i5-4590/copy/s005");
    assert_string_equal(native->value[SB_SETTING_THREADS], "7");
    assert_null(native->value[SB_SETTING_BLAS_KERNEL]);
    assert_string_equal(openblas->value[SB_SETTING_THREADS], "4");
    assert_string_equal(openblas->value[SB_SETTING_BLAS_KERNEL], "Haswell");
    sb_cells_free(cells);
}

static void excluded_cells_keep_their_reason(void **state)
{
    (void)state;
    sb_cells *cells = load("studies:\n  - name: p\n" OPTIONS "    seeds: 2\n" BOTH ANY "    exclude:\n"
                           "      - {target: shared, backend: nat.*, reason: not needed}\n"
                           "      - {seed: '2', reason: one seed is enough}\n");
    assert_int_equal(cells->n, 3);
    assert_int_equal(cells->n_excluded, 5);
    assert_string_equal(cells->excluded[1].name, "p/walk/native/any/shared/s001");
    assert_string_equal(cells->excluded[1].reason, "not needed");
    assert_string_equal(cells->excluded[0].reason, "one seed is enough");
    sb_cells_free(cells);
}

static void included_cells_stand_for_themselves(void **state)
{
    (void)state;
    sb_cells *cells = load("studies:\n  - name: p\n" OPTIONS "    seeds: 2\n" BOTH ANY
                           "    exclude: [{backend: openblas, reason: no}]\n"
                           "    include:\n"
                           "      - {backend: openblas, hardware: any, target: copy, data: clip, seed: 8}\n"
                           "      - {backend: native, hardware: here, target: copy}\n"
                           "  - name: alone\n" OPTIONS "    seeds: 1\n"
                           "    include: [{backend: native, hardware: any, target: copy}]\n");
    assert_int_equal(cells->n, 4 + 1 + 2 + 1);
    find(cells, "p/clip/openblas/any/copy/s008");
    find(cells, "p/walk/native/here/copy/s001");
    find(cells, "p/walk/native/here/copy/s002");
    find(cells, "alone/walk/native/any/copy/s001");
    sb_cells_free(cells);
}

/* The record is written out once, so that a change of its form, which would disown all results, cannot go unseen. */
static void the_record_is_canonical(void **state)
{
    (void)state;
    sb_cells *cells = load("studies:\n  - name: p\n"
                           "    options: {updates: 4, lr: 1e-3, channels: '3,8', model: prednet, data: walk, "
                           "checkpoint_every: 2}\n"
                           "    include: [{target: copy, seed: 3, threads: 2, hardware: any, backend: native}]\n");
    static const char record[] =
        "{\"backend\":\"native\",\"channels\":\"3,8\",\"data\":\"walk\",\"data_make\":\"synth walk --seed 1\","
        "\"hardware\":\"any\",\"lr\":0.001,\"model\":\"prednet\",\"seed\":3,\"study\":\"p\",\"target\":\"copy\","
        "\"threads\":2,\"updates\":4}";
    char hash[SB_SHA256_TEXT];
    sb_sha256_bytes(record, strlen(record), hash);
    assert_string_equal(cells->item[0].record, record);
    assert_string_equal(cells->item[0].hash, hash);
    sb_cells_free(cells);
}

/* A network of one number of hidden units has the record that it had before there were lists of them. */
static void one_hidden_layer_is_a_number(void **state)
{
    (void)state;
    sb_cells *cells =
        load("studies:\n  - name: p\n"
             "    options: {updates: 4, model: autoencoder, data: walk, target: copy, backend: native}\n"
             "    include: [{seed: 1, hardware: any, hidden: 64}, {seed: 2, hardware: any, hidden: '64,32'}]\n");
    assert_non_null(strstr(cells->item[0].record, "\"hidden\":64,"));
    assert_non_null(strstr(cells->item[1].record, "\"hidden\":\"64,32\","));
    sb_cells_free(cells);
}

/* Every cell of the small matrix is in the larger one with the same hash; order, spelling and spacing do not matter. */
static void growing_a_matrix_rehashes_nothing(void **state)
{
    (void)state;
    sb_cells *small = load("studies:\n  - name: p\n" OPTIONS "    seeds: 2\n" BOTH ANY);
    sb_cells *large = load("studies:\n"
                           "  - {name: q, include: [{model: prednet, data: clip, updates: 1, backend: native, "
                           "hardware: any, target: copy, seed: 1}]}\n"
                           "  - name: p\n"
                           "    axes:\n"
                           "      backend: [cublas, openblas, native]\n"
                           "      target: [shared, copy]\n"
                           "    zip: [{hardware: here, threads: 3}, {hardware: any, threads: 1}]\n"
                           "    seeds: 5\n"
                           "    tags: [some]\n"
                           "    options: {window: 2, updates: 4, data: walk, model: prednet, checkpoint_every: 3}\n");
    assert_int_equal(small->n, 8);
    assert_int_equal(large->n, 1 + 3 * 2 * 2 * 5);
    for (size_t i = 0; i < small->n; i++)
        assert_string_equal(find(large, small->item[i].name)->hash, small->item[i].hash);
    sb_cells_free(small);
    sb_cells_free(large);
}

static void a_recorded_factor_changes_the_hash_alone(void **state)
{
    (void)state;
    sb_cells *four = load("studies:\n  - name: p\n" OPTIONS "    seeds: 1\n" BOTH ANY);
    sb_cells *five = load("studies:\n  - name: p\n"
                          "    options: {model: prednet, data: walk, updates: 5, window: 2}\n"
                          "    seeds: 1\n" BOTH ANY);
    for (size_t i = 0; i < four->n; i++) {
        assert_string_equal(four->item[i].name, five->item[i].name);
        assert_string_not_equal(four->item[i].hash, five->item[i].hash);
    }
    sb_cells_free(four);
    sb_cells_free(five);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_multiply_in_a_fixed_order),    cmocka_unit_test(zipped_factors_advance_together),
        cmocka_unit_test(excluded_cells_keep_their_reason),  cmocka_unit_test(included_cells_stand_for_themselves),
        cmocka_unit_test(the_record_is_canonical),           cmocka_unit_test(one_hidden_layer_is_a_number),
        cmocka_unit_test(growing_a_matrix_rehashes_nothing), cmocka_unit_test(a_recorded_factor_changes_the_hash_alone),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
