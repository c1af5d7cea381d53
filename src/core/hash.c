#include "core/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
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

sb_sha256 *sb_sha256_begin(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context) EVP_DigestInit_ex(context, EVP_sha256(), NULL);
    return (sb_sha256 *)context;
}

void sb_sha256_add(sb_sha256 *state, const void *data, size_t n_bytes)
{
    EVP_DigestUpdate((EVP_MD_CTX *)state, data, n_bytes);
}

void sb_sha256_end(sb_sha256 *state, char text[SB_SHA256_TEXT])
{
    uint8_t digest[32];
    EVP_DigestFinal_ex((EVP_MD_CTX *)state, digest, NULL);
    EVP_MD_CTX_free((EVP_MD_CTX *)state);
    hex(digest, sizeof digest, text);
}

void sb_sha256_bytes(const void *data, size_t n_bytes, char text[SB_SHA256_TEXT])
{
    uint8_t digest[32];
    EVP_Digest(data, n_bytes, digest, NULL, EVP_sha256(), NULL);
    hex(digest, sizeof digest, text);
}

sb_status sb_sha256_file(const char *path, char text[SB_SHA256_TEXT])
{
    FILE *file = fopen(path, "rb");
    if (!file) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    sb_sha256 *state = sb_sha256_begin();
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
