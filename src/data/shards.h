/* The shards of a batch: S fixed parts whose gradients are summed one by one and then joined in a fixed tree
 * (docs/specification.md, section 7), so that the bits do not depend on who computes which. S is 1, 2, 4, 8 or 16 and
 * divides the batch; shard s has the samples n with n mod S = s. Rank r of R, a power of two that divides S, owns the
 * shards r S/R .. (r + 1) S/R - 1. */
#ifndef SB_DATA_SHARDS_H
#define SB_DATA_SHARDS_H

#include "core/hash.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "net/net.h"
#include "rank/ranks.h"

enum { SB_SHARDS_MAX = 16 };

/* SB_E_USAGE, with the numbers to choose from, unless a batch of that many samples has that number of shards. */
sb_status sb_shards_check(long n_shards, long batch);

/* The same unless a shard of it has samples for n_steps local steps (train/local.h); 0: there are none such. */
sb_status sb_shards_check_steps(long n_shards, long batch, long n_steps);

/* What one rank learns from in an update: its shards, in order. Their memory is the loader's. */
typedef struct sb_batch {
    int n_shards;
    sb_window shard[SB_SHARDS_MAX];
    size_t shard_bytes; /* of each shard: of its bytes, or of its values */
} sb_batch;

/* What the hash chain has of the whole batch: of one shard the hash of its bytes, of several the hash of the shards'
 * hashes in order. For a shard that has values it is the hash of their hash and the labels' hash. */
sb_hash sb_batch_hash(const sb_batch *batch);

/* The same of a batch of which each rank has its part, on every rank. */
sb_status sb_batch_hash_among(const sb_batch *batch, sb_ranks *ranks, sb_hash *hash);

#endif
