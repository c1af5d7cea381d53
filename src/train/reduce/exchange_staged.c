/* The exchange of a block that lies on a device: each bucket goes to memory of the host, from there as the engine takes it,
 * and back; what is added is added by the device, with the operation that adds shards. */
#include "train/reduce/exchange_parts.h"

#include "backend/gpu.h"

sb_status sb_exchange_open_staged(sb_exchange *x)
{
    const sb_ops *ops = x->net->ops;
    x->host_bucket = sb_gpu_take_host(ops, sb_exchange_largest(x) * sizeof(sb_real));
    if (x->host_bucket && !x->is_fast) x->host_piece = sb_gpu_take_host(ops, sb_exchange_pieces(x) * sizeof(sb_real));
    return x->host_bucket && (x->host_piece || x->is_fast) ? SB_OK : SB_E_MEMORY;
}

void sb_exchange_close_staged(sb_exchange *x)
{
    sb_gpu_give_host(x->net->ops, x->host_piece);
    sb_gpu_give_host(x->net->ops, x->host_bucket);
}

void sb_exchange_join_pieces(const sb_exchange *x, sb_real *slice, size_t n)
{
    sb_ops *ops = x->net->ops;
    const size_t n_ranks = (size_t)sb_ranks_size(x->ranks);
    for (size_t apart = 1; apart < n_ranks; apart *= 2)
        for (size_t r = 0; r < n_ranks; r += 2 * apart) {
            sb_real *left = x->piece + r * n, *sum = 2 * apart == n_ranks ? slice : left;
            ops->sum(ops, n, left, x->piece + (r + apart) * n, sum);
        }
}

/* host_bucket: this rank's sum of the bucket, of which the other ranks want their slices. */
static sb_status exchange_ordered(const sb_exchange *x, sb_real *bucket, size_t n)
{
    sb_ops *ops = x->net->ops;
    const sb_slice slice = sb_ranks_slice(x->ranks, n, sb_ranks_rank(x->ranks));
    const size_t n_pieces = slice.n * (size_t)sb_ranks_size(x->ranks);
    SB_TRY(sb_ranks_spread(x->ranks, x->host_bucket, n, sizeof *bucket, x->host_piece));
    ops->to_device(ops, x->piece, x->host_piece, n_pieces * sizeof *bucket);
    sb_exchange_join_pieces(x, bucket + slice.first, slice.n);
    SB_TRY(sb_ops_read(ops, x->host_bucket + slice.first, bucket + slice.first, slice.n * sizeof *bucket));
    return sb_ranks_gather(x->ranks, x->host_bucket, n, sizeof *bucket);
}

static sb_status exchange_bucket(const sb_exchange *x, sb_real *bucket, size_t n)
{
    sb_ops *ops = x->net->ops;
    SB_TRY(sb_ops_read(ops, x->host_bucket, bucket, n * sizeof *bucket));
    SB_TRY(x->is_fast ? sb_ranks_sum(x->ranks, x->host_bucket, n, sizeof *bucket) : exchange_ordered(x, bucket, n));
    ops->to_device(ops, bucket, x->host_bucket, n * sizeof *bucket);
    return SB_OK;
}

sb_status sb_exchange_staged(const sb_exchange *x, sb_real *block)
{
    for (size_t end = x->total, first; end > 0; end = first) {
        first = sb_exchange_bucket_before(end);
        SB_TRY(exchange_bucket(x, block + first, end - first));
    }
    return x->net->ops->error(x->net->ops);
}
