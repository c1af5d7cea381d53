#include "inspect/external/classes.h"

#include <stdio.h>
#include <string.h>

static const char *const classes[][2] = {
    {"native_batch_norm", "batch_norm"},
    {"cudnn_batch_norm", "batch_norm"},
    {"miopen_batch_norm", "batch_norm"},
    {"_native_batch_norm_legit", "batch_norm"},
    {"_native_batch_norm_legit_functional", "batch_norm"},
    {"_batch_norm_with_update", "batch_norm"},
    {"_batch_norm_with_update_functional", "batch_norm"},
    {"_batch_norm_no_update", "batch_norm"},
    {"native_batch_norm_backward", "batch_norm_backward"},
    {"cudnn_batch_norm_backward", "batch_norm_backward"},
    {"miopen_batch_norm_backward", "batch_norm_backward"},
    {"batch_norm_backward", "batch_norm_backward"},
    {"convolution", "convolution"},
    {"convolution_overrideable", "convolution"},
    {"_convolution", "convolution"},
    {"mkldnn_convolution", "convolution"},
    {"cudnn_convolution", "convolution"},
    {"miopen_convolution", "convolution"},
    {"convolution_backward", "convolution_backward"},
    {"convolution_backward_overrideable", "convolution_backward"},
    {"mm", "product"},
    {"addmm", "product"},
    {"bmm", "product"},
    {"baddbmm", "product"},
    {"linear", "product"},
    {"mkldnn_linear", "product"},
    {"_addmm_activation", "product"},
    {"_scaled_dot_product_flash_attention", "attention"},
    {"_scaled_dot_product_flash_attention_for_cpu", "attention"},
    {"_scaled_dot_product_efficient_attention", "attention"},
    {"_scaled_dot_product_cudnn_attention", "attention"},
    {"_scaled_dot_product_fused_attention_overrideable", "attention"},
    {"_scaled_dot_product_attention_math", "attention"},
    {"_scaled_dot_product_flash_attention_backward", "attention_backward"},
    {"_scaled_dot_product_flash_attention_for_cpu_backward", "attention_backward"},
    {"_scaled_dot_product_efficient_attention_backward", "attention_backward"},
    {"_scaled_dot_product_cudnn_attention_backward", "attention_backward"},
    {"_cudnn_rnn", "recurrent"},
    {"miopen_rnn", "recurrent"},
    {"mkldnn_rnn_layer", "recurrent"},
    {"_thnn_fused_lstm_cell", "recurrent"},
    {"_thnn_fused_gru_cell", "recurrent"},
    {"native_dropout", "dropout"},
    {"_fused_dropout", "dropout"},
    {"max_pool2d_with_indices", "max_pool2d"},
    {"mkldnn_max_pool2d", "max_pool2d"},
    {"max_pool2d_with_indices_backward", "max_pool2d_backward"},
    {"mkldnn_max_pool2d_backward", "max_pool2d_backward"},
    {"native_layer_norm", "layer_norm"},
    {"_fused_rms_norm", "rms_norm"},
    {"clone", "copy"},
    {"copy", "copy"},
    {"_to_copy", "copy"},
    {"lift_fresh_copy", "copy"},
    {"contiguous", "copy"},
    {"view_copy", "copy"},
    {"_reshape_copy", "copy"},
    {"t_copy", "copy"},
    {"expand_copy", "copy"},
    {"detach_copy", "copy"},
    {"zeros", "fill"},
    {"zeros_like", "fill"},
    {"new_zeros", "fill"},
    {"zero", "fill"},
    {"ones", "fill"},
    {"ones_like", "fill"},
    {"new_ones", "fill"},
    {"full", "fill"},
    {"full_like", "fill"},
    {"new_full", "fill"},
    {"fill", "fill"},
    {"scalar_tensor", "fill"},
};

void sb_class_of(const char *operation, char text[SB_CLASS_TEXT])
{
    snprintf(text, SB_CLASS_TEXT, "%s", operation);
    const size_t n = strlen(text);
    if (n > 1 && text[n - 1] == '_') text[n - 1] = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i][0], text) == 0) {
            snprintf(text, SB_CLASS_TEXT, "%s", classes[i][1]);
            return;
        }
}

static bool is_of(const char *operation, const char *wanted)
{
    char text[SB_CLASS_TEXT];
    sb_class_of(operation, text);
    return strcmp(text, wanted) == 0;
}

bool sb_class_is_copy(const char *operation)
{
    return is_of(operation, "copy");
}

bool sb_class_is_fill(const char *operation)
{
    return is_of(operation, "fill");
}
