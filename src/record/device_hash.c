/* A hash whose long part a device computed. XXH3 of 64 KiB is eight lanes of 64-bit integers, sums whose order does not
 * matter, and a short merge. A device adds up the lanes; this is the merge, by xxHash's own functions. */
#include "core/hash.h"

#include "samebits.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

enum { PIECE = 65536, MERGE_FROM = 11 };

/* What XXH3 does after the last stripe of a long input. */
static sb_hash merge(const uint64_t lanes[8])
{
    XXH_ALIGN(64) XXH64_hash_t acc[8];
    XXH128_hash_t value;
    XXH128_canonical_t bytes;
    sb_hash hash;
    const size_t secret = sizeof XXH3_kSecret;
    memcpy(acc, lanes, sizeof acc);
    value.low64 = XXH3_mergeAccs(acc, XXH3_kSecret + MERGE_FROM, (uint64_t)PIECE * XXH_PRIME64_1);
    value.high64 = XXH3_mergeAccs(acc, XXH3_kSecret + secret - sizeof acc - MERGE_FROM,
                                  ~((uint64_t)PIECE * XXH_PRIME64_2));
    XXH128_canonicalFromHash(&bytes, value);
    memcpy(hash.byte, bytes.digest, sizeof hash.byte);
    return hash;
}

sb_hash sb_hash_from_device(const uint64_t (*accumulators)[8], size_t n_pieces, const void *rest, size_t n_rest)
{
    sb_hash hash = {{0}};
    if (n_pieces == 0) return sb_hash_of(rest, n_rest, 1);
    if (n_pieces == 1 && n_rest == 0) return merge(accumulators[0]);
    sb_hasher *all = sb_hasher_begin();
    if (!all) return hash;
    for (size_t i = 0; i < n_pieces; i++) {
        hash = merge(accumulators[i]);
        sb_hasher_add(all, hash.byte, sizeof hash.byte, 1);
    }
    if (n_rest) {
        hash = sb_hash_of(rest, n_rest, 1);
        sb_hasher_add(all, hash.byte, sizeof hash.byte, 1);
    }
    return sb_hasher_end(all);
}
