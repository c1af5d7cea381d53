/* sb_ranks_share and sb_ranks_gather (rank/ranks.h) for blocks in a backend's memory, which ops has allocated. Device
 * memory is copied through the host. Called by all ranks. After a failure the block is undefined. */
#ifndef SB_TRAIN_SHARE_H
#define SB_TRAIN_SHARE_H

#include "ops/ops.h"
#include "rank/ranks.h"

/* Copy the block of rank `from` to all other ranks. */
sb_status sb_share_block(sb_ranks *ranks, int from, sb_ops *ops, void *block, size_t n_bytes);

/* A block of n elements of `each` bytes: each rank has its own slice; afterwards all ranks have the whole block. */
sb_status sb_share_slices(sb_ranks *ranks, sb_ops *ops, void *block, size_t n, size_t each);

#endif
