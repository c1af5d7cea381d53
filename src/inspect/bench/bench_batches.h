/* How fast batches of images are made: from bytes in memory to normalised, augmented numbers, on one thread, as a worker
 * of the input pipeline (data/input.h) does it. Held against the samples that a network learns from in a second, it
 * says how many workers keep it busy. */
#ifndef SB_INSPECT_BENCH_BATCHES_H
#define SB_INSPECT_BENCH_BATCHES_H

#include "inspect/bench/bench_case.h"

enum { SB_BENCH_BATCHES = 4 }; /* kinds of batches */

/* Case k of them: its study is "input", its variant says what is done to an image. */
sb_status sb_bench_batches_make(sb_bench_case *c, int k);

/* One more value of c->seconds and c->cpu_share, from batches for so many seconds at least. */
sb_status sb_bench_batches_time(sb_bench_case *c, int k, double at_least);

#endif
