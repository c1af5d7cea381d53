/* Data set files for tests, small and the same on every machine. */
#pragma once

#include "core/random.h"
#include "io/characters.h"
#include "io/h5/h5_attribute.h"

#include <stdint.h>
#include <stdlib.h>

/* n numbers of random bytes around a wave, so that neither pixels nor their neighbours are all alike. */
static inline uint8_t *data_bytes(size_t n, size_t period, uint64_t seed)
{
    uint8_t *bytes = malloc(n ? n : 1);
    for (size_t i = 0; bytes && i < n; i++) {
        size_t phase = i % period * 256 / period, rise = phase < 128 ? phase : 255 - phase;
        bytes[i] = (uint8_t)(rise + sb_random_words(seed, 0, i / 4).word[i % 4] % 128);
    }
    return bytes;
}

/* A video: n frames of w x h, sequences starting at start[0 .. n_starts-1]. */
static inline sb_status data_write_video(const char *path, size_t n, size_t w, size_t h, size_t n_starts,
                                         const int64_t *start, uint64_t seed)
{
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_DATA));
    uint8_t *bytes = data_bytes(n * h * w * 3, w * 3 + 1, seed);
    sb_status status = bytes ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = sb_h5_write(file, "frames", SB_U8, 4, (size_t[]){n, h, w, 3}, bytes, SB_H5_PACKED);
    if (status == SB_OK) status = sb_h5_write(file, "sequence", SB_I64, 1, &n_starts, start, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_set_text(file, "", "format", "samebits-dataset");
    if (status == SB_OK) status = sb_h5_set_text(file, "", "name", "waves");
    free(bytes);
    return sb_h5_finish(file, status);
}

/* Images of side x side: n to train, n_test to test. */
static inline sb_status data_write_images_of(const char *path, size_t n, size_t n_test, size_t side, uint64_t seed,
                                             const uint8_t *labels)
{
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_DATA));
    uint8_t *bytes = data_bytes((n + n_test) * side * side, side + 1, seed);
    sb_status status = bytes ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = sb_h5_write(file, "images", SB_U8, 3, (size_t[]){n, side, side}, bytes, SB_H5_PACKED);
    if (status == SB_OK && n_test)
        status = sb_h5_write(file, "test_images", SB_U8, 3, (size_t[]){n_test, side, side}, bytes + n * side * side,
                             SB_H5_PACKED);
    if (status == SB_OK && labels) status = sb_h5_write(file, "labels", SB_U8, 1, &n, labels, SB_H5_PACKED);
    if (status == SB_OK) status = sb_h5_set_text(file, "", "format", "samebits-dataset");
    if (status == SB_OK) status = sb_h5_set_text(file, "", "name", "blots");
    free(bytes);
    return sb_h5_finish(file, status);
}

static inline sb_status data_write_images(const char *path, size_t n, size_t n_test, size_t side, uint64_t seed)
{
    return data_write_images_of(path, n, n_test, side, seed, NULL);
}

/* A text of random tokens of the letters a, b, ...: n to learn from, n_test held out. */
static inline sb_status data_write_text(const char *path, size_t n, size_t n_test, int n_letters, uint64_t seed)
{
    sb_h5 *file;
    sb_characters letters = {.n = n_letters};
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_DATA));
    uint8_t *token = malloc(n + n_test);
    sb_status status = token ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (size_t i = 0; token && i < n + n_test; i++)
        token[i] = (uint8_t)sb_random_integer(sb_random_words(seed, 0, i).word[0], (uint32_t)n_letters);
    for (int i = 0; i < n_letters; i++) letters.code[i] = 'a' + i;
    if (status == SB_OK) status = sb_h5_write(file, "tokens", SB_U8, 1, &n, token, SB_H5_PACKED);
    if (status == SB_OK && n_test)
        status = sb_h5_write(file, "test_tokens", SB_U8, 1, &n_test, token + n, SB_H5_PACKED);
    if (status == SB_OK) status = sb_characters_write(&letters, file);
    if (status == SB_OK) status = sb_h5_set_text(file, "", "format", "samebits-dataset");
    if (status == SB_OK) status = sb_h5_set_text(file, "", "name", "letters");
    free(token);
    return sb_h5_finish(file, status);
}
