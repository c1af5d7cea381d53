/* The two forms of a convolution of native-cuda, as conv_form.h says it for native. Sizes are in bytes. */
#ifndef SB_OPS_CONV_CUDA_H
#define SB_OPS_CONV_CUDA_H

#include "ops/gpu.h"

typedef struct sb_conv_form_cuda {
    size_t (*weights_size)(const sb_conv *conv);
    size_t (*accumulator_size)(const sb_conv *conv);
    size_t (*scratch_size)(const sb_conv *conv);
    size_t (*input_size)(const sb_conv *conv);
    size_t (*gradient_size)(const sb_conv *conv);
    void (*begin)(sb_gpu *gpu, sb_conv *conv);
    void (*turn)(sb_gpu *gpu, sb_conv *conv);
    void (*end)(sb_gpu *gpu, sb_conv *conv);
    void (*input)(sb_gpu *gpu, const sb_conv *conv, const sb_tensor *x, void *operand);
    void (*gradient)(sb_gpu *gpu, const sb_conv *conv, const sb_tensor *dy, void *operand);
    void (*forward)(sb_gpu *gpu, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y);
    void (*data_gradient)(sb_gpu *gpu, int n_terms, const sb_term *term, sb_tensor *dx); /* overwrites */
    void (*add_upsampled_gradient)(sb_gpu *gpu, const sb_term *term, sb_tensor *dx);
    void (*weight_gradient)(sb_gpu *gpu, sb_conv *conv, int n, const void *const *x, const void *const *dy);
} sb_conv_form_cuda;

extern const sb_conv_form_cuda sb_conv_direct_cuda;
extern const sb_conv_form_cuda sb_conv_winograd_cuda;

/* Output channels of all groups. */
static inline int sb_conv_outputs(const sb_conv *conv)
{
    return conv->groups * conv->c;
}

/* Frames first .. of a weight product, as many as one takes; their number. */
static inline int sb_take_frames(const sb_real **a, const sb_real **b, int first, int n, const void *const *x,
                                 const void *const *dy)
{
    int n_frames = n - first < SB_PRODUCT_FRAMES ? n - first : SB_PRODUCT_FRAMES;
    for (int f = 0; f < n_frames; f++) a[f] = (const sb_real *)dy[first + f], b[f] = (const sb_real *)x[first + f];
    return n_frames;
}

#endif
