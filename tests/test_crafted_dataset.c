/* Data sets whose shapes and counts do not fit each other, and would lead a reader past its memory. Each is refused with a
 * sentence. */
#include "crafted.h"

#include "io/dataset.h"

#include <unistd.h>

static const char *const path = "test_crafted_dataset.h5";

static void good_images(craft c)
{
    BYTES("images", 20, 8, 6);
    BYTES("labels", 20);
    BYTES("test_images", 10, 8, 6);
    BYTES("test_labels", 10);
}

static sb_status open_dataset(void)
{
    sb_dataset *dataset;
    sb_hash digest;
    uint8_t bytes[10 * 8 * 6 * 3];
    SB_TRY(sb_dataset_open(&dataset, path));
    sb_status status = sb_dataset_digest(dataset, &digest);
    if (status == SB_OK && sb_dataset_about(dataset)->n_test) status = sb_dataset_read_test(dataset, 0, 10, bytes);
    sb_dataset_close(dataset);
    return status;
}

static void larger_test_images(craft c)
{
    BYTES("test_images", 10, 80, 60);
}

static void turned_test_images(craft c)
{
    BYTES("test_images", 10, 6, 8);
}

static void test_images_in_colour(craft c)
{
    BYTES("test_images", 10, 8, 6, 3);
}

static void real_test_images(craft c)
{
    DOUBLES("test_images", 10, 8, 6);
}

static void more_labels(craft c)
{
    BYTES("labels", 21);
}

static void fewer_test_labels(craft c)
{
    BYTES("test_labels", 9);
}

static void flat_images(craft c)
{
    BYTES("images", 20, 48);
}

static void images_without_pixels(craft c)
{
    BYTES("images", 20, 0, 6);
    BYTES("test_images", 10, 0, 6);
}

static void no_images_at_all(craft c)
{
    BYTES("images", 0, 8, 6);
    BYTES("labels", 0);
}

static void images_too_wide(craft c)
{
    BYTES("images", 20, 1, 20000);
    BYTES("test_images", 10, 1, 20000);
}

static void a_list_of_names(craft c)
{
    craft_attribute(c, "/", "name", H5T_STD_I64LE, 100, (int64_t[100]){0});
}

static void several_starts(craft c)
{
    BYTES("frames", 4, 8, 6, 3);
    craft_counts(c, "sequence", 3, 0);
}

static void starts_behind_the_end(craft c)
{
    BYTES("frames", 4, 8, 6, 3);
    craft_counts(c, "sequence", 5, 0);
}

static void starts_before_the_first(craft c)
{
    BYTES("frames", 4, 8, 6, 3);
    craft_counts(c, "sequence", 3, -1);
}

static void real_starts(craft c)
{
    BYTES("frames", 4, 8, 6, 3);
    DOUBLES("sequence", 1);
}

static void frames_of_four_colours(craft c)
{
    BYTES("frames", 4, 8, 6, 4);
}

static void good_colours(craft c)
{
    BYTES("images", 20, 8, 6, 3);
    BYTES("labels", 20);
    BYTES("test_images", 10, 8, 6, 3);
    BYTES("test_labels", 10);
}

static void grey_test_images(craft c)
{
    BYTES("test_images", 10, 8, 6);
}

static void other_test_colours(craft c)
{
    BYTES("test_images", 10, 8, 6, 1);
}

static void too_many_channels(craft c)
{
    BYTES("images", 20, 8, 6, 17);
    BYTES("test_images", 10, 8, 6, 17);
}

static void no_channels(craft c)
{
    BYTES("images", 20, 8, 6, 0);
    BYTES("test_images", 10, 8, 6, 0);
}

static void classes_of_one(craft c)
{
    craft_text(c, "/", "classes", "cat");
}

static void a_class_without_a_name(craft c)
{
    craft_text(c, "/", "classes", "cat\n\ndog");
}

static void no_classes(craft c)
{
    craft_text(c, "/", "classes", "");
}

static void classes_with_escapes(craft c)
{
    craft_text(c, "/", "classes", "cat\n\033[2Jdog");
}

static void too_many_classes(craft c)
{
    char names[2 * 257];
    for (int i = 0; i < 257; i++) names[2 * i] = 'x', names[2 * i + 1] = i < 256 ? '\n' : 0;
    craft_text(c, "/", "classes", names);
}

static void good_text(craft c)
{
    BYTES("tokens", 20);
    BYTES("test_tokens", 10);
    craft_counts(c, "characters", 3, 65);
    craft_text(c, "characters", "as", "characters");
}

static void flat_tokens(craft c)
{
    BYTES("tokens", 4, 5);
}

static void no_tokens(craft c)
{
    BYTES("tokens", 0);
}

static void characters_before_the_first(craft c)
{
    craft_counts(c, "characters", 3, -1);
    craft_text(c, "characters", "as", "characters");
}

static void characters_behind_the_last(craft c)
{
    craft_counts(c, "characters", 3, 0x10FFFE);
    craft_text(c, "characters", "as", "characters");
}

static void bytes_behind_the_last(craft c)
{
    craft_counts(c, "characters", 3, 254);
    craft_text(c, "characters", "as", "bytes");
}

static void one_character(craft c)
{
    craft_counts(c, "characters", 1, 65);
    craft_text(c, "characters", "as", "bytes");
}

static void many_characters(craft c)
{
    craft_counts(c, "characters", 257, 65);
    craft_text(c, "characters", "as", "characters");
}

static void characters_of_words(craft c)
{
    craft_text(c, "characters", "as", "words");
}

static void data_sets(void **state)
{
    (void)state;
    static const crafted images[] = {
        {"good", NULL, NULL},
        CASE(larger_test_images, "/test_images is [10][80][60] and should be [t][8][6]"),
        CASE(turned_test_images, "/test_images is [10][6][8] and should be [t][8][6]"),
        CASE(test_images_in_colour, "/test_images is [10][8][6][3] and should be [t][8][6]"),
        CASE(real_test_images, "/test_images holds numbers of another type"),
        CASE(more_labels, "/labels is [21] and should be [20]"),
        CASE(fewer_test_labels, "/test_labels is [9] and should be [10]"),
        CASE(flat_images, "/images is [20][48] and should be [n][h][w]"),
        CASE(images_without_pixels, "20 of 6x0 pixels in /images: none, or too many"),
        CASE(no_images_at_all, "0 of 6x8 pixels in /images: none, or too many"),
        CASE(images_too_wide, "20 of 20000x1 pixels in /images: none, or too many"),
        CASE(a_list_of_names, "attribute name of / is not a text"),
        CASE(starts_behind_the_end, "/sequence does not ascend from 0 inside the 4 frames"),
        CASE(starts_before_the_first, "/sequence does not ascend from 0 inside the 4 frames"),
        CASE(real_starts, "/sequence holds numbers of another type"),
        CASE(frames_of_four_colours, "/frames is [4][8][6][4] and should be [n][h][w][3]"),
        CASE(several_starts, NULL), /* a video then */
    };
    static const crafted colours[] = {
        {"good", NULL, NULL},
        CASE(grey_test_images, "/test_images is [10][8][6] and should be [t][8][6][3]"),
        CASE(other_test_colours, "/test_images is [10][8][6][1] and should be [t][8][6][3]"),
        CASE(too_many_channels, "/images has 17 channels, and should have 1 to 16"),
        CASE(no_channels, "/images has 0 channels, and should have 1 to 16"),
        CASE(classes_of_one, NULL),
        CASE(a_class_without_a_name, "its attribute 'classes' is no list of at most 256 names, one a line"),
        CASE(no_classes, "its attribute 'classes' is no list"),
        CASE(classes_with_escapes, "its attribute 'classes' is no list"),
        CASE(too_many_classes, "its attribute 'classes' is no list"),
    };
    static const crafted text[] = {
        {"good", NULL, NULL},
        CASE(flat_tokens, "/tokens is [4][5] and should be [n]"),
        CASE(no_tokens, "0 tokens in /tokens: none, or too many"),
        CASE(characters_before_the_first, "/characters is no ascending list"),
        CASE(characters_behind_the_last, "/characters is no ascending list"),
        CASE(bytes_behind_the_last, "/characters is no ascending list"),
        CASE(one_character, "/characters is no ascending list"),
        CASE(many_characters, "/characters is no ascending list"),
        CASE(characters_of_words, "/characters is no ascending list"),
    };
    expect_each(path, text, sizeof text / sizeof *text, good_text, open_dataset, SB_SEAL_DATA);
    expect_each(path, images, sizeof images / sizeof *images, good_images, open_dataset, SB_SEAL_DATA);
    expect_each(path, colours, sizeof colours / sizeof *colours, good_colours, open_dataset, SB_SEAL_DATA);
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(data_sets, remove_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
