/* Input for benchmarks: made in memory, smooth like the study's data, always the same. */
#pragma once

#include "inspect/bench/bench_case.h"

#include <stdint.h>

/* n frames [h][w][3] of one smooth pattern that moves; the caller frees it; NULL: not enough memory. */
uint8_t *sb_bench_frames(int n, int w, int h);

/* n images [h][w] like digits: soft blots on black, four fifths of the pixels zero; the caller frees it; NULL: not
 * enough memory. */
uint8_t *sb_bench_digits(int n, int w, int h);

/* Time to make batches of images: from bytes in memory to normalized, augmented numbers, on one thread, as a worker of
 * the input pipeline does (data/input.h). Compared with the training speed of a network, this gives the number of
 * workers needed. */
enum { SB_BENCH_BATCHES = 4 }; /* kinds of batches */

/* Make case k of the batches: its study is "input", its variant names the augmentation. */
sb_status sb_bench_batches_make(sb_bench_case *c, int k);

/* Make batches for at least `at_least` seconds. Adds one value to c->seconds and c->cpu_share. */
sb_status sb_bench_batches_time(sb_bench_case *c, int k, double at_least);
