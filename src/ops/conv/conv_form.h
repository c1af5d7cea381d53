/* The algorithms for convolutions of the native backend. `direct` is the sum as written in order.h. `winograd`
 * (F(4x4,3x3)) needs a quarter of the multiplications; the arithmetic of that name uses it for layers with many
 * channels.
 *
 * `winograd` is the trainer's default: a full-size window takes less than half the time of `direct`, and the golden
 * files have the same tolerance for both. Whether the losses after 250 updates differ by less than 10 % is not decided
 * (results/natural). Tests compare `winograd` with `direct`. */
#pragma once

#include "ops/ops.h"
#include "ops/simd.h"

/* The functions are the slots with the same name in ops/slots.h. data_gradient is for terms without upsampling and
 * overwrites dx; add_upsampled_gradient is for one upsampled term and adds to dx. */
typedef struct sb_conv_form {
    void (*sizes)(const sb_conv_shape *shape, sb_conv_sizes *sizes);
    void (*begin)(sb_ops *ops, sb_conv *conv);
    void (*turn)(sb_ops *ops, sb_conv *conv);
    void (*end)(sb_ops *ops, sb_conv *conv);
    void (*input)(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand);
    void (*gradient)(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand);
    void (*forward)(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y);
    void (*data_gradient)(int n_terms, const sb_term *term, sb_tensor *dx);
    void (*add_upsampled_gradient)(const sb_term *term, sb_tensor *dx);
    void (*weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy);
} sb_conv_form;

extern const sb_conv_form SB_NATIVE(sb_conv_direct);
extern const sb_conv_form SB_NATIVE(sb_conv_winograd);
extern const sb_conv_form SB_NATIVE(sb_conv_plain); /* for all shapes that are plain (sb_conv_is_plain) */
