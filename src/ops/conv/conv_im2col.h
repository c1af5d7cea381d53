/* Convolution by im2col, the part that all libraries share: sizes, the sum of the weight gradient, and the copy of an
 * output's gradient. conv_openblas.c and conv_cublas.c make the columns and the products. */
#pragma once

#include "ops/ops.h"

/* Fill the shared slots: conv_sizes, conv_begin, conv_turn, conv_end, conv_gradient. */
void sb_conv_im2col(sb_ops *ops);

/* Elements of the columns of one sample: h w pixels, in * taps numbers each. */
size_t sb_im2col_columns(const sb_conv_shape *shape);

/* A convolution is one product for each gate, or for each group. This is one of these products. */
typedef struct sb_im2col_part {
    const sb_real *weight; /* [out][k] */
    int out, k;
    int column;        /* the first of its k columns, of in * taps */
    int gate, channel; /* its first output */
} sb_im2col_part;
int sb_im2col_parts(const sb_conv_shape *shape);
sb_im2col_part sb_im2col_part_of(const sb_conv *conv, int number);

/* The functions of cublas, for shapes that another library refuses. */
void sb_conv_input_cublas(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand);
void sb_conv_forward_cublas(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y);
void sb_conv_data_gradient_cublas(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx);
void sb_conv_weight_gradient_cublas(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                    const void *const *dy);
void sb_conv_sizes_im2col(const sb_conv_shape *shape, sb_conv_sizes *sizes);
