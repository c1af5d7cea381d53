/* The shards of a batch: S fixed parts. The gradients of the shards are added in a fixed tree (docs/specification.md,
 * section 7), so the bits do not depend on which rank computes which shard. S is 1, 2, 4, 8 or 16 and divides the
 * batch; shard s has the samples n with n mod S = s. Rank r of R, a power of two that divides S, owns the shards r S/R
 * .. (r + 1) S/R - 1. */
#pragma once

#include "core/hash.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "net/net.h"
#include "rank/ranks.h"

enum { SB_SHARDS_MAX = 16 };

/* SB_E_USAGE with the valid numbers, unless a batch of `batch` samples can be divided into n_shards. */
sb_status sb_shards_check(long n_shards, long batch);

/* The same, and SB_E_USAGE unless a shard can be divided into n_steps local steps (train/local.h); 0: no local
 * steps. */
sb_status sb_shards_check_steps(long n_shards, long batch, long n_steps);

/* The samples of one rank in an update: its shards, in order. Their memory is the loader's. */
typedef struct sb_batch {
    int n_shards;
    sb_window shard[SB_SHARDS_MAX];
    size_t shard_bytes; /* size of each shard's bytes or values */
} sb_batch;

/* The hash of the batch in the hash chain. One shard: the hash of its bytes. Several shards: the hash of the shards'
 * hashes in order. A shard with values: the hash of the values' hash and the labels' hash. */
sb_hash sb_batch_hash(const sb_batch *batch);

/* The same for a batch of which each rank has a part. All ranks call it and get the same hash. */
sb_status sb_batch_hash_among(const sb_batch *batch, sb_ranks *ranks, sb_hash *hash);
