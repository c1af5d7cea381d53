#include "data/shards.h"

#include "core/text/plural.h"

#include <stdio.h>

static bool divides(long n_shards, long batch)
{
    return n_shards > 0 && n_shards <= SB_SHARDS_MAX && (n_shards & (n_shards - 1)) == 0 && batch % n_shards == 0;
}

/* "1, 2, 4 or 8" */
static void list_choices(long batch, char text[64])
{
    int used = 0;
    for (long n = 1; n <= SB_SHARDS_MAX; n *= 2) {
        const char *before = n == 1 ? "" : divides(2 * n, batch) ? ", " : " or ";
        if (divides(n, batch)) used += snprintf(text + used, 64 - (size_t)used, "%s%ld", before, n);
    }
}

sb_status sb_shards_check(long n_shards, long batch)
{
    char choices[64];
    if (divides(n_shards, batch)) return SB_OK;
    list_choices(batch, choices);
    return sb_fail(SB_E_USAGE, "--shards %ld does not divide a batch of %ld as it must: choose %s", n_shards, batch,
                   choices);
}

sb_status sb_shards_check_steps(long n_shards, long batch, long n_steps)
{
    const long n = batch / n_shards;
    if (n_steps == 0 || n % n_steps == 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "--sync-every %ld does not divide the %ld sample%s of a shard as it must", n_steps, n,
                   sb_plural((size_t)n));
}

/* The bytes or tokens of a shard, or its values and labels. */
static sb_hash hash_shard(const sb_window *window, size_t n_bytes)
{
    if (!window->values) return sb_hash_of(window->tokens ? window->tokens : window->bytes, n_bytes, 1);
    const size_t each = sizeof *window->values;
    const sb_hash both[] = {sb_hash_of(window->values, n_bytes / each, each),
                            sb_hash_of(window->labels, (size_t)window->n, sizeof *window->labels)};
    return sb_hash_of(both, sizeof both, 1);
}

static sb_hash join_hashes(const sb_hash *hash, size_t n)
{
    return n == 1 ? *hash : sb_hash_of(hash, n * sizeof *hash, 1);
}

sb_hash sb_batch_hash(const sb_batch *batch)
{
    sb_hash hash[SB_SHARDS_MAX];
    for (int s = 0; s < batch->n_shards; s++) hash[s] = hash_shard(&batch->shard[s], batch->shard_bytes);
    return join_hashes(hash, (size_t)batch->n_shards);
}

sb_status sb_batch_hash_among(const sb_batch *batch, sb_ranks *ranks, sb_hash *hash)
{
    sb_hash all[SB_SHARDS_MAX];
    const int first = sb_ranks_rank(ranks) * batch->n_shards, n = sb_ranks_size(ranks) * batch->n_shards;
    for (int s = 0; s < batch->n_shards; s++) all[first + s] = hash_shard(&batch->shard[s], batch->shard_bytes);
    SB_TRY(sb_ranks_gather(ranks, all, (size_t)n, sizeof *all));
    *hash = join_hashes(all, (size_t)n);
    return SB_OK;
}
