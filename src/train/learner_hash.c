#include "train/learner.h"

#include <stdlib.h>
#include <string.h>

static sb_status hash_blocks(const sb_learner *learner, int n, sb_real *const *block, sb_hash *hash)
{
    sb_hasher *hasher = sb_hasher_begin();
    sb_status status = hasher ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    for (int i = 0; status == SB_OK && i < n; i++) {
        void *to_free;
        const sb_real *host;
        status = sb_learner_host_block(learner, block[i], &host, &to_free);
        if (status == SB_OK) sb_hasher_add(hasher, host, learner->net->params.total, sizeof *host);
        free(to_free);
    }
    if (hasher) *hash = sb_hasher_end(hasher);
    return status;
}

sb_status sb_learner_weights_hash(const sb_learner *learner, sb_hash *hash)
{
    return hash_blocks(learner, 1, &learner->net->weight, hash);
}

sb_status sb_learner_optimizer_hash(const sb_learner *learner, sb_hash *hash)
{
    return hash_blocks(learner, learner->optimizer.row->n_states, learner->optimizer.state, hash);
}

static sb_status add_state(sb_net *net, const sb_tensor *tensor, sb_hasher *hasher)
{
    sb_ops *ops = net->ops;
    const size_t n_bytes = sb_tensor_size(tensor) * sizeof(sb_real);
    sb_real *host = malloc(n_bytes), *planes = ops->allocate(ops, n_bytes);
    sb_status status = host && planes ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    if (status == SB_OK) {
        ops->map_store(ops, tensor, planes);
        status = sb_ops_read(ops, host, planes, n_bytes);
    }
    if (status == SB_OK) sb_hasher_add(hasher, host, sb_tensor_size(tensor), sizeof *host);
    free(host);
    if (planes) ops->release(ops, planes);
    return status;
}

sb_status sb_learner_state_hash(const sb_learner *learner, sb_hash *hash)
{
    sb_net *net = learner->net;
    sb_hasher *hasher = sb_hasher_begin();
    sb_status status = hasher ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    for (int i = 0; status == SB_OK && i < net->n_states; i++) status = add_state(net, &net->state[i].tensor, hasher);
    if (hasher) *hash = sb_hasher_end(hasher);
    return status;
}

sb_status sb_learner_link(const sb_learner *learner, sb_hash batch, sb_link *link)
{
    link->batch = batch;
    SB_TRY(hash_blocks(learner, 1, &learner->net->grad, &link->gradient));
    SB_TRY(sb_learner_optimizer_hash(learner, &link->optimizer));
    return sb_learner_weights_hash(learner, &link->weights);
}

sb_status sb_learner_weights_sketch(const sb_learner *learner, double sketch[SB_SKETCH_BUCKETS])
{
    void *to_free;
    double block[SB_SKETCH_BUCKETS];
    const size_t total = learner->net->params.total;
    const sb_real *weight;
    SB_TRY(sb_learner_host_block(learner, learner->net->weight, &weight, &to_free));
    memset(sketch, 0, SB_SKETCH_BUCKETS * sizeof *sketch);
    for (size_t first = 0; first < total; first += SB_SKETCH_BUCKETS) {
        size_t n = total - first < SB_SKETCH_BUCKETS ? total - first : SB_SKETCH_BUCKETS;
        for (size_t k = 0; k < n; k++) block[k] = weight[first + k];
        sb_sketch_add(sketch, first / SB_SKETCH_BUCKETS, n, block);
    }
    free(to_free);
    return SB_OK;
}
