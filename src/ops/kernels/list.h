/* All kernels: SB_KERNELS(EACH, TILED) applies EACH to the elementwise and TILED to the tiled ones. */
#pragma once

#include "core/rows/optimizers.h"
#include "ops/conv/winograd/domain_tiles.h"

#define SB_UPDATE_KERNEL_OF(EACH, id, name, title, states, kind, ...)                                                  \
    EACH(sb_##id) SB_KERNELS_BEFORE_OF_##kind(EACH, id)
#define SB_KERNELS_BEFORE_OF_ELEMENTWISE(EACH, id)
#define SB_KERNELS_BEFORE_OF_LAYERWISE(EACH, id) EACH(sb_##id##_lanes)
#define SB_KERNELS_BEFORE_OF_QUASI_NEWTON(EACH, id)                                                                    \
    EACH(sb_##id##_pair) EACH(sb_##id##_product_lanes) EACH(sb_##id##_coefficients)

#define SB_DOMAIN_KERNEL_OF(TILED, name, ...)        TILED(sb_product_domain_##name)
#define SB_DOMAIN_WEIGHT_KERNEL_OF(TILED, name, ...) TILED(sb_product_weights_##name)

#define SB_KERNELS(EACH, TILED)                                                                                        \
    EACH(sb_frame_load)                                                                                                \
    EACH(sb_image_load)                                                                                                \
    EACH(sb_error_forward)                                                                                             \
    EACH(sb_error_backward)                                                                                            \
    EACH(sb_pool_forward)                                                                                              \
    EACH(sb_pool_backward)                                                                                             \
    EACH(sb_output_forward)                                                                                            \
    EACH(sb_output_backward)                                                                                           \
    EACH(sb_relu_backward)                                                                                             \
    EACH(sb_sum)                                                                                                       \
    EACH(sb_average)                                                                                                   \
    EACH(sb_mutate)                                                                                                    \
    EACH(sb_lstm_forward)                                                                                              \
    EACH(sb_lstm_backward)                                                                                             \
    SB_OPTIMIZERS(SB_UPDATE_KERNEL_OF, SB_NO_STATE, EACH)                                                              \
    EACH(sb_trust_rate)                                                                                                \
    EACH(sb_gradient_divisor)                                                                                          \
    EACH(sb_loss_backward)                                                                                             \
    EACH(sb_add_rows)                                                                                                  \
    EACH(sb_norm_lanes)                                                                                                \
    EACH(sb_norm_join)                                                                                                 \
    EACH(sb_norm_total)                                                                                                \
    EACH(sb_dense_forward)                                                                                             \
    EACH(sb_dense_data_gradient)                                                                                       \
    EACH(sb_dense_weight_gradient)                                                                                     \
    EACH(sb_dense_bias_gradient)                                                                                       \
    EACH(sb_dense_learn)                                                                                               \
    EACH(sb_border)                                                                                                    \
    EACH(sb_border_rows)                                                                                               \
    EACH(sb_pack_forward)                                                                                              \
    EACH(sb_pack_backward)                                                                                             \
    EACH(sb_add_blocks)                                                                                                \
    EACH(sb_copy_rows)                                                                                                 \
    EACH(sb_spread_bias)                                                                                               \
    EACH(sb_small_forward)                                                                                             \
    EACH(sb_small_data_gradient)                                                                                       \
    EACH(sb_small_weight_gradient)                                                                                     \
    EACH(sb_columns)                                                                                                   \
    EACH(sb_fold)                                                                                                      \
    EACH(sb_domain_weight)                                                                                             \
    EACH(sb_domain_weight_end)                                                                                         \
    EACH(sb_domain_input)                                                                                              \
    EACH(sb_domain_output)                                                                                             \
    EACH(sb_domain_adjoint)                                                                                            \
    EACH(sb_activation_forward)                                                                                        \
    EACH(sb_activation_backward)                                                                                       \
    EACH(sb_logit_scale)                                                                                               \
    EACH(sb_max_pool_forward)                                                                                          \
    EACH(sb_max_pool_backward)                                                                                         \
    EACH(sb_average_pool_forward)                                                                                      \
    EACH(sb_average_pool_backward)                                                                                     \
    EACH(sb_dropout)                                                                                                   \
    EACH(sb_group_norm_sums)                                                                                           \
    EACH(sb_group_norm_value)                                                                                          \
    EACH(sb_group_norm_rows)                                                                                           \
    EACH(sb_group_norm_parameters)                                                                                     \
    EACH(sb_cross_entropy_forward)                                                                                     \
    EACH(sb_cross_entropy_total)                                                                                       \
    EACH(sb_cross_entropy_backward)                                                                                    \
    EACH(sb_embedding_forward)                                                                                         \
    EACH(sb_embedding_backward)                                                                                        \
    EACH(sb_token_loss_forward)                                                                                        \
    EACH(sb_token_loss_backward)                                                                                       \
    EACH(sb_token_total)                                                                                               \
    EACH(sb_attention_means)                                                                                           \
    EACH(sb_norm_value)                                                                                                \
    EACH(sb_norm_through)                                                                                              \
    EACH(sb_norm_input_gradient)                                                                                       \
    EACH(sb_norm_parameter_gradients)                                                                                  \
    EACH(sb_norm_means)                                                                                                \
    TILED(sb_attention_largest)                                                                                        \
    TILED(sb_attention_values)                                                                                         \
    TILED(sb_attention_queries)                                                                                        \
    TILED(sb_attention_keys)                                                                                           \
    TILED(sb_loss_forward)                                                                                             \
    TILED(sb_bias_gradient)                                                                                            \
    TILED(sb_domain_gradient)                                                                                          \
    TILED(sb_tiles_input)                                                                                              \
    TILED(sb_tiles_output)                                                                                             \
    TILED(sb_tiles_gradient)                                                                                           \
    TILED(sb_tiles_adjoint)                                                                                            \
    TILED(sb_tiles_cell)                                                                                               \
    TILED(sb_norm_statistics)                                                                                          \
    TILED(sb_norm_gradients)                                                                                           \
    TILED(sb_norm_row_sums)                                                                                            \
    TILED(sb_norm_chains)                                                                                              \
    TILED(sb_product_large)                                                                                            \
    TILED(sb_product_medium)                                                                                           \
    TILED(sb_product_thin)                                                                                             \
    TILED(sb_product_pixels)                                                                                           \
    SB_DOMAIN_FORWARD_TILES(SB_DOMAIN_KERNEL_OF, TILED)                                                                \
    SB_DOMAIN_WEIGHT_TILES(SB_DOMAIN_WEIGHT_KERNEL_OF, TILED)                                                          \
    TILED(sb_product_weights)                                                                                          \
    TILED(sb_product_weights_thin)                                                                                     \
    TILED(sb_product_weights_domain)

#define SB_KERNEL_NUMBER(name) SB_KERNEL_##name,
enum { SB_KERNELS(SB_KERNEL_NUMBER, SB_KERNEL_NUMBER) SB_KERNELS_N };

/* Elementwise kernels run in blocks of this many threads. */
enum { SB_EACH_THREADS = 256 };
