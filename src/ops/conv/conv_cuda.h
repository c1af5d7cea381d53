/* The algorithms for convolutions of native-cuda, as conv_form.h for native; `small` is `direct` for all shapes but
 * the usual one of 3x3 with padding 1. Sizes are in bytes. */
#pragma once

#include "ops/cuda.h"

/* If the last recorded kernel is error_forward with the result e, remove it and return its args: the kernel that reads
 * e then computes it. Else all members are NULL. */
static inline sb_error_forward_args sb_gpu_take_errors(sb_gpu *gpu, const sb_real *e)
{
    const sb_error_forward_args *last = gpu->last(gpu, SB_KERNEL_sb_error_forward);
    if (!last || last->e != e) return (sb_error_forward_args){0};
    const sb_error_forward_args errors = *last;
    gpu->take_back(gpu);
    return errors;
}

/* Number of frames in the next part of a weight product of n_frames frames, or of all samples of these, of which `left`
 * are left. Where operations overlap, the last parts of a window are short: they begin before all frames are there, and
 * little is left to do after the last frame. The accumulator keeps whole chains between two parts, so the bits are the
 * same. */
static inline int sb_gpu_frames_at_once(const sb_gpu *gpu, int n_frames, int left)
{
    enum { SHORT = SB_PRODUCT_FRAMES / 4 };
    if (left > SB_PRODUCT_FRAMES) return SB_PRODUCT_FRAMES;
    if (!gpu->context.ops.overlaps || n_frames == 1) return left;
    return left > SHORT ? SHORT : (left + 1) / 2;
}

typedef struct sb_conv_form_cuda {
    void (*sizes)(const sb_conv_shape *shape, sb_conv_sizes *sizes);
    void (*begin)(sb_gpu *gpu, sb_conv *conv);
    void (*turn)(sb_gpu *gpu, sb_conv *conv);
    void (*end)(sb_gpu *gpu, sb_conv *conv);
    void (*input)(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *x, void *operand);
    void (*gradient)(sb_gpu *gpu, const sb_conv_shape *shape, const sb_tensor *dy, void *operand);
    void (*forward)(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y);
    void (*data_gradient)(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx); /* overwrites */
    void (*add_upsampled_gradient)(sb_gpu *gpu, const sb_term *term, sb_tensor *dx);
    void (*weight_gradient)(sb_gpu *gpu, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy);
} sb_conv_form_cuda;

extern const sb_conv_form_cuda sb_conv_direct_cuda;
extern const sb_conv_form_cuda sb_conv_small_cuda;
extern const sb_conv_form_cuda sb_conv_winograd_cuda;
