/* The digest of a data set: the hash of its content in a written order, whatever the storage. */
#include "support.h"

#include "io/dataset.h"
#include "io/h5/h5_attribute.h"

#include <string.h>
#include <unistd.h>

enum { N = 5, H = 4, W = 6, FRAME = H * W * 3 };

static const char *const path = "test_dataset.h5";
static uint8_t frames[N * FRAME];

static void write_video(size_t rows_at_once, const int64_t *sequence, size_t n_sequences)
{
    sb_h5 *file;
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_create_rows(file, "frames", SB_U8, 4, (size_t[]){rows_at_once, H, W, 3}), SB_OK);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(sb_h5_append_rows(file, "frames", SB_U8, 1, frames + i * FRAME), SB_OK);
    if (n_sequences)
        assert_int_equal(sb_h5_write(file, "sequence", SB_I64, 1, &n_sequences, sequence, SB_H5_PLAIN), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

static sb_hash digest_of_file(void)
{
    sb_dataset *dataset;
    sb_hash digest;
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    assert_int_equal(sb_dataset_digest(dataset, &digest), SB_OK);
    sb_dataset_close(dataset);
    return digest;
}

static int set_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof frames; i++) frames[i] = (uint8_t)(i * 13 + i / 7);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

static void it_is_the_hash_of_frames_and_sequence(void **state)
{
    (void)state;
    uint8_t all[sizeof frames + 16];
    memcpy(all, frames, sizeof frames);
    memcpy(all + sizeof frames, (uint8_t[16]){0, [8] = 3}, 16); /* 0 and 3 as little-endian int64 */
    sb_hash expected = sb_hash_of(all, sizeof all, 1);
    write_video(1, (int64_t[]){0, 3}, 2);
    assert_true(sb_hash_equal(digest_of_file(), expected));
    write_video(2, (int64_t[]){0, 3}, 2); /* other chunks, same content */
    assert_true(sb_hash_equal(digest_of_file(), expected));
}

static void no_sequence_means_one(void **state)
{
    (void)state;
    write_video(1, NULL, 0);
    sb_hash without = digest_of_file();
    write_video(1, (int64_t[]){0}, 1);
    assert_true(sb_hash_equal(digest_of_file(), without));
}

static void every_byte_and_start_counts(void **state)
{
    (void)state;
    write_video(1, (int64_t[]){0, 3}, 2);
    sb_hash before = digest_of_file();
    frames[sizeof frames - 1] ^= 1;
    write_video(1, (int64_t[]){0, 3}, 2);
    assert_false(sb_hash_equal(digest_of_file(), before));
    frames[sizeof frames - 1] ^= 1;
    write_video(1, (int64_t[]){0, 2}, 2);
    assert_false(sb_hash_equal(digest_of_file(), before));
}

static void images_with_their_labels(void **state)
{
    (void)state;
    sb_h5 *file;
    uint8_t pixels[3 * 4], labels[3] = {7, 1, 9}, all[2 * sizeof pixels + 2 * sizeof labels];
    memset(pixels, 5, sizeof pixels);
    for (size_t half = 0; half < 2; half++) {
        memcpy(all + half * 15, pixels, 12);
        memcpy(all + half * 15 + 12, labels, 3);
    }
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    static const char *const names[2][2] = {{"images", "labels"}, {"test_images", "test_labels"}};
    for (size_t half = 0; half < 2; half++) {
        assert_int_equal(sb_h5_write(file, names[half][0], SB_U8, 3, (size_t[]){3, 2, 2}, pixels, SB_H5_PACKED), SB_OK);
        assert_int_equal(sb_h5_write(file, names[half][1], SB_U8, 1, (size_t[]){3}, labels, SB_H5_PLAIN), SB_OK);
    }
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
    assert_true(sb_hash_equal(digest_of_file(), sb_hash_of(all, sizeof all, 1)));
}

/* Two images of 1x2 pixels and three channels, each with a test image of its own, and two classes with names. */
static void write_colours(const uint8_t labels[2], const char *classes)
{
    sb_h5 *file;
    const uint8_t pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const size_t dim[] = {2, 1, 2, 3};
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_write(file, "images", SB_U8, 4, dim, pixels, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_h5_write(file, "labels", SB_U8, 1, dim, labels, SB_H5_PLAIN), SB_OK);
    assert_int_equal(sb_h5_write(file, "test_images", SB_U8, 4, dim, pixels, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_h5_write(file, "test_labels", SB_U8, 1, dim, (uint8_t[]){1, 0}, SB_H5_PLAIN), SB_OK);
    if (classes) assert_int_equal(sb_h5_set_text(file, "", "classes", classes), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

static void images_in_colour_with_classes(void **state)
{
    (void)state;
    sb_dataset *dataset;
    uint8_t bytes[6], label;
    write_colours((uint8_t[]){0, 1}, "cat\ndog");
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    assert_int_equal(facts->n, 2);
    assert_int_equal(facts->n_test, 2);
    assert_int_equal(facts->h, 1);
    assert_int_equal(facts->w, 2);
    assert_int_equal(facts->c, 3);
    assert_int_equal(facts->n_classes, 2);
    assert_true(facts->has_labels && facts->has_test_labels);
    assert_int_equal(sb_dataset_read(dataset, 1, 1, bytes), SB_OK);
    assert_memory_equal(bytes, ((uint8_t[]){7, 8, 9, 10, 11, 12}), 6);
    assert_int_equal(sb_dataset_read_test_labels(dataset, 0, 1, &label), SB_OK);
    assert_int_equal(label, 1);
    sb_dataset_close(dataset);
    const sb_hash with_names = digest_of_file();
    write_colours((uint8_t[]){0, 1}, NULL); /* names are no content, as other attributes are not */
    assert_true(sb_hash_equal(digest_of_file(), with_names));
    write_colours((uint8_t[]){1, 1}, NULL);
    assert_false(sb_hash_equal(digest_of_file(), with_names));
}

static void labels_are_of_a_class(void **state)
{
    (void)state;
    sb_dataset *dataset;
    uint8_t labels[2];
    write_colours((uint8_t[]){0, 2}, "cat\ndog");
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    assert_int_equal(sb_dataset_read_labels(dataset, 0, 1, labels), SB_OK);
    assert_int_equal(sb_dataset_read_labels(dataset, 0, 2, labels), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_dataset.h5: label 1 of /labels is 2, and there are 2 classes");
    sb_dataset_close(dataset);
}

/* Tokens 0, 1, 2 and a held-out 1, of "abc". */
static void write_text(uint8_t last, int n_letters)
{
    sb_h5 *file;
    sb_characters letters = {.n = n_letters, .code = {'a', 'b', 'c'}};
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_write(file, "tokens", SB_U8, 1, (size_t[]){3}, (uint8_t[]){0, 1, last}, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_h5_write(file, "test_tokens", SB_U8, 1, (size_t[]){1}, (uint8_t[]){1}, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_characters_write(&letters, file), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
}

static void a_text_is_its_tokens_and_their_table(void **state)
{
    (void)state;
    sb_dataset *dataset;
    uint8_t token[3];
    const uint8_t all[4 + 5 * 8] = {0, 1, 2, 1, [4] = 1, [20] = 'a', [28] = 'b', [36] = 'c'};
    write_text(2, 3);
    assert_true(sb_hash_equal(digest_of_file(), sb_hash_of(all, sizeof all, 1)));
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    assert_int_equal(facts->kind, SB_DATASET_TEXT);
    assert_int_equal(facts->n, 3);
    assert_int_equal(facts->n_test, 1);
    assert_int_equal(facts->n_classes, 3);
    assert_int_equal(sb_dataset_read(dataset, 1, 2, token), SB_OK);
    assert_memory_equal(token, ((uint8_t[]){1, 2}), 2);
    sb_dataset_close(dataset);
}

static void a_token_is_of_a_character(void **state)
{
    (void)state;
    sb_dataset *dataset;
    uint8_t token[3];
    write_text(2, 2);
    assert_int_equal(sb_dataset_open(&dataset, path), SB_OK);
    assert_int_equal(sb_dataset_read(dataset, 0, 3, token), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_dataset.h5: token 2 of /tokens is 2, and there are 2 characters");
    assert_int_equal(sb_dataset_read_test(dataset, 0, 1, token), SB_OK);
    sb_dataset_close(dataset);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(it_is_the_hash_of_frames_and_sequence), WITH_FILE(no_sequence_means_one),
        WITH_FILE(every_byte_and_start_counts),           WITH_FILE(images_with_their_labels),
        WITH_FILE(images_in_colour_with_classes),         WITH_FILE(labels_are_of_a_class),
        WITH_FILE(a_text_is_its_tokens_and_their_table), WITH_FILE(a_token_is_of_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
