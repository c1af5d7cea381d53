/* Baselines: losses by eye, and over the windows that the data loader gives, held against sums of their own. */
#include "support.h"

#include "data/loader.h"
#include "data_files.h"
#include "io/baselines.h"

#include <math.h>
#include <stdio.h>

enum { W = 4, H = 2, FRAME = W * H * 3 };

static const char path[] = "test_baselines.h5";

/* A video of frames that are of one grey each. */
static void write_greys(size_t n, const uint8_t *grey, size_t n_starts, const int64_t *start)
{
    sb_h5 *file;
    uint8_t bytes[16 * FRAME];
    assert_true(n <= 16);
    for (size_t i = 0; i < n * FRAME; i++) bytes[i] = grey[i / FRAME];
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_write(file, "frames", SB_U8, 4, (size_t[]){n, H, W, 3}, bytes, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_h5_write(file, "sequence", SB_I64, 1, &n_starts, start, SB_H5_PLAIN), SB_OK);
    assert_int_equal(sb_h5_set_text(file, "", "format", "samebits-dataset"), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

static void expect_refused(sb_status status, const char *message)
{
    assert_int_equal(status, SB_E_USAGE);
    assert_string_equal(sb_message(), message);
}

static void expect_near(double value, double wanted, const char *what)
{
    const double tolerance = 64 * 2.220446049250313e-16 * wanted;
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%s: %a, wanted %a", what, value, wanted);
}

static void expect(const sb_baseline *baseline, double last, double mean, const char *what)
{
    const double unit = 255.0 * 255.0;
    expect_near(baseline->loss_last, last / unit, what);
    expect_near(baseline->loss_mean, mean / unit, what);
}

/* Two sequences, 10 20 40 80 | 100 90 60 200: windows of two frames are 20, 40 80, 90, 60 200. The mean is 75. */
static void losses_by_eye(void **state)
{
    (void)state;
    sb_dataset *dataset;
    sb_baselines *b;
    sb_baseline got[SB_N_BASELINES];
    write_greys(8, (uint8_t[]){10, 20, 40, 80, 100, 90, 60, 200}, 2, (int64_t[]){0, 4});
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    assert_int_equal(sb_baselines_open(&b, dataset), SB_OK);
    expect_near(sb_baselines_change(b), (100 + 400 + 1600 + 100 + 900 + 19600) / 6.0 / (255.0 * 255.0), "change");
    /* update 1: nothing before 10, so that linear repeats it */
    assert_int_equal(sb_baselines_compute(b, 2, 1, got), SB_OK);
    expect(&got[SB_BASELINE_REPEAT], 100, 100, "repeat, update 1");
    expect(&got[SB_BASELINE_MEAN], 55 * 55, 55 * 55, "mean, update 1");
    expect(&got[SB_BASELINE_LINEAR], 100, 100, "linear, update 1");
    /* update 2: 40 and 80; linear says 30 and 60 */
    assert_int_equal(sb_baselines_compute(b, 2, 2, got), SB_OK);
    expect(&got[SB_BASELINE_REPEAT], 1600, (400 + 1600) / 2.0, "repeat, update 2");
    expect(&got[SB_BASELINE_MEAN], 25, (35 * 35 + 25) / 2.0, "mean, update 2");
    expect(&got[SB_BASELINE_LINEAR], 400, (100 + 400) / 2.0, "linear, update 2");
    /* update 4: 60 and 200; linear says 80 and 30 */
    assert_int_equal(sb_baselines_compute(b, 2, 4, got), SB_OK);
    expect(&got[SB_BASELINE_LINEAR], 170 * 170, (400 + 170 * 170) / 2.0, "linear, update 4");
    /* of ten updates the last fifth are the 9th and 10th, which are the 1st and 2nd of the third pass */
    assert_int_equal(sb_baselines_compute(b, 2, 10, got), SB_OK);
    expect(&got[SB_BASELINE_REPEAT], (100 + 1600) / 2.0, (100 + 1000) / 2.0, "repeat, ten updates");
    expect_refused(sb_baselines_compute(b, 5, 10, got), "the data set holds not one window of 5");
    sb_baselines_close(b);
    sb_dataset_close(dataset);
}

/* 0 200 250: linear says 400, which is clipped to 255. */
static void linear_is_clipped(void **state)
{
    (void)state;
    sb_dataset *dataset;
    sb_baselines *b;
    sb_baseline got[SB_N_BASELINES];
    write_greys(6, (uint8_t[]){0, 200, 250, 90, 10, 5}, 1, (int64_t[]){0});
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    assert_int_equal(sb_baselines_open(&b, dataset), SB_OK);
    assert_int_equal(sb_baselines_compute(b, 3, 1, got), SB_OK);
    expect(&got[SB_BASELINE_LINEAR], 25, (200 * 200 + 25) / 2.0, "clipped above");
    assert_int_equal(sb_baselines_compute(b, 3, 2, got), SB_OK);
    expect(&got[SB_BASELINE_LINEAR], 25, (165 * 165 + 100 + 25) / 3.0, "10 after 250 and 90: clipped below");
    sb_baselines_close(b);
    sb_dataset_close(dataset);
}

/* Repeating the last frame, from the batches of the loader itself. */
static void expect_loaded(sb_dataset *dataset, int window, long updates)
{
    sb_loader *loader;
    sb_baselines *b;
    sb_baseline got[SB_N_BASELINES];
    const long n = updates / 5 ? updates / 5 : 1;
    double last = 0, mean = 0;
    char what[64];
    assert_int_equal(sb_loader_open(&loader, dataset, &(sb_loader_plan){.length = window, .n_shards = 1}), SB_OK);
    for (long update = updates - n + 1; update <= updates; update++) {
        sb_batch batch;
        double term = 0, sum = 0;
        assert_int_equal(sb_loader_batch(loader, update, 0, 1, &batch), SB_OK);
        const sb_window *w = &batch.shard[0];
        for (int i = 0; i < w->n; i++) {
            term = 0;
            for (int k = 0; k < FRAME; k++) {
                const double d = (w->bytes[(i + 1) * FRAME + k] - w->bytes[i * FRAME + k]) / 255.0;
                term += d * d / FRAME;
            }
            sum += term;
        }
        last += term, mean += sum / w->n;
    }
    snprintf(what, sizeof what, "windows of %d, %ld updates", window, updates);
    assert_int_equal(sb_baselines_open(&b, dataset), SB_OK);
    assert_int_equal(sb_baselines_compute(b, window, updates, got), SB_OK);
    expect_near(got[SB_BASELINE_REPEAT].loss_last, last / (double)n, what);
    expect_near(got[SB_BASELINE_REPEAT].loss_mean, mean / (double)n, what);
    sb_baselines_close(b);
    sb_loader_close(loader);
}

static void windows_are_those_of_the_loader(void **state)
{
    (void)state;
    sb_dataset *dataset;
    assert_int_equal(data_write_video(path, 125, W, H, 4, (int64_t[]){0, 45, 64, 84}, 1), SB_OK);
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    for (int window = 1; window <= 20; window += window < 3 ? 1 : 17)
        for (long updates = 1; updates < 400; updates = 3 * updates + 2) expect_loaded(dataset, window, updates);
    sb_dataset_close(dataset);
}

static void images_have_none(void **state)
{
    (void)state;
    sb_dataset *dataset;
    sb_baselines *b;
    assert_int_equal(data_write_images(path, 5, 2, 4, 1), SB_OK);
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    expect_refused(sb_baselines_open(&b, dataset), "baselines are of videos; this holds images");
    sb_dataset_close(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_by_eye),
        cmocka_unit_test(linear_is_clipped),
        cmocka_unit_test(windows_are_those_of_the_loader),
        cmocka_unit_test(images_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
