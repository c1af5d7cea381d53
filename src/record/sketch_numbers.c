/* The public interface of sketches: the sketch of core/sketch.h, folded to 16 sums. A folded sketch is one of fewer buckets. */
#include "core/sketch.h"

#include "samebits.h"

#include <math.h>

enum { K = SB_SKETCH_BUCKETS, LANES = 16 }; /* LANES sums of squares, so that they do not wait for one another */

/* n numbers from number[first] on, as double: where they are, or in room. */
static const double *as_double(const void *number, sb_dtype dtype, size_t first, size_t n, double room[K])
{
    if (dtype == SB_F64) return (const double *)number + first;
    const float *from = (const float *)number + first;
    for (size_t i = 0; i < n; i++) room[i] = from[i];
    return room;
}

static void add_squares(double sum[LANES], size_t n, const double *x)
{
    size_t first = 0;
    for (; first + LANES <= n; first += LANES)
        for (size_t i = 0; i < LANES; i++) sum[i] += x[first + i] * x[first + i];
    for (size_t i = 0; first + i < n; i++) sum[i] += x[first + i] * x[first + i];
}

void sb_numbers_sketch(const void *number, sb_dtype dtype, size_t n, double sketch[SB_SKETCH_NUMBERS])
{
    double bucket[K] = {0}, square[LANES] = {0}, room[K], squares = 0;
    if (dtype != SB_F32 && dtype != SB_F64) n = 0;
    for (size_t first = 0; first < n; first += K) {
        const size_t some = n - first < K ? n - first : K;
        const double *x = as_double(number, dtype, first, some, room);
        sb_sketch_add(bucket, first / K, some, x);
        add_squares(square, some, x);
    }
    for (int i = 0; i < LANES; i++) squares += square[i];
    sketch[0] = sqrt(squares);
    for (int k = 1; k < SB_SKETCH_NUMBERS; k++) sketch[k] = 0;
    for (int k = 0; k < K; k++) sketch[1 + k % (SB_SKETCH_NUMBERS - 1)] += bucket[k];
}
