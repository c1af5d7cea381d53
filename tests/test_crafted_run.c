/* Runs and traces whose parts do not fit each other: shapes, counts and attributes that would lead a reader past its
 * memory. Each is refused with a sentence. */
#include "crafted.h"

#include "inspect/trace/trace_file.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"

#include <unistd.h>

static const char *const path = "test_crafted_run.h5";

/* ---- runs ---- */

static void good_run(craft c)
{
    static const char *const columns[] = {"train/loss_last", "train/loss_mean", "train/grad_norm", "train/seconds"};
    static const char *const links[] = {"chain/batch", "chain/weights", "chain/optimiser", "chain/gradient"};
    static const char *const reals[] = {"loss_last",   "loss_mean",         "seconds",
                                        "cpu_seconds", "frames_per_second", "peak_memory_bytes"};
    craft_int(c, "/meta", "schema", SB_RUN_SCHEMA);
    craft_text(c, "/meta", "cell", "a/cell");
    craft_text(c, "/meta", "hash", "0123");
    craft_counts(c, "train/update", 50, 1);
    craft_counts(c, "chain/update", 50, 1);
    for (int i = 0; i < 4; i++) {
        DOUBLES(columns[i], 50);
        BYTES(links[i], 50, 16);
    }
    craft_counts(c, "sketch/update", 51, 0);
    DOUBLES("sketch/row", 51, SB_SKETCH_BUCKETS);
    craft_counts(c, "sketch/weights", 1, 1000);
    craft_counts(c, "prediction/frame", 2, 1);
    BYTES("prediction/true", 2, 8, 6, 3);
    BYTES("prediction/predicted", 2, 8, 6, 3);
    craft_int(c, "/final", "updates", 50);
    craft_text(c, "/final", "weights", "0123");
    for (int i = 0; i < 6; i++) craft_real(c, "/final", reals[i], 1);
}

/* What the layout refuses, the whole check refuses first; a good one is here without what is behind it, the digests. */
static sb_status open_run(void)
{
    sb_h5 *file;
    sb_run_summary summary;
    sb_run_sketches sketches = {0};
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    sb_status status = sb_runfile_check_layout(file);
    if (status != SB_OK) status = sb_runfile_check(file);
    if (status == SB_OK) status = sb_runfile_summary(file, &summary);
    if (status == SB_OK) status = sb_runfile_sketches(file, &sketches);
    sb_run_sketches_free(&sketches);
    sb_h5_close(file);
    return status;
}

static void fewer_losses(craft c)
{
    DOUBLES("train/loss_mean", 10);
}

static void losses_in_a_square(craft c)
{
    DOUBLES("train/loss_last", 10, 5);
}

static void whole_losses(craft c)
{
    craft_counts(c, "train/loss_last", 50, 1);
}

static void more_updates_than_losses(craft c)
{
    craft_counts(c, "train/update", 5000, 1);
}

static void updates_with_a_gap(craft c)
{
    craft_counts(c, "train/update", 50, 2);
}

static void links_behind_the_end(craft c)
{
    craft_counts(c, "chain/update", 50, 2);
}

static void links_before_the_first(craft c)
{
    craft_counts(c, "chain/update", 50, 0);
}

static void the_same_link_again(craft c)
{
    craft_set(c, "chain/update", H5T_STD_I64LE, DIMS(50), H5P_DEFAULT, (int64_t[50]){7, 7});
}

static void short_hashes(craft c)
{
    BYTES("chain/weights", 50, 15);
}

static void fewer_hashes(craft c)
{
    BYTES("chain/gradient", 49, 16);
}

static void narrow_sketches(craft c)
{
    DOUBLES("sketch/row", 51, SB_SKETCH_BUCKETS - 1);
}

static void fewer_sketches(craft c)
{
    DOUBLES("sketch/row", 50, SB_SKETCH_BUCKETS);
}

static void sketches_of_no_update(craft c)
{
    craft_counts(c, "sketch/update", 51, -5);
}

static void several_weights(craft c)
{
    craft_counts(c, "sketch/weights", 100, 1);
}

static void turned_predictions(craft c)
{
    BYTES("prediction/predicted", 2, 6, 8, 3);
}

static void more_predictions(craft c)
{
    BYTES("prediction/predicted", 200, 8, 6, 3);
}

static void fewer_frame_numbers(craft c)
{
    craft_counts(c, "prediction/frame", 1, 1);
}

static void a_list_for_a_real(craft c)
{
    craft_attribute(c, "/final", "seconds", H5T_IEEE_F64LE, 1000, (double[1000]){0});
}

static void a_list_for_a_count(craft c)
{
    craft_attribute(c, "/final", "updates", H5T_STD_I64LE, 1000, (int64_t[1000]){0});
}

static void a_text_for_a_real(craft c)
{
    craft_text(c, "/final", "loss_last", "1");
}

static void a_real_for_a_count(craft c)
{
    craft_real(c, "/final", "updates", 50);
}

static void a_real_for_a_text(craft c)
{
    craft_real(c, "/final", "weights", 50);
}

static void a_long_text(craft c)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    craft_text(c, "/meta", "hash", text); /* it is cut, not written past its place */
}

static void a_text_without_end(craft c)
{
    hid_t type = craft_text_type(64);
    char text[64];
    memset(text, 'x', sizeof text);
    H5Tset_strpad(type, H5T_STR_SPACEPAD);
    craft_attribute(c, "/meta", "hash", type, 0, text);
}

static void runs(void **state)
{
    (void)state;
    static const crafted cases[] = {
        {"good", NULL, NULL},
        CASE(fewer_losses, "/train/loss_mean is [10] and should be [50]"),
        CASE(losses_in_a_square, "/train/loss_last is [10][5] and should be [50]"),
        CASE(whole_losses, "/train/loss_last holds numbers of another type"),
        CASE(more_updates_than_losses, "/train/loss_last is [50] and should be [5000]"),
        CASE(updates_with_a_gap, "/train/update does not ascend from 1 to 50"),
        CASE(links_behind_the_end, "/chain/update does not ascend from 1 to 50"),
        CASE(links_before_the_first, "/chain/update does not ascend from 1 to 50"),
        CASE(the_same_link_again, "/chain/update does not ascend from 1 to 50"),
        CASE(short_hashes, "/chain/weights is [50][15] and should be [50][16]"),
        CASE(fewer_hashes, "/chain/gradient is [49][16] and should be [50][16]"),
        CASE(narrow_sketches, "/sketch/row is [51][1023] and should be [51][1024]"),
        CASE(fewer_sketches, "/sketch/row is [50][1024] and should be [51][1024]"),
        CASE(sketches_of_no_update, "/sketch/update does not ascend from 0 to 50"),
        CASE(several_weights, "/sketch/weights is [100] and should be [1]"),
        CASE(turned_predictions, "/prediction/predicted is [2][6][8][3] and should be [2][8][6][3]"),
        CASE(more_predictions, "/prediction/predicted is [200][8][6][3] and should be [2][8][6][3]"),
        CASE(fewer_frame_numbers, "/prediction/true is [2][8][6][3] and should be [1][h][w][c]"),
        CASE(a_list_for_a_real, "attribute seconds of /final is not a number"),
        CASE(a_list_for_a_count, "attribute updates of /final is not a whole number"),
        CASE(a_text_for_a_real, "attribute loss_last of /final is not a number"),
        CASE(a_real_for_a_count, "attribute updates of /final is not a whole number"),
        CASE(a_real_for_a_text, "attribute weights of /final is not a text"),
        CASE(a_long_text, NULL),
        CASE(a_text_without_end, NULL),
    };
    expect_each(path, cases, sizeof cases / sizeof *cases, good_run, open_run, SB_SEAL_CHECKPOINT);
}

/* ---- traces ---- */

static void put_row(craft c, int64_t row, int64_t c_side, int64_t h_side, int64_t w_side)
{
    craft_set(c, "tensor/row", H5T_STD_I64LE, DIMS(2), H5P_DEFAULT, (int64_t[]){0, row});
    craft_set(c, "tensor/shape", H5T_STD_I64LE, DIMS(2, 3), H5P_DEFAULT, (int64_t[]){1, 1, 4, c_side, h_side, w_side});
}

static void good_trace(craft c)
{
    static const char hash[] = "00112233445566778899aabbccddeeff";
    craft_int(c, "/meta", "trace", 1);
    craft_int(c, "/meta", "update", 1);
    craft_text(c, "/meta", "backend", "native");
    craft_text(c, "/meta", "kernel", "plain");
    craft_text(c, "/meta", "gradient", hash);
    craft_text(c, "/meta", "weights", hash);
    BYTES("row/operation", 3, 32);
    put_row(c, 2, 1, 2, 3);
    BYTES("tensor/role", 2, 16);
    BYTES("tensor/name", 2, 64);
    BYTES("tensor/written", 2);
    BYTES("tensor/hash", 2, 16);
    craft_zeros(c, "kept/1", H5T_IEEE_F32LE, DIMS(1, 2, 3));
}

static sb_status open_trace(void)
{
    sb_traced traced;
    SB_TRY(sb_trace_read(&traced, path));
    sb_traced_free(&traced);
    return SB_OK;
}

static void a_row_behind_the_last(craft c)
{
    put_row(c, 3, 1, 2, 3);
}

static void a_row_before_the_first(craft c)
{
    put_row(c, -1, 1, 2, 3);
}

static void kept_numbers_of_another_shape(craft c)
{
    craft_zeros(c, "kept/1", H5T_IEEE_F32LE, DIMS(1, 2, 2));
}

static void sides_that_wrap(craft c) /* their product is 2^64 and more */
{
    put_row(c, 2, 1 << 30, 1 << 30, 16);
}

static void a_negative_side(craft c)
{
    put_row(c, 2, -1, 2, 3);
}

static void more_tensors_than_fit(craft c)
{
    craft_zeros(c, "tensor/row", H5T_STD_I64LE, DIMS(13)); /* all of row 0 */
    craft_zeros(c, "tensor/shape", H5T_STD_I64LE, DIMS(13, 3));
    BYTES("tensor/role", 13, 16);
    BYTES("tensor/name", 13, 64);
    BYTES("tensor/written", 13);
    BYTES("tensor/hash", 13, 16);
}

static void long_names(craft c)
{
    BYTES("tensor/name", 2, 640);
}

static void names_without_end(craft c)
{
    uint8_t name[2 * 64];
    memset(name, 'x', sizeof name);
    craft_set(c, "tensor/name", H5T_STD_U8LE, DIMS(2, 64), H5P_DEFAULT, name);
}

static void fewer_roles(craft c)
{
    BYTES("tensor/role", 1, 16);
}

static void a_short_hash(craft c)
{
    craft_text(c, "/meta", "gradient", "0011");
}

static void long_operations(craft c)
{
    BYTES("row/operation", 3, 320);
}

static void a_list_of_updates(craft c)
{
    craft_attribute(c, "/meta", "update", H5T_STD_I64LE, 1000, (int64_t[1000]){0});
}

static void traces(void **state)
{
    (void)state;
    static const crafted cases[] = {
        {"good", NULL, NULL},
        CASE(names_without_end, NULL),
        CASE(a_row_behind_the_last, "not a whole trace of samebits"),
        CASE(a_row_before_the_first, "not a whole trace of samebits"),
        CASE(kept_numbers_of_another_shape, "not a whole trace of samebits"),
        CASE(sides_that_wrap, "not a whole trace of samebits"),
        CASE(a_negative_side, "not a whole trace of samebits"),
        CASE(more_tensors_than_fit, "not a whole trace of samebits"),
        CASE(a_short_hash, "not a whole trace of samebits"),
        CASE(long_names, "/tensor/name is [2][640] and should be [2][64]"),
        CASE(fewer_roles, "/tensor/role is [1][16] and should be [2][16]"),
        CASE(long_operations, "/row/operation is [3][320] and should be [n][32]"),
        CASE(a_list_of_updates, "attribute update of /meta is not a whole number"),
    };
    expect_each(path, cases, sizeof cases / sizeof *cases, good_trace, open_trace, SB_SEAL_TRACE);
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(runs, remove_files),
        cmocka_unit_test_teardown(traces, remove_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
