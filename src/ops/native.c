#include "ops/native.h"

void SB_NATIVE(sb_ops_native)(sb_ops *ops)
{
    SB_NATIVE(sb_conv_native)(ops);
    SB_NATIVE(sb_point_native)(ops);
    SB_NATIVE(sb_lstm_native)(ops);
    SB_NATIVE(sb_loss_native)(ops);
    SB_NATIVE(sb_layer_native)(ops);
    SB_NATIVE(sb_norm_native)(ops);
    SB_NATIVE(sb_dense_native)(ops);
    SB_NATIVE(sb_update_native)(ops);
}
