/* Which of two ways with the same bits is faster now: OpenBLAS's threads, or one thread alone.
 *
 *     const sb_pace_way way = sb_pace_choose(&pace, size);
 *     ... the product, by that way ...
 *     sb_pace_add(&pace, size, way, seconds);
 *
 * Products of about the same size share an estimate of each way, the mean time of the last products. The slower way is
 * tried again from time to time, because other processes come and go. These trials take at most one part in SB_PACE_TRIALS
 * of the time of that size, plus one trial. Start with a pace of zeros. */
#pragma once

typedef enum sb_pace_way { SB_PACE_ALONE, SB_PACE_THREADS } sb_pace_way;

enum { SB_PACE_SIZES = 64, SB_PACE_TRIALS = 64 };

typedef struct sb_pace_size {
    double seconds[2];    /* of one product, by way; 0: not measured */
    double total, trials; /* seconds of all products, and of those by the slower way */
} sb_pace_size;

typedef struct sb_pace {
    sb_pace_size size[SB_PACE_SIZES];
} sb_pace;

/* The class of a product of m x n results with k terms each. */
int sb_pace_size_of(long m, long n, long k);

sb_pace_way sb_pace_choose(const sb_pace *pace, int size);
void sb_pace_add(sb_pace *pace, int size, sb_pace_way way, double seconds);
