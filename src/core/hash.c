/* libcrypto's digest by its direct interface: the newer one (EVP) draws the whole library into a static program, name
 * resolution included. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static sb_hash canonical(XXH128_hash_t value)
{
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, value);
    sb_hash hash;
    memcpy(hash.byte, bytes.digest, sizeof hash.byte);
    return hash;
}

sb_hash sb_hash_bytes(const void *data, size_t n_bytes)
{
    return canonical(XXH3_128bits(data, n_bytes));
}

sb_hasher *sb_hasher_begin(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state) XXH3_128bits_reset(state);
    return (sb_hasher *)state;
}

void sb_hasher_add(sb_hasher *hasher, const void *data, size_t n_bytes)
{
    XXH3_128bits_update((XXH3_state_t *)hasher, data, n_bytes);
}

sb_hash sb_hasher_end(sb_hasher *hasher)
{
    sb_hash hash = canonical(XXH3_128bits_digest((XXH3_state_t *)hasher));
    XXH3_freeState((XXH3_state_t *)hasher);
    return hash;
}

int sb_hash_equal(sb_hash a, sb_hash b)
{
    return memcmp(a.byte, b.byte, sizeof a.byte) == 0;
}

static void hex(const uint8_t *bytes, size_t n_bytes, char *text)
{
    for (size_t i = 0; i < n_bytes; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
}

void sb_hash_text(sb_hash hash, char text[SB_HASH_TEXT])
{
    hex(hash.byte, sizeof hash.byte, text);
}

bool sb_hash_parse(const char *text, sb_hash *hash)
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(text) != SB_HASH_TEXT - 1 || strspn(text, digits) != SB_HASH_TEXT - 1) return false;
    for (size_t i = 0; i < sizeof hash->byte; i++) {
        size_t high = (size_t)(strchr(digits, text[2 * i]) - digits);
        hash->byte[i] = (uint8_t)(16 * high + (size_t)(strchr(digits, text[2 * i + 1]) - digits));
    }
    return true;
}

struct sb_sha256 {
    SHA256_CTX context;
};

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
    hex(digest, sizeof digest, text);
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
    hex(digest, sizeof digest, text);
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
