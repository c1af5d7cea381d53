/* Images as numbers: what is held out, batches of normalised and augmented images with labels, parts for evaluation,
 * and filters that whiten. */
#include "support.h"

#include "core/random.h"
#include "data/loader.h"
#include "data/whitening.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 60, N_TEST = 13, SIDE = 6, C = 3, IMAGE = C * SIDE * SIDE, CLASSES = 4, SEED = 5 };

static const char *const path = "test_images.h5";

/* Pixel (c, y, x) of image n; the test images follow the training images. */
static uint8_t byte_of(size_t n, int c, int y, int x)
{
    return (uint8_t)sb_random_words(1, (uint32_t)c, n * SIDE * SIDE + (size_t)(y * SIDE + x)).word[0];
}

static uint8_t label_of(size_t n)
{
    return (uint8_t)(n * 5 % CLASSES);
}

/* A data set of these images in c channels, with labels or without. */
static void write_images(int c, bool labels)
{
    sb_h5 *file;
    static uint8_t bytes[(N + N_TEST) * IMAGE], label[N + N_TEST];
    for (size_t i = 0; i < sizeof bytes / C * (size_t)c; i++) {
        const size_t place = i / (size_t)c;
        bytes[i] = byte_of(place / (SIDE * SIDE), (int)i % c, (int)(place / SIDE % SIDE), (int)(place % SIDE));
    }
    for (size_t n = 0; n < N + N_TEST; n++) label[n] = label_of(n);
    const size_t dim[] = {N, SIDE, SIDE, (size_t)c}, test[] = {N_TEST, SIDE, SIDE, (size_t)c};
    const size_t size = (size_t)(SIDE * SIDE * c);
    const int rank = c > 1 ? 4 : 3;
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_write(file, "images", SB_U8, rank, dim, bytes, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_h5_write(file, "test_images", SB_U8, rank, test, bytes + N * size, SB_H5_PACKED), SB_OK);
    if (labels) assert_int_equal(sb_h5_write(file, "labels", SB_U8, 1, dim, label, SB_H5_PLAIN), SB_OK);
    if (labels) assert_int_equal(sb_h5_write(file, "test_labels", SB_U8, 1, test, label + N, SB_H5_PLAIN), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

typedef struct source {
    sb_dataset *dataset;
    sb_loader *loader;
} source;

static source open_source(const sb_loader_plan *plan)
{
    source s;
    assert_int_equal(sb_dataset_open(&s.dataset, path), SB_OK);
    if (sb_loader_open(&s.loader, s.dataset, plan) != SB_OK) fail_msg("%s", sb_message());
    return s;
}

static void close_source(source *s)
{
    sb_loader_close(s->loader);
    sb_dataset_close(s->dataset);
}

static const sb_image_plan plain = {.normal = SB_NORMAL_CIFAR10};
static const sb_image_plan augmented = {.normal = SB_NORMAL_CIFAR10,
                                        .augment = {.form = SB_AUGMENT_GROUP, .crop = 2, .flip = true, .cutout = 3}};

static sb_real value_of(size_t n, int c, int y, int x)
{
    static const double mean[] = {125.31, 122.95, 113.87}, sd[] = {62.99, 62.09, 66.70};
    return ((sb_real)byte_of(n, c, y, x) - (sb_real)mean[c]) / (sb_real)sd[c];
}

/* Is this the image of that number, as it is or mirrored? */
static bool is_image(const sb_real *x, size_t n, bool mirrored)
{
    for (int i = 0; i < IMAGE; i++) {
        const int column = i % SIDE;
        if (x[i] != value_of(n, i / (SIDE * SIDE), i / SIDE % SIDE, mirrored ? SIDE - 1 - column : column))
            return false;
    }
    return true;
}

/* ---- the hold-out ---- */

/* The last ones of a permutation by seed 0, whatever the run's. */
static bool is_held_out(size_t n, size_t hold_out)
{
    uint32_t order[N];
    sb_random_permutation(0, SB_STREAM_HOLD_OUT, 0, N, order);
    for (size_t i = N - hold_out; i < N; i++)
        if (order[i] == n) return true;
    return false;
}

static void images_held_out_are_in_no_batch(void **state)
{
    (void)state;
    enum { HOLD_OUT = 13, LENGTH = 7, EPOCH = (N - HOLD_OUT) / LENGTH };
    write_images(C, true);
    for (uint64_t seed = 1; seed < 3; seed++) {
        source s = open_source(&(sb_loader_plan){LENGTH, 1, seed, HOLD_OUT, &plain});
        assert_int_equal(sb_loader_epoch_updates(s.loader), EPOCH);
        uint32_t order[N - HOLD_OUT], train[N];
        size_t n_train = 0;
        for (size_t n = 0; n < N; n++)
            if (!is_held_out(n, HOLD_OUT)) train[n_train++] = (uint32_t)n;
        assert_int_equal(n_train, N - HOLD_OUT);
        for (long update = 1; update <= 2 * EPOCH; update++) {
            sb_batch batch;
            const long epoch = (update - 1) / EPOCH;
            sb_random_permutation(seed, SB_STREAM_ORDER + (uint32_t)epoch, 0, N - HOLD_OUT, order);
            assert_int_equal(sb_loader_batch(s.loader, update, 0, 1, &batch), SB_OK);
            for (int i = 0; i < LENGTH; i++) {
                const size_t n = train[order[(update - 1) % EPOCH * LENGTH + i]];
                assert_true(is_image(batch.shard->values + i * IMAGE, n, false));
                assert_int_equal(batch.shard->labels[i], label_of(n));
            }
        }
        close_source(&s);
    }
}

/* Every image is in one part, in the order of the data set, as it is and mirrored. */
static void parts_in_the_order_of_the_data_set(void **state)
{
    (void)state;
    enum { HOLD_OUT = 13, LENGTH = 7 };
    write_images(C, true);
    source s = open_source(&(sb_loader_plan){LENGTH, 1, 3, HOLD_OUT, &augmented});
    const sb_loader_images about = sb_loader_about_images(s.loader);
    assert_int_equal(sb_loader_part_samples(s.loader, SB_PART_TRAIN), N - HOLD_OUT);
    assert_int_equal(sb_loader_part_samples(s.loader, SB_PART_HOLD_OUT), HOLD_OUT);
    assert_int_equal(sb_loader_part_samples(s.loader, SB_PART_TEST), N_TEST);
    assert_int_equal(about.n_classes, CLASSES);
    assert_true(about.shape.c == C && about.shape.h == SIDE && about.shape.w == SIDE);
    for (sb_part part = 0; part < SB_N_PARTS; part++) {
        size_t n = part == SB_PART_TEST ? N : 0; /* of the next image of the part */
        const size_t n_part = sb_loader_part_samples(s.loader, part);
        for (size_t first = 0; first < n_part; first += LENGTH) {
            const size_t count = n_part - first < LENGTH ? n_part - first : LENGTH;
            sb_window window;
            for (size_t i = 0; i < count; i++, n++) {
                while (n < N && is_held_out(n, HOLD_OUT) != (part == SB_PART_HOLD_OUT)) n++;
                for (int mirrored = 0; mirrored < 2; mirrored++) {
                    assert_int_equal(sb_loader_part(s.loader, part, first, count, mirrored, &window), SB_OK);
                    assert_int_equal(window.n, count);
                    assert_int_equal(window.n_batch, count);
                    assert_null(window.bytes);
                    if (!is_image(window.values + i * IMAGE, n, mirrored)) fail_msg("part %d, image %zu", part, n);
                    assert_int_equal(window.labels[i], label_of(n));
                }
            }
        }
    }
    close_source(&s);
}

/* ---- batches ---- */

/* Each image by its choice; the shards are the batch, and looking at parts in between changes nothing. */
static void batches_are_augmented(void **state)
{
    (void)state;
    enum { LENGTH = 8, EPOCH = N / LENGTH };
    write_images(C, true);
    source one = open_source(&(sb_loader_plan){LENGTH, 1, SEED, 0, &augmented});
    source four = open_source(&(sb_loader_plan){LENGTH, 4, SEED, 0, &augmented});
    sb_augment augment;
    sb_normal normal;
    int n_changed = 0;
    assert_int_equal(sb_augment_open(&augment, &augmented.augment, (sb_image_shape){C, SIDE, SIDE}, SEED, N), SB_OK);
    assert_int_equal(sb_normal_open(&normal, SB_NORMAL_CIFAR10, C, SIDE * SIDE, NULL, 0), SB_OK);
    for (long update = 1; update <= 2 * EPOCH; update++) {
        sb_batch batch, shards;
        sb_window window;
        uint32_t order[N];
        const long epoch = (update - 1) / EPOCH;
        sb_random_permutation(SEED, SB_STREAM_ORDER + (uint32_t)epoch, 0, N, order);
        sb_augment_begin(&augment, epoch);
        assert_int_equal(sb_loader_batch(one.loader, update, 0, 1, &batch), SB_OK);
        assert_int_equal(sb_loader_part(one.loader, SB_PART_TEST, 0, LENGTH, true, &window), SB_OK);
        assert_int_equal(sb_loader_batch(four.loader, update, 0, 1, &shards), SB_OK);
        assert_int_equal(batch.shard_bytes, LENGTH * IMAGE * sizeof(sb_real));
        for (int i = 0; i < LENGTH; i++) {
            const size_t n = order[(update - 1) % EPOCH * LENGTH + i];
            const sb_choice choice = sb_augment_choose(&augment, n, n);
            uint8_t image[IMAGE];
            sb_real wanted[IMAGE];
            for (int k = 0; k < IMAGE; k++) image[k] = byte_of(n, k / (SIDE * SIDE), k / SIDE % SIDE, k % SIDE);
            sb_augment_apply(&augment, &choice, n, image, &normal, wanted);
            assert_memory_equal(batch.shard->values + i * IMAGE, wanted, sizeof wanted);
            assert_memory_equal(shards.shard[i % 4].values + i / 4 * IMAGE, wanted, sizeof wanted);
            assert_int_equal(shards.shard[i % 4].labels[i / 4], label_of(n));
            n_changed += !is_image(wanted, n, false);
        }
    }
    assert_true(n_changed > EPOCH * LENGTH);
    sb_normal_close(&normal);
    sb_augment_close(&augment);
    close_source(&one);
    close_source(&four);
}

/* The link of a batch has its values and its labels. */
static void values_and_labels_are_in_the_hash(void **state)
{
    (void)state;
    write_images(C, true);
    source s = open_source(&(sb_loader_plan){4, 1, SEED, 0, &plain});
    sb_batch batch;
    assert_int_equal(sb_loader_batch(s.loader, 1, 0, 1, &batch), SB_OK);
    const sb_hash hash = sb_batch_hash(&batch);
    uint8_t *label = (uint8_t *)batch.shard->labels;
    label[3] ^= 1;
    assert_false(sb_hash_equal(sb_batch_hash(&batch), hash));
    label[3] ^= 1;
    assert_true(sb_hash_equal(sb_batch_hash(&batch), hash));
    ((sb_real *)batch.shard->values)[4 * IMAGE - 1] += 1;
    assert_false(sb_hash_equal(sb_batch_hash(&batch), hash));
    close_source(&s);
}

/* ---- the mean image ---- */

/* The 2x2 maximum of the bytes, less its mean over the images that train. */
static void the_mean_image_is_taken_away(void **state)
{
    (void)state;
    enum { HALF = SIDE / 2, HOLD_OUT = 9 };
    write_images(1, true);
    source s = open_source(&(sb_loader_plan){5, 1, SEED, HOLD_OUT, &(sb_image_plan){.normal = SB_NORMAL_MEAN}});
    const sb_loader_images about = sb_loader_about_images(s.loader);
    assert_true(about.shape.c == 1 && about.shape.h == HALF && about.shape.w == HALF);
    static int64_t largest[N + N_TEST][HALF * HALF], sum[HALF * HALF];
    for (size_t n = 0; n < N + N_TEST; n++)
        for (int i = 0; i < HALF * HALF; i++) {
            for (int k = 0; k < 4; k++) {
                const int64_t byte = byte_of(n, 0, i / HALF * 2 + k / 2, i % HALF * 2 + k % 2);
                if (byte > largest[n][i]) largest[n][i] = byte;
            }
            if (n < N && !is_held_out(n, HOLD_OUT)) sum[i] += largest[n][i];
        }
    sb_window window;
    assert_int_equal(sb_loader_part(s.loader, SB_PART_TEST, 3, 5, false, &window), SB_OK);
    for (size_t k = 0; k < 5; k++)
        for (int i = 0; i < HALF * HALF; i++) {
            const int64_t above = largest[N + 3 + k][i] * (N - HOLD_OUT) - sum[i];
            assert_true(window.values[k * HALF * HALF + (size_t)i] ==
                        (sb_real)((double)above / (255.0 * (N - HOLD_OUT))));
        }
    close_source(&s);
}

/* ---- whitening ---- */

static void whitening_is_of_the_training_images(void **state)
{
    (void)state;
    enum { HOLD_OUT = 20, D = 9 * C };
    const double mean[] = {125.31, 122.95, 113.87}, sd[] = {62.99, 62.09, 66.70};
    static uint8_t bytes[(N - HOLD_OUT) * IMAGE];
    size_t n_train = 0;
    write_images(C, true);
    for (size_t n = 0; n < N; n++) {
        if (is_held_out(n, HOLD_OUT)) continue;
        for (int k = 0; k < IMAGE; k++)
            bytes[n_train * IMAGE + (size_t)k] = byte_of(n, k / (SIDE * SIDE), k / SIDE % SIDE, k % SIDE);
        n_train++;
    }
    static double value[D], vector[D * D], filter[D * D];
    static sb_real w[D * D];
    const sb_whitening_images images = {
        .n = n_train, .c = C, .h = SIDE, .w = SIDE, .bytes = bytes, .mean = mean, .sd = sd};
    assert_int_equal(sb_whitening(&images, value, vector), SB_OK);
    sb_whitening_filters(D, value, vector, filter);
    source s = open_source(&(sb_loader_plan){4, 1, SEED, HOLD_OUT, &augmented});
    assert_int_equal(sb_loader_whitening(s.loader, w), SB_OK);
    for (int i = 0; i < D * D; i++) assert_true(w[i] == (sb_real)filter[i]);
    close_source(&s);
}

/* ---- what is refused ---- */

static void expect_refused(const sb_loader_plan *plan, const char *sentence)
{
    sb_dataset *dataset;
    sb_loader *loader;
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    assert_int_equal(sb_loader_open(&loader, dataset, plan), SB_E_USAGE);
    assert_string_equal(sb_message(), sentence);
    assert_null(loader);
    sb_dataset_close(dataset);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    const sb_image_plan mnist = {.normal = SB_NORMAL_MNIST},
                        mean = {.normal = SB_NORMAL_MEAN, .augment = {.flip = true}};
    const sb_image_plan large = {.normal = SB_NORMAL_CIFAR10, .augment = {.cutout = 7}};
    write_images(C, true);
    expect_refused(&(sb_loader_plan){4, 1, 1, 60, &plain}, "--hold-out 60 leaves none of 60 images to learn from");
    expect_refused(&(sb_loader_plan){4, 1, 1, 0, &mnist},
                   "--normalise mnist is for images of 1 channel, and these have 3");
    expect_refused(&(sb_loader_plan){4, 1, 1, 0, &mean},
                   "--normalise mean takes a mean image away, which goes with neither --crop nor --flip");
    expect_refused(&(sb_loader_plan){4, 1, 1, 0, &large}, "--cutout 7 does not fit into images of 6x6");
    expect_refused(&(sb_loader_plan){4, 1, 1, 57, &plain},
                   "the data set has 3 images to learn from, not one batch of 4");
    write_images(C, false);
    expect_refused(&(sb_loader_plan){4, 1, 1, 0, &plain}, "the data set has no labels: there is nothing to classify");
}

/* ---- settings ---- */

/* Networks of today take bytes: what settings of images say is not done to theirs. */
static void networks_that_do_not_classify_take_bytes(void **state)
{
    (void)state;
    static const char *const models[] = {"autoencoder", "prednet"};
    for (int i = 0; i < 2; i++) {
        sb_settings settings;
        sb_image_plan plan;
        sb_settings_default(&settings);
        settings.model = models[i];
        settings.normalise = "cifar10", settings.augment_form = "group", settings.flip = "on";
        settings.crop = 4, settings.cutout = 8, settings.noise = 0.5;
        assert_false(sb_image_plan_of(&settings, &plan));
        assert_int_equal(plan.normal, SB_NORMAL_NONE);
        assert_true(plan.augment.form == SB_AUGMENT_SAMPLE && !plan.augment.flip && plan.augment.crop == 0);
        assert_true(plan.augment.cutout == 0 && plan.augment.noise == 0);
    }
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_held_out_are_in_no_batch),
        cmocka_unit_test(parts_in_the_order_of_the_data_set),
        cmocka_unit_test(batches_are_augmented),
        cmocka_unit_test(values_and_labels_are_in_the_hash),
        cmocka_unit_test(the_mean_image_is_taken_away),
        cmocka_unit_test(whitening_is_of_the_training_images),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(networks_that_do_not_classify_take_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
