/* A run of several ranks: what they agree on, and what goes from one to the others. */
#include "train/run/run_parts.h"

#include "core/machine/interrupt.h"
#include "core/machine/version.h"
#include "core/size.h"
#include "ops/ops.h"
#include "rank/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 60000 };

static sb_status compare_settings(sb_run *run, char *lines)
{
    const size_t used =
        (size_t)snprintf(lines, LINES, "version '%s'\nrevision '%s'\nchain_every '%ld'\ninput '%s'\n", sb_version(),
                         sb_revision(), run->chain_every, sb_run_input_mode(run) == SB_INPUT_FAKE ? "fake" : "data");
    SB_TRY(sb_run_config_lines(run, lines + used, LINES - used));
    return SB_OK;
}

sb_status sb_run_meet(sb_run *run)
{
    if (!run->setup->ranks) return SB_OK;
    SB_FREED char *lines = calloc(1, LINES);
    sb_status status = lines ? compare_settings(run, lines) : sb_fail(SB_E_MEMORY, "not enough memory");
    status = sb_ranks_agree(run->setup->ranks, status);
    if (status == SB_OK) status = sb_ranks_compare(run->setup->ranks, lines);
    return status;
}

/* Rows that only rank 0 has read. */
static sb_status take_rows(sb_run *run, size_t n)
{
    free(run->row);
    run->row = sb_size_allocate(n, sizeof *run->row);
    if (!run->row) return sb_fail(SB_E_MEMORY, "not enough memory for %zu updates", n);
    memset(run->row, 0, n * sizeof *run->row);
    run->n = run->capacity = n;
    return SB_OK;
}

/* ---- blocks in a backend's memory: a device's are copied through the host; all ranks call, and after a failure the block
 * is undefined ---- */

/* A block where the engine can reach it. */
typedef struct reach {
    void *host;
    void *copy; /* the memory of it, where it is one */
} reach;

static sb_status reach_block(reach *r, sb_ops *ops, void *block, size_t n_bytes)
{
    *r = (reach){.host = block};
    if (ops->host_memory) return SB_OK;
    r->host = r->copy = malloc(n_bytes ? n_bytes : 1);
    if (!r->copy)
        return sb_fail(SB_E_MEMORY, "not enough memory to share %.1f MiB of a device", (double)n_bytes / 1048576.0);
    return sb_ops_read(ops, r->copy, block, n_bytes);
}

/* Frees the copy, also after a failure. */
static sb_status bring_back(reach *r, sb_status status, sb_ops *ops, void *block, size_t n_bytes)
{
    if (r->copy && status == SB_OK) {
        ops->to_device(ops, block, r->copy, n_bytes);
        status = ops->error(ops);
    }
    free(r->copy);
    return status;
}

/* Copy the block of rank `from` to all other ranks. */
static sb_status share_block(sb_ranks *ranks, int from, sb_ops *ops, void *block, size_t n_bytes)
{
    reach r;
    if (!ranks) return SB_OK;
    sb_status status = reach_block(&r, ops, block, n_bytes);
    if (status == SB_OK) status = sb_ranks_share(ranks, from, r.host, n_bytes);
    return bring_back(&r, status, ops, block, n_bytes);
}

/* A block of n elements of `each` bytes: each rank has its own slice; afterwards all ranks have the whole block. */
static sb_status share_slices(sb_ranks *ranks, sb_ops *ops, void *block, size_t n, size_t each)
{
    reach r;
    if (!ranks) return SB_OK;
    sb_status status = reach_block(&r, ops, block, n * each);
    if (status == SB_OK) status = sb_ranks_gather(ranks, r.host, n, each);
    return bring_back(&r, status, ops, block, n * each);
}

/* ---- tensors ---- */

sb_status sb_run_share_start(sb_run *run)
{
    sb_ranks *ranks = run->setup->ranks;
    const sb_learner *learner = &run->setup->learner;
    sb_net *net = learner->net;
    sb_ops *ops = net->ops;
    const size_t n_bytes = net->params.total * sizeof(sb_real);
    int64_t n = (int64_t)run->n;
    SB_TRY(sb_ranks_share(ranks, 0, &n, sizeof n));
    if (n == 0 || !ranks) return SB_OK;
    if (!sb_run_leads(run)) SB_TRY(take_rows(run, (size_t)n));
    SB_TRY(share_block(ranks, 0, ops, net->weight, n_bytes));
    for (int k = 0; k < learner->optimizer.row->n_states; k++)
        SB_TRY(share_block(ranks, 0, ops, learner->optimizer.state[k], n_bytes));
    for (int i = 0; i < net->n_states; i++) {
        const sb_tensor *tensor = &net->state[i].tensor;
        SB_TRY(share_block(ranks, 0, ops, tensor->x, sb_tensor_size(tensor) * sizeof(sb_real)));
    }
    return sb_trainer_state(&run->trainer, &(sb_trainer_state_use){.share = ranks});
}

/* The groups and lanes of a rank are neighbors, and every rank has the same number of them. Only averages of
 * running values are gathered; averages of weights are the same on all ranks. */
sb_status sb_run_gather_states(sb_run *run)
{
    sb_net *net = run->setup->learner.net;
    for (int i = 0; i < net->n_states; i++) {
        const sb_state *state = &net->state[i];
        if (state->kind == SB_STATE_FROZEN) continue;
        SB_TRY(share_slices(sb_run_sharers(run), net->ops, state->tensor.x, sb_tensor_size(&state->tensor),
                            sizeof(sb_real)));
    }
    return SB_OK;
}

/* ---- agreement ---- */

sb_status sb_run_join_wishes(sb_run *run, sb_run_wishes *wishes)
{
    sb_ranks *ranks = run->setup->ranks;
    sb_run_wishes of[SB_RANKS_MAX];
    of[sb_ranks_rank(ranks)] = *wishes;
    SB_TRY(sb_ranks_collect(ranks, of, sizeof *of));
    for (int r = 0; r < sb_ranks_size(ranks); r++) {
        if (of[r].signal) wishes->signal = of[r].signal;
        wishes->checkpoint |= of[r].checkpoint;
    }
    if (ranks && wishes->signal) sb_interrupt_adopt(wishes->signal);
    return SB_OK;
}

sb_status sb_run_compare_weights(sb_run *run)
{
    sb_ranks *ranks = run->setup->ranks;
    sb_hash of[SB_RANKS_MAX];
    if (!ranks || !sb_run_ends_epoch(run)) return SB_OK;
    SB_TRY(sb_learner_weights_hash(&run->setup->learner, &of[sb_ranks_rank(ranks)]));
    SB_TRY(sb_ranks_collect(ranks, of, sizeof *of));
    for (int r = 1; r < sb_ranks_size(ranks); r++)
        if (!sb_hash_equal(of[0], of[r]))
            return sb_fail(SB_E_INTEGRITY,
                           "%s: rank %d of %d has other weights than rank 0 after update %zu: its "
                           "machine computes otherwise, or its memory fails",
                           run->options->output, r, sb_ranks_size(ranks), run->n);
    return SB_OK;
}

/* ---- what exchanges cost ---- */

void sb_run_begin_exchanges(sb_run *run)
{
    sb_ranks_take_cost(run->setup->ranks);
    sb_exchange_take_times(run->setup->learner.exchange);
    run->exchanged = run->n;
}

sb_status sb_run_count_exchanges(sb_run *run)
{
    sb_ranks *ranks = run->setup->ranks;
    if (!ranks || !sb_run_ends_epoch(run)) return SB_OK;
    const sb_rank_cost cost = sb_ranks_take_cost(ranks);
    const sb_exchange_times of_block = sb_exchange_take_times(run->setup->learner.exchange);
    const double others = cost.seconds - of_block.of_ranks;
    const sb_run_exchange row = {.epoch = sb_run_epoch(run),
                                 .updates = (int64_t)(run->n - run->exchanged),
                                 .ranks = sb_ranks_size(ranks),
                                 .exchanges = cost.exchanges,
                                 .bytes = cost.bytes,
                                 .seconds = others + of_block.seconds,
                                 .waited = others + of_block.waited};
    run->exchanged = run->n;
    return sb_run_lists_add(&run->lists, SB_RUN_LIST_exchange, &row);
}
