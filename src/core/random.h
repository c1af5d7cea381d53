/* Random numbers that depend on (seed, stream, index) alone: Philox 4x32-10 from Random123, the same bits on every
 * machine, thread and device. No libm: the normal deviate is the inverse distribution function in plain double
 * arithmetic (+, -, *, / and sqrt, each correctly rounded by IEEE 754). */
#pragma once

#include <stdint.h>

/* Four independent 32-bit words for a place in a stream. */
typedef struct sb_random4 {
    uint32_t word[4];
} sb_random4;
sb_random4 sb_random_words(uint64_t seed, uint32_t stream, uint64_t index);

/* What each stream is for (docs/specification.md, section 6). Streams below 256 are the initial weights of the
 * parameter of that number; to those from SB_STREAM_ORDER to SB_STREAM_GROUP_CUTOUT the number of the epoch is
 * added. */
enum {
    SB_STREAM_ORDER = 1 << 20,      /* order of the samples */
    SB_STREAM_CROP = 2 << 20,       /* place of the crop, flip */
    SB_STREAM_CUTOUT = 3 << 20,     /* place of the cutout */
    SB_STREAM_LIGHT = 4 << 20,      /* brightness, contrast */
    SB_STREAM_NOISE = 5 << 20,      /* noise; index: number of the image * elements + element */
    SB_STREAM_GROUP_CROP = 8 << 20, /* the same for groups of images */
    SB_STREAM_GROUP_FLIP = 9 << 20,
    SB_STREAM_GROUP_CUTOUT = 10 << 20,
    SB_STREAM_GENERATION = 16 << 20, /* parents and mutations; the number of the generation is added */
    SB_STREAM_MUTATIONS = 17 << 20,  /* the table that mutations are cut from (train/evolve/genome.h) */
    SB_STREAM_HOLD_OUT = 24 << 20,   /* images that are held out */
    SB_STREAM_TERM_ORDER = 25 << 20, /* order of the terms of a sum, where atomics are imitated */
    SB_STREAM_LANCZOS = 32 << 20,    /* the vector that Lanczos begins with */
    SB_STREAM_DROPOUT = 33 << 20,    /* what dropout keeps; the number of the layer is added (ops/point/dropout.h) */
    SB_STREAM_TOKENS = 34 << 20,     /* where windows of a text begin */
    SB_STREAM_SAMPLE = 35 << 20,     /* tokens of a text that a network writes */
};

/* A word as a whole number in [0, n). */
static inline uint32_t sb_random_integer(uint32_t word, uint32_t n)
{
    return (uint32_t)((uint64_t)word * n >> 32);
}

/* order[n]: 0 .. n-1 permuted by Fisher and Yates, from that word of each place in the stream. */
void sb_random_permutation(uint64_t seed, uint32_t stream, int word, uint32_t n, uint32_t *order);

/* Uniform in (0, 1): (k + 1/2) / 2^52 with k from 52 random bits. Element `index` of stream `stream`. */
double sb_random_uniform(uint64_t seed, uint32_t stream, uint64_t index);

/* N(0, 1). Error of the inverse distribution function below 1e-15 relative (tests/test_random.c holds it to SciPy's).
 */
double sb_random_normal(uint64_t seed, uint32_t stream, uint64_t index);

/* The inverse of the standard normal distribution function for p in (0, 1). Wichura, Algorithm AS 241, PPND16,
 * Applied Statistics 37 (1988) 477-484. */
double sb_normal_quantile(double p);
