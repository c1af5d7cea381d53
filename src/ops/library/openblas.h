/* Functions that fill the slots which the openblas backend overrides. */
#ifndef SB_OPS_OPENBLAS_H
#define SB_OPS_OPENBLAS_H

#include "ops/ops.h"

void sb_conv_openblas(sb_ops *ops);
void sb_dense_openblas(sb_ops *ops);
void sb_update_openblas(sb_ops *ops);

#endif
