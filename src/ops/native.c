#include "ops/native.h"

void SB_NATIVE(sb_ops_native)(sb_ops *ops)
{
#define FILL(noun) SB_NATIVE(sb_##noun##_native)(ops);
    SB_NATIVE_NOUNS(FILL)
}
