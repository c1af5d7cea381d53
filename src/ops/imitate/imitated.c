#include "ops/imitate/kernels.h"

typedef void filler(sb_ops *ops);

/* The variants that cmake/kernels.cmake compiles hearts.c in. */
#define HEARTS(variant) SB_PASTE(SB_NATIVE(sb_hearts), variant)
filler HEARTS(exact), HEARTS(unfused), HEARTS(functions), HEARTS(unfused_functions);

void SB_NATIVE(sb_ops_imitated)(sb_ops *ops, unsigned set)
{
    static filler *const hearts[2][2] = {{HEARTS(exact), HEARTS(functions)},
                                         {HEARTS(unfused), HEARTS(unfused_functions)}};
    hearts[!!(set & SB_IMITATED_UNFUSED)][!!(set & SB_IMITATED_FUNCTIONS)](ops);
    SB_NATIVE(sb_conv_imitated)(ops, set);
    SB_NATIVE(sb_dense_imitated)(ops, set);
    SB_NATIVE(sb_point_imitated)(ops, set);
}
