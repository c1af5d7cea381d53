/* Frames compared with a row of the catalog: those of each file, at each size, whatever files were chosen. */
#include "support.h"

#include "core/hash.h"
#include "datasets/convert/convert.h"
#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { W = 4, H = 2, N = 5, FRAME = W * H * 3 };
static const char path[] = "test_known_frames.h5";
#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static uint8_t frames[N][FRAME];
static char hash[2][SB_HASH_TEXT]; /* of the first file's two frames and the second's three */
static sb_catalog_entry catalog[2];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) memset(frames[i], 10 * i, FRAME);
    sb_hash_text(sb_hash_of(frames, 2 * FRAME, 1), hash[0]);
    sb_hash_text(sb_hash_of(frames[2], 3 * FRAME, 1), hash[1]);
    catalog[0] = (sb_catalog_entry){
        .name = "clips",
        .size = {{W, H}},
        .file = {{.name = "a.mp4", .sha256 = A, .n_frames = 2, .frames = {hash[0]}},
                 {.name = "b.mp4", .sha256 = B, .n_frames = 3, .frames = {hash[1]}}},
    };
    return 0;
}

/* n frames from the first on, said to be made of these files. */
static void write_clips(int first, size_t n, const char *files, const char *converter)
{
    const size_t dim[] = {1, H, W, 3}, one = 1;
    const int64_t start = 0;
    sb_h5 *file;
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_create_rows(file, "frames", SB_U8, 4, dim), SB_OK);
    assert_int_equal(sb_h5_append_rows(file, "frames", SB_U8, n, frames[first]), SB_OK);
    assert_int_equal(sb_h5_write(file, "sequence", SB_I64, 1, &one, &start, SB_H5_PLAIN), SB_OK);
    const char *texts[][2] = {
        {"format", "samebits-dataset"}, {"kind", "video"},      {"name", "clips"}, {"sha256", files},
        {"converter", converter},       {"software", "libx 1"}, {"licence", ""}};
    assert_int_equal(sb_h5_set_int(file, "", "version", 1), SB_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(sb_h5_set_text(file, "", texts[i][0], texts[i][1]), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

static void known_frames_hold(void **state)
{
    (void)state;
    write_clips(0, 5, A "  a.mp4\n" B "  b.mp4\n", "samebits-data convert clips");
    assert_int_equal(sb_known_frames_check(path, catalog), SB_OK);
    write_clips(2, 3, B "  b.mp4\n", "samebits-data convert clips");
    assert_int_equal(sb_known_frames_check(path, catalog), SB_OK);
}

static void the_file_is_named(void **state)
{
    (void)state;
    const uint8_t before = frames[4][7];
    frames[4][7] ^= 1;
    write_clips(0, 5, A "  a.mp4\n" B "  b.mp4\n", "samebits-data convert clips");
    frames[4][7] = before;
    assert_int_equal(sb_known_frames_check(path, catalog), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "the frames of b.mp4 differ from the reference; made by libx 1"));
    write_clips(0, 4, A "  a.mp4\n" B "  b.mp4\n", "samebits-data convert clips"); /* one frame was not decoded */
    assert_int_equal(sb_known_frames_check(path, catalog), SB_E_INTEGRITY);
}

static void others_are_not_compared(void **state)
{
    (void)state;
    write_clips(1, 2, A "  a.mp4\n", "samebits-data convert video");
    assert_int_equal(sb_known_frames_check(path, catalog), SB_OK);
    catalog[0].size[0].w = W + 1;
    write_clips(1, 2, A "  a.mp4\n", "samebits-data convert clips");
    assert_int_equal(sb_known_frames_check(path, catalog), SB_OK);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_frames_hold, set_up, remove_file),
        cmocka_unit_test_setup_teardown(the_file_is_named, set_up, remove_file),
        cmocka_unit_test_setup_teardown(others_are_not_compared, set_up, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
