/* The slots of native-cuda, which every GPU backend starts from. */
#include "ops/gpu.h"

void sb_ops_cuda(sb_ops *ops)
{
    sb_point_cuda(ops);
    sb_conv_cuda(ops);
    sb_layer_cuda(ops);
    sb_norm_cuda(ops);
    sb_dense_cuda(ops);
    sb_update_cuda(ops);
}
