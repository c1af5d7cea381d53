#include "inspect/external/explain.h"

#include "core/command/options.h"

#include <stdio.h>
#include <string.h>

/* Operations of one class, by the names that PyTorch has for them. */
static const struct {
    const char *name, *operations;
} classes[] = {
    {"batch_norm", "native_batch_norm|cudnn_batch_norm|miopen_batch_norm|_native_batch_norm_legit|"
                   "_native_batch_norm_legit_functional|_batch_norm_with_update|_batch_norm_with_update_functional|"
                   "_batch_norm_no_update"},
    {"batch_norm_backward",
     "native_batch_norm_backward|cudnn_batch_norm_backward|miopen_batch_norm_backward|batch_norm_backward"},
    {"convolution",
     "convolution|convolution_overrideable|_convolution|mkldnn_convolution|cudnn_convolution|miopen_convolution"},
    {"convolution_backward", "convolution_backward|convolution_backward_overrideable"},
    {"product", "mm|addmm|bmm|baddbmm|linear|mkldnn_linear|_addmm_activation"},
    {"attention", "_scaled_dot_product_flash_attention|_scaled_dot_product_flash_attention_for_cpu|"
                  "_scaled_dot_product_efficient_attention|_scaled_dot_product_cudnn_attention|"
                  "_scaled_dot_product_fused_attention_overrideable|_scaled_dot_product_attention_math"},
    {"attention_backward",
     "_scaled_dot_product_flash_attention_backward|_scaled_dot_product_flash_attention_for_cpu_backward|"
     "_scaled_dot_product_efficient_attention_backward|_scaled_dot_product_cudnn_attention_backward"},
    {"recurrent", "_cudnn_rnn|miopen_rnn|mkldnn_rnn_layer|_thnn_fused_lstm_cell|_thnn_fused_gru_cell"},
    {"dropout", "native_dropout|_fused_dropout"},
    {"max_pool2d", "max_pool2d_with_indices|mkldnn_max_pool2d"},
    {"max_pool2d_backward", "max_pool2d_with_indices_backward|mkldnn_max_pool2d_backward"},
    {"layer_norm", "native_layer_norm"},
    {"rms_norm", "_fused_rms_norm"},
    {"copy", "clone|copy|_to_copy|lift_fresh_copy|contiguous|view_copy|_reshape_copy|t_copy|expand_copy|detach_copy"},
    {"fill", "zeros|zeros_like|new_zeros|zero|ones|ones_like|new_ones|full|full_like|new_full|fill|scalar_tensor"},
};

void sb_class_of(const char *operation, char text[SB_CLASS_TEXT])
{
    snprintf(text, SB_CLASS_TEXT, "%s", operation);
    const size_t n = strlen(text);
    if (n > 1 && text[n - 1] == '_') text[n - 1] = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (sb_option_is_choice(classes[i].operations, text)) {
            snprintf(text, SB_CLASS_TEXT, "%s", classes[i].name);
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
