/* How the ten digits are written: each as a few strokes, in one or more ways. */
#ifndef SB_DATASETS_SYNTH_DIGIT_STROKES_H
#define SB_DATASETS_SYNTH_DIGIT_STROKES_H

#include <stdint.h>

/* Quadratic curves: the points of a stroke are start, (control, end), (control, end), ... in a box of 100 by 140 units,
 * y downwards. A point whose x is negative ends the stroke, a second one the digit. */
typedef struct sb_stroke_point {
    int16_t x, y;
} sb_stroke_point;

enum { SB_DIGIT_WAYS = 3 };

/* A way to write a digit; every digit has SB_DIGIT_WAYS, some of them the same. */
const sb_stroke_point *sb_digit_strokes(int digit, int way);

#endif
