/* The native backend's operations, one fill function per file and instruction set. */
#ifndef SB_OPS_NATIVE_H
#define SB_OPS_NATIVE_H

#include "ops/ops.h"
#include "ops/simd.h"

/* Each fills its slots of the table: sb_NOUN_native. */
#define SB_NATIVE_NOUNS(NOUN)                                                                                          \
    NOUN(conv) NOUN(point) NOUN(lstm) NOUN(loss) NOUN(layer) NOUN(norm) NOUN(group_norm) NOUN(dense) NOUN(update)
#define SB_NATIVE_NOUN(noun) void SB_NATIVE(sb_##noun##_native)(sb_ops *ops);
SB_NATIVE_NOUNS(SB_NATIVE_NOUN)

/* All of them. */
void SB_NATIVE(sb_ops_native)(sb_ops *ops);

#endif
