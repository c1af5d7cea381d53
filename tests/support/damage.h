/* Changing one number inside an HDF5 file, everything else stays. One that was sealed is sealed again, so that what is
 * behind the seal has to notice. */
#pragma once

#include "core/file.h"
#include "io/h5/h5.h"

#include <stdlib.h>
#include <string.h>

static inline void damage_put(sb_type type, double value, char *to)
{
    float narrow = (float)value;
    if (type == SB_F64)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &narrow, sizeof narrow);
}

/* Where the bytes of a data set stand in the file, stored in one piece: SB_E_INTEGRITY if not exactly once. */
static inline sb_status damage_find(const char *path, const char *dataset, const char *content, size_t n_bytes,
                                    sb_h5_shape *shape, size_t *place)
{
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_FOREIGN));
    sb_status status = sb_h5_shape_of(file, dataset, shape);
    size_t size = status == SB_OK ? shape->n * sb_type_bytes(shape->type) : 0, n_found = 0;
    char *stored = malloc(size + 1);
    if (status == SB_OK && stored) status = sb_h5_read(file, dataset, shape->type, shape->n, stored);
    sb_h5_close(file);
    for (size_t k = 0; status == SB_OK && stored && k + size <= n_bytes; k++)
        if (content[k] == stored[0] && memcmp(content + k, stored, size) == 0) *place = k, n_found++;
    free(stored);
    if (status == SB_OK && n_found != 1)
        status = sb_fail(SB_E_INTEGRITY, "%s: the bytes of /%s stand in it %zu times", path, dataset, n_found);
    return status;
}

/* Write path again as `to`, element `at` of a data set of floats or doubles being `value`. */
static inline sb_status damage_number(const char *path, const char *to, const char *dataset, size_t at, double value)
{
    char *content;
    size_t n_bytes, place = 0;
    sb_h5_shape shape;
    SB_TRY(sb_file_read(path, &content, &n_bytes));
    sb_status status = damage_find(path, dataset, content, n_bytes, &shape, &place);
    if (status == SB_OK && at >= shape.n) status = sb_fail(SB_E_USAGE, "%s: /%s is shorter", path, dataset);
    if (status == SB_OK) {
        damage_put(shape.type, value, content + place + at * sb_type_bytes(shape.type));
        status = sb_file_write(to, content, n_bytes);
    }
    free(content);
    sb_seal seal;
    return status == SB_OK && sb_seal_peek(to, &seal) ? sb_seal_write(to, seal.kind) : status;
}
