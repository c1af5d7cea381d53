/* Dropout: with probability 1 - rate a number is kept and multiplied by 1 / (1 - rate); else it becomes 0. The choice
 * depends only on the seed, the update, the layer and the number's place in the batch, by Philox 4x32-10 as in
 * core/random.h. So it is the same on every device and rank, with any number of threads.
 *
 * Number k of a batch is (sample h w + pixel) c + channel, where sample counts in the whole batch. It uses word k mod 4
 * at (seed, stream, update 2^32 + k / 4) and is kept if that word is at least rate 2^32. */
#pragma once

#include "ops/real.h"

#include <stdint.h>

typedef struct sb_dropout {
    uint64_t first;         /* k of the first number: index of the first sample times the numbers of a sample; all k are
                             * below 2^34 */
    const uint32_t *update; /* device memory, because it changes from update to update */
    uint32_t seed[2];       /* low and high word of the seed */
    uint32_t stream, least; /* least: a number is kept if its word is at least this */
    sb_real factor;
} sb_dropout;

typedef struct sb_dropout_words {
    uint32_t word[4];
} sb_dropout_words;

#ifdef __CUDA_ARCH__
#define SB_HIGH_PRODUCT(a, b) __umulhi(a, b)
#else
#define SB_HIGH_PRODUCT(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#endif

/* One of ten rounds (Salmon, Moraes, Dror and Shaw, SC 2011). Sets the key of the next round. */
SB_HOST_DEVICE sb_dropout_words sb_dropout_round(sb_dropout_words c, uint32_t key[2])
{
    const uint32_t a = 0xD2511F53u, b = 0xCD9E8D57u;
    const sb_dropout_words next = {{SB_HIGH_PRODUCT(b, c.word[2]) ^ c.word[1] ^ key[0], b * c.word[2],
                                    SB_HIGH_PRODUCT(a, c.word[0]) ^ c.word[3] ^ key[1], a * c.word[0]}};
    key[0] += 0x9E3779B9u, key[1] += 0xBB67AE85u;
    return next;
}

/* The random words of numbers 4 block .. 4 block + 3, as sb_random_words of core/random.h, also on a device. */
SB_HOST_DEVICE sb_dropout_words sb_dropout_words_of(const sb_dropout *d, uint64_t block)
{
    sb_dropout_words words = {{(uint32_t)block, *d->update, d->stream, 0}};
    uint32_t key[2] = {d->seed[0], d->seed[1]};
    for (int round = 0; round < 10; round++) words = sb_dropout_round(words, key);
    return words;
}

SB_HOST_DEVICE sb_real sb_dropout_value(const sb_dropout *d, sb_real x, uint32_t word)
{
    return word >= d->least ? x * d->factor : 0;
}
