#include "core/sketch.h"

#include "core/random.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { K = SB_SKETCH_BUCKETS, WORDS = K / 32 }; /* of sign bits: as many as a word has bits */

static const uint64_t seed = 0x736b65746368; /* "sketch" */
enum { SIGNS, ROTATION };                    /* streams */

static void sign_bits(uint64_t b, uint32_t word[WORDS])
{
    for (uint64_t i = 0; i < WORDS / 4; i++) {
        sb_random4 r = sb_random_words(seed, SIGNS, b * (WORDS / 4) + i);
        for (int k = 0; k < 4; k++) word[4 * i + k] = r.word[k];
    }
}

static double with_sign(double x, uint64_t sign)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= sign;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Element 32 i + k has bit i of word k, so that neighbors, which a vector holds, are shifted alike. */
static void apply_signs(const uint32_t word[WORDS], size_t n, const double *x, double *signed_x)
{
    for (size_t i = 0; WORDS * i < n; i++) {
        size_t first = WORDS * i, end = n - first < WORDS ? n - first : WORDS;
        for (size_t k = 0; k < end; k++)
            signed_x[first + k] = with_sign(x[first + k], (uint64_t)(word[k] >> i & 1) << 63);
    }
}

void sb_sketch_add(double bucket[SB_SKETCH_BUCKETS], uint64_t b, size_t n, const double *x)
{
    assert(n <= K);
    uint32_t word[WORDS];
    double signed_x[K];
    const size_t rotation = sb_random_words(seed, ROTATION, b).word[0] % K;
    const size_t before_wrap = n < K - rotation ? n : K - rotation;
    sign_bits(b, word);
    apply_signs(word, n, x, signed_x);
    for (size_t k = 0; k < before_wrap; k++) bucket[rotation + k] += signed_x[k];
    for (size_t k = before_wrap; k < n; k++) bucket[k - before_wrap] += signed_x[k];
}

double sb_sketch_distance(const double x[SB_SKETCH_BUCKETS], const double y[SB_SKETCH_BUCKETS])
{
    double sum = 0;
    for (int k = 0; k < K; k++) {
        double difference = x[k] - (y ? y[k] : 0);
        sum += difference * difference;
    }
    return sqrt(sum);
}

bool sb_sketch_is_due(int64_t update)
{
    int64_t stride = 1;
    while (update > 32 * stride) stride *= 2;
    return update % stride == 0;
}
