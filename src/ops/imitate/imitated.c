#include "ops/imitate/kernels.h"

typedef void filler(sb_ops *ops);

/* The variants that cmake/kernels.cmake compiles elementwise.c in. */
#define ELEMENTWISE(variant) SB_PASTE(SB_NATIVE(sb_elementwise), variant)
filler ELEMENTWISE(exact), ELEMENTWISE(unfused), ELEMENTWISE(functions), ELEMENTWISE(unfused_functions);

void SB_NATIVE(sb_ops_imitated)(sb_ops *ops, unsigned set)
{
    static filler *const elementwise[2][2] = {{ELEMENTWISE(exact), ELEMENTWISE(functions)},
                                              {ELEMENTWISE(unfused), ELEMENTWISE(unfused_functions)}};
    elementwise[!!(set & SB_IMITATED_UNFUSED)][!!(set & SB_IMITATED_FUNCTIONS)](ops);
    SB_NATIVE(sb_conv_imitated)(ops, set);
    SB_NATIVE(sb_dense_imitated)(ops, set);
    SB_NATIVE(sb_point_imitated)(ops, set);
}
