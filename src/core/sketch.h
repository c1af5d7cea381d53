/* A count sketch: a long vector in SB_SKETCH_BUCKETS numbers, from which the distance of two vectors is estimated
 * without keeping either. It is linear, so that the difference of two sketches is the sketch of the difference:
 *
 *     ||x - y||^2 ~ sum over buckets of (s(x) - s(y))^2, unbiased, standard error at most sqrt(2/1024) = 4.4 % of it
 *
 * and so 2.2 % of the distance (Alon, Matias, Szegedy 1999; Charikar, Chen, Farach-Colton 2002). The error is of the
 * choice of signs and buckets, which all sketches share: it moves a whole curve of distances rather than roughens it.
 *
 * Element i = 1024 b + k goes to bucket (k + r_b) mod 1024 with the sign -1 where bit k of the block's 1024 is set.
 * Rotation r_b and sign bits are Philox words of b alone (core/random.h), the same everywhere. Two elements of one
 * block never share a bucket, two of different blocks do with probability 1/1024: never more often than with a bucket
 * drawn for each element, so that the bound on the error holds, while memory is walked in order. Without the rotation
 * it would not: the weights of one input channel have a fixed stride, and would fall into a few buckets.
 *
 * A bucket is one chain of double additions, in the order of the blocks: the same bits for the same elements on every
 * machine. Double, stored as double, and of the vector itself: runs begin to part by 1e-9 of the weights' norm, which
 * a row of floats would round away, and then nothing is gained by subtracting the start.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_SKETCH_BUCKETS = 1024 };

/* Add block b, elements 1024 b .. 1024 b + n - 1, to a sketch; n is 1024 for all blocks but the last. */
void sb_sketch_add(double bucket[SB_SKETCH_BUCKETS], uint64_t b, size_t n, const double *x);

/* The estimate of ||x - y||; y NULL: of ||x||. */
double sb_sketch_distance(const double x[SB_SKETCH_BUCKETS], const double y[SB_SKETCH_BUCKETS]);

/* Is update 0 (the start), 1, 2, ... one to be sketched? Each up to 32, then 16 between a power of two and the next:
 * runs part exponentially at first, and slowly later. 80 of 250 updates, 207 of 60,000; how long a run is to be does
 * not matter, so that one that is made longer has the rows of one that was planned so. */
bool sb_sketch_is_due(int64_t update);
