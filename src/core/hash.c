#include "core/hash.h"

#include "core/hash_avx2.h"
#include "core/little_endian.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <string.h>

static sb_hash canonical(XXH128_hash_t value)
{
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, value);
    sb_hash hash;
    memcpy(hash.byte, bytes.digest, sizeof hash.byte);
    return hash;
}

sb_hasher *sb_hasher_begin(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state) XXH3_128bits_reset(state);
    return (sb_hasher *)state;
}

static void add_turned(XXH3_state_t *state, const uint8_t *data, size_t n, size_t bytes_each)
{
    uint64_t block[512];
    const size_t most = sizeof block / bytes_each;
    for (size_t first = 0; first < n; first += most) {
        const size_t part = n - first < most ? n - first : most;
        memcpy(block, data + first * bytes_each, part * bytes_each);
        sb_little_endian_turn(block, part, bytes_each);
        XXH3_128bits_update(state, block, part * bytes_each);
    }
}

void sb_hasher_add(sb_hasher *hasher, const void *data, size_t n, size_t bytes_each)
{
    if (sb_little_endian_is_here(bytes_each))
        XXH3_128bits_update((XXH3_state_t *)hasher, data, n * bytes_each);
    else
        add_turned((XXH3_state_t *)hasher, data, n, bytes_each);
}

sb_hash sb_hasher_end(sb_hasher *hasher)
{
    sb_hash hash = canonical(XXH3_128bits_digest((XXH3_state_t *)hasher));
    XXH3_freeState((XXH3_state_t *)hasher);
    return hash;
}

static bool has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

sb_hash sb_hash_of(const void *data, size_t n, size_t bytes_each)
{
    if (sb_little_endian_is_here(bytes_each) && has_avx2()) return sb_hash_of_avx2(data, n * bytes_each);
    if (sb_little_endian_is_here(bytes_each)) return canonical(XXH3_128bits(data, n * bytes_each));
    XXH3_state_t state; /* as large as its header says: no memory to ask for */
    XXH3_128bits_reset(&state);
    add_turned(&state, data, n, bytes_each);
    return canonical(XXH3_128bits_digest(&state));
}

int sb_hash_equal(sb_hash a, sb_hash b)
{
    return memcmp(a.byte, b.byte, sizeof a.byte) == 0;
}

void sb_hash_text(sb_hash hash, char text[SB_HASH_TEXT])
{
    for (size_t i = 0; i < sizeof hash.byte; i++) sprintf(text + 2 * i, "%02x", hash.byte[i]);
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
