#include "train/reduce/exchange_parts.h"

#include "core/machine/clock.h"

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- buckets ---- */

size_t sb_exchange_first_whole(const sb_exchange *exchange, size_t first)
{
    if (!exchange || first == 0) return 0;
    if (sb_exchange_is_of_device(exchange)) return exchange->total;
    return exchange->total - (exchange->total - first) / SB_EXCHANGE_BUCKET * SB_EXCHANGE_BUCKET;
}

static sb_status exchange_bucket(const sb_exchange *x, sb_real *bucket, size_t n)
{
    if (x->is_fast) return sb_ranks_sum(x->ranks, bucket, n, sizeof *bucket);
    const sb_slice slice = sb_ranks_slice(x->ranks, n, sb_ranks_rank(x->ranks));
    SB_TRY(sb_ranks_spread(x->ranks, bucket, n, sizeof *bucket, x->piece));
    sb_exchange_join_pieces(x, bucket + slice.first, slice.n);
    return sb_ranks_gather(x->ranks, bucket, n, sizeof *bucket);
}

/* ---- the separate thread ---- */

/* What is posted and not done; with the mutex held. */
static bool has_work(const sb_exchange *x)
{
    return x->posted < x->done && x->status == SB_OK;
}

/* With the mutex held, which is free while bytes move. */
static void do_bucket(sb_exchange *x)
{
    const size_t first = sb_exchange_bucket_before(x->done), n = x->done - first;
    sb_real *bucket = x->block + first;
    x->is_busy = true;
    pthread_mutex_unlock(&x->mutex);
    const double began = sb_clock_seconds(), cost = sb_ranks_cost_seconds(x->ranks);
    const sb_status status = exchange_bucket(x, bucket, n);
    pthread_mutex_lock(&x->mutex);
    x->times.seconds += sb_clock_seconds() - began;
    x->times.of_ranks += sb_ranks_cost_seconds(x->ranks) - cost;
    x->is_busy = false;
    x->done = first;
    if (status == SB_OK) return;
    x->status = status;
    snprintf(x->message, sizeof x->message, "%s", sb_message());
}

static void *work(void *of)
{
    sb_exchange *x = of;
    pthread_mutex_lock(&x->mutex);
    while (!x->closes) {
        if (has_work(x) && !x->finishes)
            do_bucket(x);
        else
            pthread_cond_wait(&x->changed, &x->mutex);
        pthread_cond_broadcast(&x->changed);
    }
    pthread_mutex_unlock(&x->mutex);
    return NULL;
}

/* Signals are for the threads of the trainer, as without it. */
static bool start_thread(sb_exchange *x)
{
    sigset_t all, was;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &was);
    const bool started = pthread_create(&x->thread, NULL, work, x) == 0;
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    return started;
}

/* ---- open and close ---- */

static sb_status open_parts(sb_exchange *x)
{
    sb_ops *ops = x->net->ops;
    x->piece = ops->allocate(ops, sb_exchange_pieces(x) * sizeof *x->piece);
    if (!x->piece) return SB_E_MEMORY;
    if (sb_exchange_is_of_device(x)) {
        SB_TRY(sb_exchange_open_nccl(x));
        return x->nccl ? SB_OK : sb_exchange_open_staged(x);
    }
    x->has_thread = start_thread(x);
    if (x->has_thread) return SB_OK;
    return sb_fail(SB_E_MEMORY, "no thread could be started for the exchange between ranks");
}

sb_status sb_exchange_open(sb_exchange **exchange, sb_ranks *ranks, sb_net *net, bool is_fast)
{
    *exchange = NULL;
    if (!ranks) return SB_OK;
    sb_exchange *x = calloc(1, sizeof *x);
    if (!x) return sb_fail(SB_E_MEMORY, "not enough memory for the exchange between ranks");
    *x = (sb_exchange){.ranks = ranks, .net = net, .is_fast = is_fast, .total = net->params.total};
    x->posted = x->done = x->total;
    pthread_mutex_init(&x->mutex, NULL);
    pthread_cond_init(&x->changed, NULL);
    const sb_status status = open_parts(x);
    if (status != SB_OK)
        sb_exchange_close(x);
    else
        *exchange = x;
    return status;
}

void sb_exchange_close(sb_exchange *x)
{
    if (!x) return;
    if (x->has_thread) {
        pthread_mutex_lock(&x->mutex);
        x->closes = true;
        pthread_cond_broadcast(&x->changed);
        pthread_mutex_unlock(&x->mutex);
        pthread_join(x->thread, NULL);
    }
    sb_exchange_close_nccl(x); /* before the device's stream */
    if (sb_exchange_is_of_device(x)) sb_exchange_close_staged(x);
    if (x->piece) x->net->ops->release(x->net->ops, x->piece);
    pthread_cond_destroy(&x->changed);
    pthread_mutex_destroy(&x->mutex);
    free(x);
}

/* ---- by the team's first thread ---- */

void sb_exchange_post(sb_exchange *x, sb_real *block, size_t first)
{
    if (!x || sb_exchange_is_of_device(x)) return;
    sb_ranks_set_patient(x->ranks, true);
    pthread_mutex_lock(&x->mutex);
    x->block = block, x->posted = sb_exchange_first_whole(x, first);
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->mutex);
}

/* By the thread that learns, which alone calls the device. What it waits for the device is no cost of the exchange: the
 * backward pass may still run there. */
static sb_status finish_on_device(sb_exchange *x, sb_real *block)
{
    const double cost = sb_ranks_cost_seconds(x->ranks);
    if (!x->nccl && !x->host_bucket) return sb_fail(SB_E_IO, "an exchange by NCCL has failed before, and it is closed");
    const sb_status status = x->nccl ? sb_exchange_by_nccl(x, block) : sb_exchange_staged(x, block);
    const double seconds = sb_ranks_cost_seconds(x->ranks) - cost;
    x->times.seconds += seconds, x->times.of_ranks += seconds, x->times.waited += seconds;
    return status;
}

sb_status sb_exchange_finish(sb_exchange *x, sb_real *block)
{
    if (!x) return SB_OK;
    if (sb_exchange_is_of_device(x)) return finish_on_device(x, block);
    const double began = sb_clock_seconds();
    sb_ranks_set_patient(x->ranks, false);
    pthread_mutex_lock(&x->mutex);
    x->finishes = omp_get_num_threads() == 1; /* sums are shared by a team, which a thread of several is not */
    while (x->finishes && x->is_busy) pthread_cond_wait(&x->changed, &x->mutex);
    x->block = block, x->posted = 0;
    while (x->finishes && has_work(x)) do_bucket(x);
    pthread_cond_broadcast(&x->changed);
    while (has_work(x)) pthread_cond_wait(&x->changed, &x->mutex);
    x->finishes = false;
    const sb_status status = x->status;
    if (status != SB_OK) sb_fail(status, "%s", x->message);
    x->block = NULL, x->status = SB_OK;
    x->posted = x->done = x->total;
    x->times.waited += sb_clock_seconds() - began;
    pthread_mutex_unlock(&x->mutex);
    return status;
}

const char *sb_exchange_nccl(const sb_exchange *x)
{
    return x ? x->nccl_words : "";
}

sb_exchange_times sb_exchange_take_times(sb_exchange *x)
{
    if (!x) return (sb_exchange_times){0};
    pthread_mutex_lock(&x->mutex);
    const sb_exchange_times times = x->times;
    x->times = (sb_exchange_times){0};
    pthread_mutex_unlock(&x->mutex);
    return times;
}
