/* PNG pictures, 8-bit RGB. Equal pixels give equal bytes (for one version of libpng and zlib). The only file that
 * includes libpng. */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

/* Write rgb [h][w][3], all or nothing. */
sb_status sb_png_write(const char *path, size_t w, size_t h, const uint8_t *rgb);
