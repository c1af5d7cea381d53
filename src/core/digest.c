/* libcrypto's digest by its direct interface: the newer one (EVP) draws the whole library into a static program, name
 * resolution included. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/hash.h"

#include <errno.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct sb_sha256 {
    SHA256_CTX context;
};

static void digest_text(const uint8_t digest[SB_SHA256_SIZE], char text[SB_SHA256_TEXT])
{
    for (size_t i = 0; i < SB_SHA256_SIZE; i++) sprintf(text + 2 * i, "%02x", digest[i]);
}

sb_sha256 *sb_sha256_begin(void)
{
    sb_sha256 *state = malloc(sizeof *state);
    if (state) SHA256_Init(&state->context);
    return state;
}

void sb_sha256_add(sb_sha256 *state, const void *data, size_t n_bytes)
{
    SHA256_Update(&state->context, data, n_bytes);
}

void sb_sha256_end(sb_sha256 *state, char text[SB_SHA256_TEXT])
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256_Final(digest, &state->context);
    free(state);
    digest_text(digest, text);
}

void sb_sha256_digest(const void *data, size_t n_bytes, uint8_t digest[SB_SHA256_SIZE])
{
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, data, n_bytes);
    SHA256_Final(digest, &context);
}

void sb_sha256_bytes(const void *data, size_t n_bytes, char text[SB_SHA256_TEXT])
{
    uint8_t digest[SB_SHA256_SIZE];
    sb_sha256_digest(data, n_bytes, digest);
    digest_text(digest, text);
}

sb_status sb_sha256_file(const char *path, char text[SB_SHA256_TEXT])
{
    FILE *file = fopen(path, "rb");
    if (!file) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    sb_sha256 *state = sb_sha256_begin();
    if (!state) {
        fclose(file);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    }
    uint8_t block[1 << 16];
    size_t n_bytes;
    while ((n_bytes = fread(block, 1, sizeof block, file)) > 0) sb_sha256_add(state, block, n_bytes);
    sb_status status = ferror(file) ? sb_fail(SB_E_IO, "%s: %s", path, strerror(errno)) : SB_OK;
    fclose(file);
    sb_sha256_end(state, text);
    return status;
}

uint32_t sb_crc32(const void *data, size_t n_bytes)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, n_bytes);
}
