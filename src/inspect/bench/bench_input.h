/* What a benchmark learns from: made in memory, smooth like the study's data, the same every time. */
#ifndef SB_INSPECT_BENCH_INPUT_H
#define SB_INSPECT_BENCH_INPUT_H

#include <stdint.h>

/* n frames [h][w][3] of one smooth pattern that moves; from malloc, NULL when memory is short. */
uint8_t *sb_bench_frames(int n, int w, int h);

/* n images [h][w] like digits: soft blots on black, four fifths of the pixels zero; from malloc. */
uint8_t *sb_bench_digits(int n, int w, int h);

#endif
