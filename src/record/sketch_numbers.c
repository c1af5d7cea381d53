/* The public interface of sketches: the sketch of core/sketch.h, folded to 16 sums. A folded sketch is one of fewer buckets. */
#include "core/sketch.h"

#include "samebits.h"

#include <math.h>

void sb_numbers_sketch(const double *number, size_t n, double sketch[SB_SKETCH_NUMBERS])
{
    double bucket[SB_SKETCH_BUCKETS] = {0}, squares = 0;
    for (size_t at = 0, block = 0; at < n; at += SB_SKETCH_BUCKETS, block++)
        sb_sketch_add(bucket, block, n - at < SB_SKETCH_BUCKETS ? n - at : SB_SKETCH_BUCKETS, number + at);
    for (size_t i = 0; i < n; i++) squares += number[i] * number[i];
    sketch[0] = sqrt(squares);
    for (int k = 1; k < SB_SKETCH_NUMBERS; k++) sketch[k] = 0;
    for (int k = 0; k < SB_SKETCH_BUCKETS; k++) sketch[1 + k % (SB_SKETCH_NUMBERS - 1)] += bucket[k];
}
