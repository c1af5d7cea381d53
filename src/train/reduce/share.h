/* Blocks of a backend between ranks: what sb_ranks_share and sb_ranks_gather (rank/ranks.h) do with memory of the host, for
 * memory that ops has allocated. Memory of a device goes through the host. Called by all ranks; on failure a block is
 * undefined. */
#ifndef SB_TRAIN_SHARE_H
#define SB_TRAIN_SHARE_H

#include "ops/ops.h"
#include "rank/ranks.h"

/* The block of one rank to all others. */
sb_status sb_share_block(sb_ranks *ranks, int from, sb_ops *ops, void *block, size_t n_bytes);

/* Each rank has its own slice of n elements of `each` bytes; then all have all of it. */
sb_status sb_share_slices(sb_ranks *ranks, sb_ops *ops, void *block, size_t n, size_t each);

#endif
