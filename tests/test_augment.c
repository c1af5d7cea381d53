/* Augmentation: the choices of the golden file; what they do to an image, held against the formulas; and that nothing
 * but (seed, epoch, image) decides. */
#include "support.h"

#include "core/random.h"
#include "data/augment.h"
#include "io/h5/h5.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 11, N = 700, SIDE = 32 };

static const sb_image_shape cifar = {3, SIDE, SIDE};

static sb_augment open_augment(const sb_augment_plan *plan, sb_image_shape shape, uint64_t seed, size_t n)
{
    sb_augment augment;
    if (sb_augment_open(&augment, plan, shape, seed, n) != SB_OK) fail_msg("%s", sb_message());
    return augment;
}

/* ---- the golden file ---- */

static void expect_golden(sb_h5 *file, long epoch, const char *form, const char *name, size_t n, const int *got)
{
    static int wanted[2 * N];
    char path[64];
    snprintf(path, sizeof path, "epoch%ld/%s/%s", epoch, form, name);
    if (sb_h5_read(file, path, SB_I32, n, wanted) != SB_OK) fail_msg("%s", sb_message());
    for (size_t i = 0; i < n; i++)
        if (got[i] != wanted[i]) fail_msg("%s[%zu] is %d, the golden file has %d", path, i, got[i], wanted[i]);
}

/* Both forms, two epochs, and squares of two sizes. */
static void choices_are_the_golden_ones(void **state)
{
    (void)state;
    sb_h5 *file;
    static int crop[2 * N], flip[N], cutout[2 * N];
    if (sb_h5_open(&file, SB_GOLDEN "/learning/input_f8.h5", SB_SEAL_FOREIGN) != SB_OK) fail_msg("%s", sb_message());
    for (int form = SB_AUGMENT_SAMPLE; form <= SB_AUGMENT_GROUP; form++)
        for (int size = 5; size <= 8; size += 3) {
            const sb_augment_plan plan = {.form = form, .crop = 4, .flip = true, .cutout = size};
            const char *name = form == SB_AUGMENT_GROUP ? "group" : "sample";
            sb_augment augment = open_augment(&plan, cifar, SEED, N);
            for (long epoch = 0; epoch < 2; epoch++) {
                sb_augment_begin(&augment, epoch);
                for (size_t i = 0; i < N; i++) {
                    const sb_choice choice = sb_augment_choose(&augment, i, i);
                    crop[2 * i] = choice.crop_x, crop[2 * i + 1] = choice.crop_y;
                    cutout[2 * i] = choice.cutout_x, cutout[2 * i + 1] = choice.cutout_y;
                    flip[i] = choice.flip;
                }
                expect_golden(file, epoch, name, "crop", 2 * N, crop);
                expect_golden(file, epoch, name, "flip", N, flip);
                expect_golden(file, epoch, name, size == 5 ? "cutout5" : "cutout8", 2 * N, cutout);
            }
            sb_augment_close(&augment);
        }
    sb_h5_close(file);
}

/* The golden file has uniform numbers in (0, 1); brightness b and contrast c - 1 are such in (-r, r). */
static void light_is_the_golden_one(void **state)
{
    (void)state;
    sb_h5 *file;
    static double uniform[N][2];
    const sb_augment_plan plan = {.brightness = 0.25, .contrast = 0.5};
    if (sb_h5_open(&file, SB_GOLDEN "/learning/input_f8.h5", SB_SEAL_FOREIGN) != SB_OK) fail_msg("%s", sb_message());
    if (sb_h5_read(file, "epoch0/light_uniform", SB_F64, 2 * N, uniform) != SB_OK) fail_msg("%s", sb_message());
    sb_h5_close(file);
    sb_augment augment = open_augment(&plan, cifar, SEED, N);
    sb_augment_begin(&augment, 0);
    for (size_t i = 0; i < N; i++) {
        const sb_choice choice = sb_augment_choose(&augment, 3, i);
        assert_true(choice.brightness == 0.25 * (2 * uniform[i][0] - 1));
        assert_true(choice.contrast == 1 + 0.5 * (2 * uniform[i][1] - 1));
    }
    sb_augment_close(&augment);
}

/* ---- what a choice does ---- */

enum { C = 2, H = 6, W = 7, IMAGE = C * H * W };

static const sb_image_shape small = {C, H, W};
static uint8_t image[IMAGE];

/* Tables in which every byte has a number of its own. */
static sb_normal numbered(void)
{
    sb_normal normal;
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_NONE, C, H * W, NULL, 0), SB_OK);
    for (int i = 0; i < C * SB_NORMAL_BYTES; i++) normal.table[i] = (sb_real)(i + 1);
    return normal;
}

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < IMAGE; i++) image[i] = (uint8_t)(3 * i + 1);
    return 0;
}

/* Pixel (y, x) of the image padded by reflection: row -1 is row 1, row h is row h - 2. */
static int padded(int c, int y, int x, int crop)
{
    y -= crop, x -= crop;
    while (y < 0 || y >= H) y = y < 0 ? -y : 2 * (H - 1) - y;
    while (x < 0 || x >= W) x = x < 0 ? -x : 2 * (W - 1) - x;
    return image[(c * H + y) * W + x];
}

static void every_crop_and_flip(void **state)
{
    (void)state;
    enum { CROP = 4, SQUARE = 2 };
    const sb_augment_plan plan = {.crop = CROP, .flip = true, .cutout = SQUARE};
    sb_augment augment = open_augment(&plan, small, 1, 3);
    sb_normal normal = numbered();
    sb_augment_begin(&augment, 0);
    for (int k = 0; k < 2 * 9 * 9; k++) {
        const sb_choice choice = {.crop_x = k / 2 % 9,
                                  .crop_y = k / 18,
                                  .flip = k % 2,
                                  .cutout_x = k % (W - SQUARE + 1),
                                  .cutout_y = k % (H - SQUARE + 1),
                                  .contrast = 1};
        sb_real x[IMAGE];
        sb_augment_apply(&augment, &choice, 0, image, &normal, x);
        for (int i = 0; i < IMAGE; i++) {
            const int c = i / (H * W), row = i / W % H, column = i % W;
            const bool cut = row >= choice.cutout_y && row < choice.cutout_y + SQUARE && column >= choice.cutout_x &&
                             column < choice.cutout_x + SQUARE;
            const int from = choice.flip ? W - 1 - column : column;
            const int byte = padded(c, row + choice.crop_y, from + choice.crop_x, CROP);
            const sb_real wanted = cut ? 0 : (sb_real)(c * SB_NORMAL_BYTES + byte + 1);
            if (x[i] != wanted)
                fail_msg("crop %d %d, flip %d, element %d: %g, wanted %g", choice.crop_x, choice.crop_y, choice.flip, i,
                         (double)x[i], (double)wanted);
        }
    }
    sb_normal_close(&normal);
    sb_augment_close(&augment);
}

/* By eye: one row of four pixels, one pixel of border. */
static void a_row_by_eye(void **state)
{
    (void)state;
    const uint8_t rows[] = {10, 20, 30, 40, 50, 60, 70, 80};
    const sb_augment_plan plan = {.crop = 1, .flip = true};
    sb_augment augment = open_augment(&plan, (sb_image_shape){1, 2, 4}, 1, 1);
    sb_normal normal;
    sb_real x[8];
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_NONE, 1, 8, NULL, 0), SB_OK);
    for (int i = 0; i < SB_NORMAL_BYTES; i++) normal.table[i] = (sb_real)i;
    sb_augment_begin(&augment, 0);
    sb_augment_apply(&augment, &(sb_choice){.crop_x = 0, .crop_y = 1, .contrast = 1}, 0, rows, &normal, x);
    const sb_real left[] = {20, 10, 20, 30, 60, 50, 60, 70};
    assert_memory_equal(x, left, sizeof left);
    sb_augment_apply(&augment, &(sb_choice){.crop_x = 2, .crop_y = 0, .flip = true, .contrast = 1}, 0, rows, &normal,
                     x);
    const sb_real mirrored[] = {70, 80, 70, 60, 30, 40, 30, 20};
    assert_memory_equal(x, mirrored, sizeof mirrored);
    const sb_choice plain = sb_augment_plain(&augment, false), turned = sb_augment_plain(&augment, true);
    sb_augment_apply(&augment, &plain, 0, rows, &normal, x);
    assert_true(x[0] == 10 && x[3] == 40 && x[7] == 80);
    sb_augment_apply(&augment, &turned, 0, rows, &normal, x);
    assert_true(x[0] == 40 && x[3] == 10 && x[7] == 50);
    sb_normal_close(&normal);
    sb_augment_close(&augment);
}

/* c x, then + b, then noise, each rounded; the square is 0 after them. A plain image has none of it. */
static void light_and_noise(void **state)
{
    (void)state;
    const sb_augment_plan plan = {.brightness = 0.5, .contrast = 0.25, .noise = 0.125, .cutout = 1};
    sb_augment augment = open_augment(&plan, small, 7, 20);
    sb_normal normal = numbered();
    sb_augment_begin(&augment, 3);
    const sb_choice choice = sb_augment_choose(&augment, 5, 17), plain = sb_augment_plain(&augment, false);
    sb_real x[IMAGE], y[IMAGE];
    sb_augment_apply(&augment, &plain, 17, image, &normal, x);
    for (int i = 0; i < IMAGE; i++) assert_true(x[i] == (sb_real)(i / (H * W) * SB_NORMAL_BYTES + image[i] + 1));
    sb_augment_apply(&augment, &choice, 17, image, &normal, y);
    int n_zero = 0;
    for (int i = 0; i < IMAGE; i++) {
        const double noise = 0.125 * sb_random_normal(7, SB_STREAM_NOISE + 3, 17 * IMAGE + (uint64_t)i);
        const sb_real scaled = (sb_real)choice.contrast * x[i], lit = scaled + (sb_real)choice.brightness;
        const bool cut = i % (H * W) == choice.cutout_y * W + choice.cutout_x;
        assert_true(y[i] == (cut ? 0 : lit + (sb_real)noise));
        n_zero += cut;
    }
    assert_int_equal(n_zero, C);
    sb_normal_close(&normal);
    sb_augment_close(&augment);
}

/* ---- what decides ---- */

static void half_of_a_group_is_flipped(void **state)
{
    (void)state;
    const sb_augment_plan plan = {.form = SB_AUGMENT_GROUP, .crop = 4, .flip = true, .cutout = 8};
    sb_augment augment = open_augment(&plan, cifar, 2, 1001);
    for (long epoch = 0; epoch < 3; epoch++) {
        int n_flipped = 0, crops[81] = {0}, n_squares = 0;
        static int squares[25 * 25];
        memset(squares, 0, sizeof squares);
        sb_augment_begin(&augment, epoch);
        for (size_t i = 0; i < 1001; i++) {
            const sb_choice choice = sb_augment_choose(&augment, i, 5000 + i);
            n_flipped += choice.flip;
            crops[choice.crop_x * 9 + choice.crop_y]++;
            n_squares += squares[choice.cutout_x * 25 + choice.cutout_y]++ == 0;
        }
        assert_in_range(n_flipped, 500, 501);
        for (int o = 0; o < 81; o++) assert_in_range(crops[o], 12, 13);
        assert_int_equal(n_squares, 200);
    }
    sb_augment_close(&augment);
}

/* Epochs may be asked for in any order, and the number of an image alone counts in the form `sample`. */
static void nothing_else_decides(void **state)
{
    (void)state;
    for (int form = SB_AUGMENT_SAMPLE; form <= SB_AUGMENT_GROUP; form++) {
        const sb_augment_plan plan = {.form = form, .crop = 4, .flip = true, .cutout = 8, .brightness = 0.1};
        sb_augment a = open_augment(&plan, cifar, 3, N), b = open_augment(&plan, cifar, 3, N);
        int differ = 0;
        sb_augment_begin(&a, 5);
        sb_augment_begin(&b, 9);
        for (size_t i = 0; i < N; i++) {
            const sb_choice x = sb_augment_choose(&a, i, i), y = sb_augment_choose(&b, i, i);
            differ += memcmp(&x.crop_x, &y.crop_x, 2 * sizeof(int)) != 0;
        }
        assert_true(differ > N / 2);
        sb_augment_begin(&b, 5);
        for (size_t i = 0; i < N; i++) {
            const sb_choice x = sb_augment_choose(&a, i, i), y = sb_augment_choose(&b, i, i);
            assert_true(x.crop_x == y.crop_x && x.crop_y == y.crop_y && x.flip == y.flip && x.cutout_x == y.cutout_x &&
                        x.cutout_y == y.cutout_y && x.brightness == y.brightness);
            const sb_choice z = sb_augment_choose(&a, (i + 1) % N, i);
            if (form == SB_AUGMENT_SAMPLE) assert_true(x.crop_x == z.crop_x && x.cutout_y == z.cutout_y);
        }
        sb_augment_close(&a);
        sb_augment_close(&b);
    }
}

/* A plan of zeros changes nothing. */
static void nothing_asked_for(void **state)
{
    (void)state;
    for (int form = SB_AUGMENT_SAMPLE; form <= SB_AUGMENT_GROUP; form++) {
        sb_augment augment = open_augment(&(sb_augment_plan){.form = form}, small, 3, 10);
        sb_normal normal = numbered();
        sb_real x[IMAGE];
        sb_augment_begin(&augment, 1);
        const sb_choice choice = sb_augment_choose(&augment, 4, 4);
        sb_augment_apply(&augment, &choice, 4, image, &normal, x);
        for (int i = 0; i < IMAGE; i++) assert_true(x[i] == (sb_real)(i / (H * W) * SB_NORMAL_BYTES + image[i] + 1));
        sb_normal_close(&normal);
        sb_augment_close(&augment);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    sb_augment augment;
    assert_int_equal(sb_augment_open(&augment, &(sb_augment_plan){.crop = 6}, small, 1, 5), SB_E_USAGE);
    assert_string_equal(sb_message(), "--crop 6 wants images of more than 6 pixels a side, not 7x6");
    assert_int_equal(sb_augment_open(&augment, &(sb_augment_plan){.cutout = 7}, small, 1, 5), SB_E_USAGE);
    assert_string_equal(sb_message(), "--cutout 7 does not fit into images of 7x6");
    sb_augment_close(&augment);
    augment = open_augment(&(sb_augment_plan){.crop = 5, .cutout = 6}, small, 1, 5);
    sb_augment_close(&augment);
}

/* ---- normalisation ---- */

static void tables_are_the_formulas(void **state)
{
    (void)state;
    sb_normal normal;
    const double mean[] = {125.31, 122.95, 113.87}, sd[] = {62.99, 62.09, 66.70};
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_CIFAR10, 3, 4, NULL, 0), SB_OK);
    for (int c = 0; c < 3; c++)
        for (int byte = 0; byte < 256; byte++)
            assert_true(sb_normal_at(&normal, (size_t)c * 4 + 3)[byte] ==
                        ((sb_real)byte - (sb_real)mean[c]) / (sb_real)sd[c]);
    sb_normal_close(&normal);
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_MNIST, 1, 4, NULL, 0), SB_OK);
    for (int byte = 0; byte < 256; byte++)
        assert_true(normal.table[byte] == ((sb_real)byte / 255 - (sb_real)0.1307) / (sb_real)0.3081);
    sb_normal_close(&normal);
    const int64_t sum[] = {0, 3 * 255, 100};
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_MEAN, 1, 3, sum, 3), SB_OK);
    assert_true(sb_normal_at(&normal, 0)[255] == 1 && sb_normal_at(&normal, 1)[255] == 0);
    assert_true(sb_normal_at(&normal, 1)[0] == -1);
    assert_true(sb_normal_at(&normal, 2)[50] == (sb_real)(50 / 765.0)); /* 50 - 100 / 3 is 50 thirds */
    sb_normal_close(&normal);
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_CIFAR10, 1, 4, NULL, 0), SB_E_USAGE);
    assert_string_equal(sb_message(), "--normalise cifar10 is for images of 3 channels, and these have 1");
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_MNIST, 3, 4, NULL, 0), SB_E_USAGE);
    double m, s;
    assert_int_equal(sb_normal_moments(SB_NORMAL_MEAN, 1, &m, &s), SB_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_the_golden_ones),
        cmocka_unit_test(light_is_the_golden_one),
        cmocka_unit_test(every_crop_and_flip),
        cmocka_unit_test(a_row_by_eye),
        cmocka_unit_test(light_and_noise),
        cmocka_unit_test(half_of_a_group_is_flipped),
        cmocka_unit_test(nothing_else_decides),
        cmocka_unit_test(nothing_asked_for),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(tables_are_the_formulas),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
