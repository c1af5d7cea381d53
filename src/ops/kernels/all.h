/* The sources of all kernels, for the two files that launch them. */
#pragma once

#include "ops/kernels/attention.h"
#include "ops/kernels/dense.h"
#include "ops/kernels/direct.h"
#include "ops/kernels/domain.h"
#include "ops/kernels/domain_product.h"
#include "ops/kernels/domain_weight_product.h"
#include "ops/kernels/group_norm.h"
#include "ops/kernels/layer.h"
#include "ops/kernels/list.h"
#include "ops/kernels/norm.h"
#include "ops/kernels/point.h"
#include "ops/kernels/product.h"
#include "ops/kernels/reduce.h"
#include "ops/kernels/small.h"
#include "ops/kernels/token.h"
#include "ops/kernels/update.h"
