/* Numbers to try operations on.
 *
 *   random     normal deviates
 *   extreme    powers from 2^-40 to 2^40, both signs, zeros of both signs, subnormal numbers
 *   powers     0 and +-1/4 .. 4: products and sums of thousands of them are exact, so that any order of a sum gives the
 *              same bits
 */
#pragma once

#include "core/random.h"
#include "ops/real.h"

#include <stddef.h>
#include <stdint.h>

typedef enum fill { FILL_RANDOM, FILL_EXTREME, FILL_POWERS, FILLS } fill;
static const char *const fill_names[FILLS] = {"random", "extreme", "powers"};

/* How many of them a test tries: which memory is used does not depend on the numbers. */
#ifdef SB_SANITIZED
static const fill fills_tried = FILL_RANDOM + 1;
#else
static const fill fills_tried = FILLS;
#endif

static inline sb_real fill_extreme(sb_random4 r)
{
    sb_real sign = r.word[0] & 1 ? -1 : 1;
    uint32_t kind = r.word[1] % 8;
    if (kind == 0) return sign * 0;
    if (kind == 1) return sign * (sb_real)ldexp(r.word[2] % 1000, -149);
    return sign * (sb_real)ldexp(1 + r.word[2] * 0x1p-32, (int)(r.word[3] % 81) - 40);
}

static inline sb_real fill_power(sb_random4 r)
{
    sb_real sign = r.word[0] & 1 ? -1 : 1;
    uint32_t kind = r.word[1] % 6;
    return kind == 5 ? 0 : sign * (sb_real)ldexp(1, (int)kind - 2);
}

/* Element i depends on (seed, stream, i) alone. */
static inline void fill_block(sb_real *x, size_t n, fill kind, uint64_t seed, uint32_t stream)
{
    for (size_t i = 0; i < n; i++) {
        if (kind == FILL_RANDOM)
            x[i] = (sb_real)(float)sb_random_normal(seed, stream, i);
        else
            x[i] = kind == FILL_EXTREME ? fill_extreme(sb_random_words(seed, stream, i))
                                        : fill_power(sb_random_words(seed, stream, i));
    }
}
