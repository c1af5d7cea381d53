/* Convolutions of cuDNN in two files: conv_cudnn.c, and conv_cudnn_joined.c for the joined inputs of a cell (ops.h,
 * joins_inputs): of one sample their operands are the channels of one map, [joined][h][w].
 *
 * Packed       weights of all inputs [outputs][joined][taps], then the gradient of all inputs [joined][h][w]
 * Accumulator  [outputs][joined][taps] */
#pragma once

#include "ops/cuda.h"
#include "ops/library/cudnn.h"

/* Put a convolution of n_frames frames into the list: sb_cudnn_convolve. */
void sb_cudnn_put(sb_gpu *gpu, sb_cudnn_work work, const sb_conv *conv, int n_frames, const void *a, const void *b,
                  float beta, void *result);

/* How many frames from the first one on have contiguous operands, of `input` and `gradient` bytes: cuDNN takes
 * their samples as one batch. 1 unless SAMEBITS_CUDNN_FRAMES is set. */
int sb_cudnn_frames_at_once(const sb_gpu *gpu, size_t input, size_t gradient, int n_frames, const void *const *x,
                            const void *const *dy);

/* The slots for a joined input. */
void sb_cudnn_joined_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes);
void sb_cudnn_joined_begin(sb_gpu *gpu, sb_conv *conv);
void sb_cudnn_joined_end(sb_gpu *gpu, sb_conv *conv);
void sb_cudnn_joined_forward(sb_gpu *gpu, const sb_term *term, sb_tensor *y);        /* y += all terms */
void sb_cudnn_joined_data_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx); /* dx += the term */
void sb_cudnn_joined_weight_gradient(sb_gpu *gpu, sb_conv *conv, int n_frames, const void *const *x,
                                     const void *const *dy);
