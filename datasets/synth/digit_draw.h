/* One handwritten-like digit of 28 by 28, white on black, as MNIST has them: the writing fills about 20 by 20 and its
 * centre of mass lies in the middle. */
#ifndef SB_DATASETS_SYNTH_DIGIT_DRAW_H
#define SB_DATASETS_SYNTH_DIGIT_DRAW_H

#include <stdint.h>

enum { SB_DIGIT_SIDE = 28, SB_DIGIT_BYTES = SB_DIGIT_SIDE * SB_DIGIT_SIDE };

/* Draw picture number `index` of a seed, the same on every machine; returns which digit it is. */
uint8_t sb_digit_draw(uint32_t seed, uint32_t index, uint8_t image[SB_DIGIT_BYTES]);

#endif
