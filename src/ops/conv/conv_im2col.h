/* What convolution by im2col is in any library: the sizes, the weights' gradient summed up in their own shape, and the
 * copy of an output's gradient. The columns themselves and the products are the library's (conv_openblas.c,
 * conv_cublas.c). */
#ifndef SB_OPS_CONV_IM2COL_H
#define SB_OPS_CONV_IM2COL_H

#include "ops/ops.h"

/* Fill the slots that are the same in all: the sizes, begin, turn, end, gradient. */
void sb_conv_im2col(sb_ops *ops);

/* Elements of the columns of one sample: h w pixels, in * taps numbers each. */
size_t sb_im2col_columns(const sb_conv_shape *shape);

/* The weights of one gate, [c][in * taps]. */
const sb_real *sb_im2col_weight(const sb_conv *conv, int gate);

#endif
