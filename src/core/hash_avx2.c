/* Compiled with -mavx2 on x86-64. Prefetching further ahead than xxHash does by default reads tensors that are in no cache
 * at 40 instead of 33 GB/s. */
#include "core/hash_avx2.h"

#define XXH_PREFETCH_DIST 4096
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

sb_hash sb_hash_of_avx2(const void *data, size_t n_bytes)
{
    XXH128_canonical_t bytes;
    sb_hash hash;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits(data, n_bytes));
    memcpy(hash.byte, bytes.digest, sizeof hash.byte);
    return hash;
}
