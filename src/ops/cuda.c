/* The slots of native-cuda, which every GPU backend starts from. */
#include "ops/gpu.h"

void sb_ops_cuda(sb_ops *ops)
{
#define FILL(noun) sb_##noun##_cuda(ops);
    SB_CUDA_NOUNS(FILL)
}
