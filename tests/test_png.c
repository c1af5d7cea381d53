/* PNG: what is written comes back, equal pixels give equal bytes, and pictures that cannot be written are refused. */
#include "support.h"

#include "core/file.h"
#include "io/png.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const path = "test_png.png";

static void fill(uint8_t *rgb, size_t n)
{
    for (size_t i = 0; i < n; i++) rgb[i] = (uint8_t)(i * i * 7 + i / 3);
}

static void pixels_come_back(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {160, 120}, {7, 3}};
    for (size_t i = 0; i < 3; i++) {
        size_t w = sizes[i][0], h = sizes[i][1];
        uint8_t *rgb = malloc(3 * w * h), *read = malloc(3 * w * h);
        assert_true(rgb && read);
        fill(rgb, 3 * w * h);
        assert_int_equal(sb_png_write(path, w, h, rgb), SB_OK);
        png_image image = {.version = PNG_IMAGE_VERSION};
        assert_true(png_image_begin_read_from_file(&image, path));
        assert_true(image.width == w && image.height == h && image.format == PNG_FORMAT_RGB);
        assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
        assert_memory_equal(read, rgb, 3 * w * h);
        free(read);
        free(rgb);
    }
    unlink(path);
}

static void equal_pixels_are_equal_bytes(void **state)
{
    (void)state;
    uint8_t rgb[3 * 40 * 30];
    char *first, *second;
    size_t n_first, n_second;
    fill(rgb, sizeof rgb);
    assert_int_equal(sb_png_write(path, 40, 30, rgb), SB_OK);
    assert_int_equal(sb_file_read(path, &first, &n_first), SB_OK);
    assert_int_equal(sb_png_write(path, 40, 30, rgb), SB_OK);
    assert_int_equal(sb_file_read(path, &second, &n_second), SB_OK);
    assert_int_equal(n_first, n_second);
    assert_memory_equal(first, second, n_first);
    free(second);
    free(first);
    unlink(path);
}

static void bad_pictures_are_refused(void **state)
{
    (void)state;
    const uint8_t rgb[3 * 40 * 30] = {0};
    assert_int_equal(sb_png_write(path, 0, 30, rgb), SB_E_USAGE);
    assert_int_equal(sb_png_write("no/such/folder/a.png", 40, 30, rgb), SB_E_IO);
    assert_false(sb_file_exists(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back),
        cmocka_unit_test(equal_pixels_are_equal_bytes),
        cmocka_unit_test(bad_pictures_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
