#include "io/png.h"

#include "core/file.h"

#include <png.h>
#include <stdlib.h>

enum { SIDE_MAX = 1 << 20 };

static sb_status encode(const char *path, png_image *image, const uint8_t *rgb)
{
    /* Twice: first for the size. */
    png_alloc_size_t n_bytes = 0;
    if (!png_image_write_to_memory(image, NULL, &n_bytes, 0, rgb, 0, NULL))
        return sb_fail(SB_E_IO, "%s: %s", path, image->message);
    SB_FREED void *bytes = malloc(n_bytes);
    if (!bytes) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    sb_status status;
    if (png_image_write_to_memory(image, bytes, &n_bytes, 0, rgb, 0, NULL))
        status = sb_file_write(path, bytes, n_bytes);
    else
        status = sb_fail(SB_E_IO, "%s: %s", path, image->message);
    return status;
}

sb_status sb_png_write(const char *path, size_t w, size_t h, const uint8_t *rgb)
{
    if (w == 0 || h == 0 || w > SIDE_MAX || h > SIDE_MAX)
        return sb_fail(SB_E_USAGE, "%s: %zux%zu pixels make no picture", path, w, h);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (png_uint_32)w, .height = (png_uint_32)h, .format = PNG_FORMAT_RGB};
    sb_status status = encode(path, &image, rgb);
    png_image_free(&image);
    return status;
}
