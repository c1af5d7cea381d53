/* The operations of the native backend: one function for each file and instruction set, which fills slots. */
#pragma once

#include "ops/ops.h"
#include "ops/simd.h"

/* Each sb_NOUN_native fills its slots of the table. */
#define SB_NATIVE_NOUNS(NOUN)                                                                                          \
    NOUN(conv)                                                                                                         \
    NOUN(point)                                                                                                        \
    NOUN(lstm) NOUN(loss) NOUN(layer) NOUN(norm) NOUN(group_norm) NOUN(token) NOUN(attention) NOUN(dense) NOUN(update)
#define SB_NATIVE_NOUN(noun) void SB_NATIVE(sb_##noun##_native)(sb_ops * ops);
SB_NATIVE_NOUNS(SB_NATIVE_NOUN)

/* Fills all slots. */
void SB_NATIVE(sb_ops_native)(sb_ops *ops);
