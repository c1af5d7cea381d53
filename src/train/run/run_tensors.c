#include "train/run/run_parts.h"

#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>

static sb_status write_blocks(const sb_learner *learner, sb_h5 *file, const char *group, const sb_real *block)
{
    const sb_net *net = learner->net;
    SB_FREED void *to_free = NULL;
    const sb_real *host;
    SB_TRY(sb_learner_host_block(learner, block, &host, &to_free));
    for (int i = 0; i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        char name[128];
        snprintf(name, sizeof name, "%s/%s", group, param->name);
        SB_TRY(sb_h5_write(file, name, SB_H5_REAL, param->rank, param->dim, host + param->offset, SB_H5_PLAIN));
    }
    return SB_OK;
}

sb_status sb_run_read_block(sb_net *net, sb_h5 *file, const char *group, sb_real *block)
{
    size_t n_bytes = net->params.total * sizeof(sb_real);
    SB_FREED sb_real *host = malloc(n_bytes);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory");
    for (int i = 0; i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        char name[128];
        snprintf(name, sizeof name, "%s/%s", group, param->name);
        SB_TRY(sb_h5_read(file, name, SB_H5_REAL, param->n, host + param->offset));
    }
    net->ops->to_device(net->ops, block, host, n_bytes);
    return SB_OK;
}

typedef enum direction { WRITE, READ, READ_KEPT } direction; /* KEPT: not the carried ones */

/* The states; carried ones as planes [c][h][w], whatever the backend's layout. */
static sb_status move_states(sb_net *net, sb_h5 *file, direction to)
{
    sb_ops *ops = net->ops;
    sb_status status = SB_OK;
    for (int i = 0; status == SB_OK && i < net->n_states; i++) {
        sb_state *state = &net->state[i];
        const sb_tensor *tensor = &state->tensor;
        const size_t map[3] = {(size_t)tensor->c, (size_t)tensor->h, (size_t)tensor->w};
        const size_t *dim = state->rank ? state->dim : map;
        const int rank = state->rank ? state->rank : 3;
        size_t n = sb_tensor_size(tensor), n_bytes = n * sizeof(sb_real);
        sb_real *host = malloc(n_bytes), *planes = ops->allocate(ops, n_bytes);
        char name[96];
        snprintf(name, sizeof name, "state/%s", state->name);
        const bool is_left = to == READ_KEPT && state->kind == SB_STATE_CARRIED;
        if (!host || !planes)
            status = sb_fail(SB_E_MEMORY, "not enough memory");
        else if (to == WRITE) {
            ops->map_store(ops, &state->tensor, planes);
            status = sb_ops_read(ops, host, planes, n_bytes);
            if (status == SB_OK) status = sb_h5_write(file, name, SB_H5_REAL, rank, dim, host, SB_H5_PLAIN);
        } else if (!is_left && (status = sb_h5_read(file, name, SB_H5_REAL, n, host)) == SB_OK) {
            ops->to_device(ops, planes, host, n_bytes);
            ops->map_load(ops, planes, &state->tensor);
        }
        free(host);
        if (planes) ops->release(ops, planes);
    }
    return status;
}

/* The order of the hashes, for readers that have no network. */
static sb_status write_names(sb_h5 *file, const char *group, int n, const char *first, size_t stride)
{
    SB_FREED char *names = NULL;
    size_t n_bytes;
    FILE *out = n ? open_memstream(&names, &n_bytes) : NULL;
    if (n == 0) return SB_OK;
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory");
    for (int i = 0; i < n; i++) fprintf(out, "%s%s", i ? " " : "", first + (size_t)i * stride);
    const bool whole = fclose(out) == 0;
    return whole ? sb_h5_set_text(file, group, "names", names) : sb_fail(SB_E_MEMORY, "not enough memory");
}

sb_status sb_run_head_of(const sb_learner *learner, size_t n_updates, sb_run_head *head)
{
    head->update = (int64_t)n_updates;
    SB_TRY(sb_learner_weights_hash(learner, &head->weights));
    SB_TRY(sb_learner_optimizer_hash(learner, &head->optimizer));
    return sb_learner_state_hash(learner, &head->state);
}

sb_status sb_run_write_tensors(const sb_learner *learner, sb_h5 *file)
{
    sb_net *net = learner->net;
    const sb_optimizer *optimizer = &learner->optimizer;
    SB_TRY(write_blocks(learner, file, "param", net->weight));
    for (int k = 0; k < optimizer->row->n_states; k++) {
        char group[SB_OPTIMIZER_GROUP];
        sb_optimizer_group(optimizer->id, k, group);
        SB_TRY(write_blocks(learner, file, group, optimizer->state[k]));
    }
    const sb_param *params = net->params.list;
    SB_TRY(write_names(file, "param", net->params.n, params->name, sizeof *params));
    SB_TRY(write_names(file, "state", net->n_states, net->state->name, sizeof *net->state));
    return move_states(net, file, WRITE);
}

sb_status sb_run_read_tensors(const sb_learner *learner, sb_h5 *file)
{
    const sb_optimizer *optimizer = &learner->optimizer;
    SB_TRY(sb_run_read_block(learner->net, file, "param", learner->net->weight));
    for (int k = 0; k < optimizer->row->n_states; k++) {
        char group[SB_OPTIMIZER_GROUP];
        sb_optimizer_group(optimizer->id, k, group);
        SB_TRY(sb_run_read_block(learner->net, file, group, optimizer->state[k]));
    }
    return move_states(learner->net, file, READ);
}

sb_status sb_run_read_kept(sb_net *net, sb_h5 *file)
{
    return move_states(net, file, READ_KEPT);
}
