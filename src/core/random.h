/* Random numbers that depend on (seed, stream, index) alone: Philox 4x32-10 from Random123, the same bits on every
 * machine, thread and device. No libm: the normal deviate is the inverse distribution function in plain double
 * arithmetic (+, -, *, / and sqrt, each correctly rounded by IEEE 754). */
#ifndef SB_CORE_RANDOM_H
#define SB_CORE_RANDOM_H

#include <stdint.h>

/* Four independent 32-bit words for a place in a stream. */
typedef struct sb_random4 {
    uint32_t word[4];
} sb_random4;
sb_random4 sb_random_words(uint64_t seed, uint32_t stream, uint64_t index);

/* Uniform in (0, 1): (k + 1/2) / 2^52 with k from 52 random bits. Element `index` of stream `stream`. */
double sb_random_uniform(uint64_t seed, uint32_t stream, uint64_t index);

/* N(0, 1). Error of the inverse distribution function below 1e-15 relative (tests/test_random.c holds it to SciPy's).
 */
double sb_random_normal(uint64_t seed, uint32_t stream, uint64_t index);

/* The inverse of the standard normal distribution function for p in (0, 1). Wichura, Algorithm AS 241, PPND16,
 * Applied Statistics 37 (1988) 477-484. */
double sb_normal_quantile(double p);

#endif
