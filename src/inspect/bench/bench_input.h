/* What a benchmark learns from: made in memory, smooth like the study's data, the same every time. */
#ifndef SB_INSPECT_BENCH_INPUT_H
#define SB_INSPECT_BENCH_INPUT_H

#include "inspect/bench/bench_case.h"

#include <stdint.h>

/* n frames [h][w][3] of one smooth pattern that moves; from malloc, NULL when memory is short. */
uint8_t *sb_bench_frames(int n, int w, int h);

/* n images [h][w] like digits: soft blots on black, four fifths of the pixels zero; from malloc. */
uint8_t *sb_bench_digits(int n, int w, int h);

/* How fast batches of images are made: from bytes in memory to normalised, augmented numbers, on one thread, as a worker
 * of the input pipeline (data/input.h) does it. Compared with the samples that a network learns from in a second, it
 * says how many workers keep it busy. */
enum { SB_BENCH_BATCHES = 4 }; /* kinds of batches */

/* Case k of them: its study is "input", its variant says what is done to an image. */
sb_status sb_bench_batches_make(sb_bench_case *c, int k);

/* One more value of c->seconds and c->cpu_share, from batches for that number of seconds at least. */
sb_status sb_bench_batches_time(sb_bench_case *c, int k, double at_least);

#endif
