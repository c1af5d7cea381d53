#include "train/step.h"

#include "backend/backend.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Formed in double, with the powers as products, because libm's pow is not the same everywhere. */
sb_adam_rates sb_adam_rates_of(const sb_adam *adam, long update)
{
    double power1 = 1, power2 = 1;
    double base1 = adam->beta1, base2 = adam->beta2;
    for (long n = update; n > 0; n >>= 1) {
        if (n & 1) power1 *= base1, power2 *= base2;
        base1 *= base1, base2 *= base2;
    }
    return (sb_adam_rates){
        .step = (sb_real)(adam->alpha * sqrt(1 - power2) / (1 - power1)),
        .one_minus_1 = (sb_real)(1 - adam->beta1),
        .one_minus_2 = (sb_real)(1 - adam->beta2),
        .epsilon = (sb_real)adam->epsilon,
    };
}

sb_status sb_step_learn(sb_net *net, const sb_window *window, sb_target target, const sb_adam *adam, long update,
                        sb_gradient gradient, sb_step_result *result)
{
    sb_ops *ops = net->ops;
    const sb_adam_rates rates = sb_adam_rates_of(adam, update);
    assert(window->n > 0 && "an update has a loss term");
    bool at_once = gradient == SB_GRADIENT_DROPPED && net->learn_one && window->n == 1;
#pragma omp parallel num_threads(sb_backend_threads(ops))
    {
        if (at_once) {
            net->learn_one(net, window, &rates);
        } else {
            net->learn(net, window, target);
            ops->norm2(ops, net->params.total, net->grad, net->norm2);
            ops->adam(ops, net->params.total, net->weight, net->grad, net->moment1, net->moment2, &rates);
        }
    }
    double loss[SB_LOSS_MAX], sum = 0, norm2 = NAN;
    SB_TRY(sb_step_losses(net, loss));
    for (int i = 0; i < net->n_loss; i++) sum += loss[i];
    if (!at_once) SB_TRY(sb_ops_read(ops, &norm2, net->norm2, sizeof norm2));
    *result = (sb_step_result){loss[net->n_loss - 1], sum / net->n_loss, sqrt(norm2)};
    return SB_OK;
}

sb_status sb_step_losses(sb_net *net, double *loss)
{
    return sb_ops_read(net->ops, loss, net->loss, (size_t)net->n_loss * sizeof *loss);
}

sb_status sb_step_infer(sb_net *net, const sb_window *window)
{
#pragma omp parallel num_threads(sb_backend_threads(net->ops))
    net->infer(net, window);
    return net->ops->error(net->ops);
}

sb_status sb_step_host_block(sb_net *net, const sb_real *block, const sb_real **host, void **to_free)
{
    *to_free = NULL, *host = block;
    if (net->ops->host_memory) return SB_OK;
    size_t n_bytes = net->params.total * sizeof(sb_real);
    *host = *to_free = malloc(n_bytes);
    if (!*host) return sb_fail(SB_E_MEMORY, "not enough memory to copy %.1f MiB from the device", n_bytes / 1048576.0);
    sb_status status = sb_ops_read(net->ops, *to_free, block, n_bytes);
    if (status == SB_OK) return SB_OK;
    free(*to_free);
    *to_free = NULL, *host = NULL;
    return status;
}

static sb_status hash_blocks(sb_net *net, int n, const sb_real *const *block, sb_hash *hash)
{
    sb_hasher *hasher = sb_hasher_begin();
    sb_status status = hasher ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    for (int i = 0; status == SB_OK && i < n; i++) {
        void *to_free;
        const sb_real *host;
        status = sb_step_host_block(net, block[i], &host, &to_free);
        if (status == SB_OK) sb_hasher_add(hasher, host, net->params.total * sizeof(sb_real));
        free(to_free);
    }
    if (hasher) *hash = sb_hasher_end(hasher);
    return status;
}

sb_status sb_step_weights_hash(sb_net *net, sb_hash *hash)
{
    return hash_blocks(net, 1, (const sb_real *[]){net->weight}, hash);
}

sb_status sb_step_optimiser_hash(sb_net *net, sb_hash *hash)
{
    return hash_blocks(net, 2, (const sb_real *[]){net->moment1, net->moment2}, hash);
}

static sb_status add_state(sb_net *net, const sb_map *map, sb_hasher *hasher)
{
    sb_ops *ops = net->ops;
    const size_t n_bytes = sb_map_size(map) * sizeof(sb_real);
    sb_real *host = malloc(n_bytes), *planes = ops->allocate(ops, n_bytes);
    sb_status status = host && planes ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    if (status == SB_OK) {
        ops->map_store(ops, map, planes);
        status = sb_ops_read(ops, host, planes, n_bytes);
    }
    if (status == SB_OK) sb_hasher_add(hasher, host, n_bytes);
    free(host);
    if (planes) ops->release(ops, planes);
    return status;
}

sb_status sb_step_state_hash(sb_net *net, sb_hash *hash)
{
    sb_hasher *hasher = sb_hasher_begin();
    sb_status status = hasher ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    for (int i = 0; status == SB_OK && i < net->n_states; i++) status = add_state(net, &net->state[i].map, hasher);
    if (hasher) *hash = sb_hasher_end(hasher);
    return status;
}

sb_status sb_step_link(sb_net *net, const void *batch, size_t n_bytes, sb_link *link)
{
    link->batch = sb_hash_bytes(batch, n_bytes);
    SB_TRY(hash_blocks(net, 1, (const sb_real *[]){net->grad}, &link->gradient));
    SB_TRY(sb_step_optimiser_hash(net, &link->optimiser));
    return sb_step_weights_hash(net, &link->weights);
}

sb_status sb_step_weights_sketch(sb_net *net, double sketch[SB_SKETCH_BUCKETS])
{
    void *to_free;
    double block[SB_SKETCH_BUCKETS];
    const size_t total = net->params.total;
    const sb_real *weight;
    SB_TRY(sb_step_host_block(net, net->weight, &weight, &to_free));
    memset(sketch, 0, SB_SKETCH_BUCKETS * sizeof *sketch);
    for (size_t first = 0; first < total; first += SB_SKETCH_BUCKETS) {
        size_t n = total - first < SB_SKETCH_BUCKETS ? total - first : SB_SKETCH_BUCKETS;
        for (size_t k = 0; k < n; k++) block[k] = weight[first + k];
        sb_sketch_add(sketch, first / SB_SKETCH_BUCKETS, n, block);
    }
    free(to_free);
    return SB_OK;
}
