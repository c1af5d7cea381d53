/* Functions that fill the slots which the openblas backend overrides. */
#pragma once

#include "ops/ops.h"

void sb_conv_openblas(sb_ops *ops);
void sb_dense_openblas(sb_ops *ops);
void sb_update_openblas(sb_ops *ops);
