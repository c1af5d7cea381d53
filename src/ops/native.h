/* The native backend's operations, one fill function per file and instruction set. */
#ifndef SB_OPS_NATIVE_H
#define SB_OPS_NATIVE_H

#include "ops/ops.h"
#include "ops/simd.h"

/* Each fills its slots of the table. */
void SB_NATIVE(sb_conv_native)(sb_ops *ops);
void SB_NATIVE(sb_point_native)(sb_ops *ops);
void SB_NATIVE(sb_lstm_native)(sb_ops *ops);
void SB_NATIVE(sb_loss_native)(sb_ops *ops);
void SB_NATIVE(sb_layer_native)(sb_ops *ops);
void SB_NATIVE(sb_norm_native)(sb_ops *ops);
void SB_NATIVE(sb_dense_native)(sb_ops *ops);
void SB_NATIVE(sb_update_native)(sb_ops *ops);

/* All of them. */
void SB_NATIVE(sb_ops_native)(sb_ops *ops);

#endif
