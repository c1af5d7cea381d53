#define _POSIX_C_SOURCE 200809L
#include "train/exchange.h"

#include "core/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct sb_exchange {
    sb_ranks *ranks;
    sb_net *net;
    bool is_fast;
    size_t total;
    sb_real *piece; /* device: of one bucket, this rank's slice as each rank has it */

    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t changed;
    sb_real *block;      /* NULL: nothing was posted */
    size_t posted, done; /* block[posted ..] is there, block[done ..] is exchanged; both total at first */
    bool closes;
    sb_status status;  /* of the block; after a failure the rest of it is left alone */
    char message[512]; /* its sentence */
    sb_exchange_times times;
};

/* ---- buckets ---- */

size_t sb_exchange_first_whole(const sb_exchange *exchange, size_t first)
{
    if (!exchange || first == 0) return 0;
    return exchange->total - (exchange->total - first) / SB_EXCHANGE_BUCKET * SB_EXCHANGE_BUCKET;
}

/* Where the bucket begins that ends at `end`. */
static size_t bucket_before(size_t end)
{
    return end < SB_EXCHANGE_BUCKET ? 0 : end - SB_EXCHANGE_BUCKET;
}

/* By the upper part of the tree of shards: rank r has the sum of a subtree. */
static void join_pieces(const sb_exchange *x, sb_real *slice, size_t n)
{
    sb_ops *ops = x->net->ops;
    const size_t n_ranks = (size_t)sb_ranks_size(x->ranks);
    for (size_t apart = 1; apart < n_ranks; apart *= 2)
        for (size_t r = 0; r < n_ranks; r += 2 * apart) {
            sb_real *left = x->piece + r * n, *sum = 2 * apart == n_ranks ? slice : left;
            ops->sum(ops, n, left, x->piece + (r + apart) * n, sum);
        }
}

static sb_status exchange_bucket(const sb_exchange *x, sb_real *bucket, size_t n)
{
    if (x->is_fast) return sb_ranks_sum(x->ranks, bucket, n, sizeof *bucket);
    const sb_slice slice = sb_ranks_slice(x->ranks, n, sb_ranks_rank(x->ranks));
    SB_TRY(sb_ranks_spread(x->ranks, bucket, n, sizeof *bucket, x->piece));
    join_pieces(x, bucket + slice.first, slice.n);
    return sb_ranks_gather(x->ranks, bucket, n, sizeof *bucket);
}

/* ---- the thread beside the team ---- */

/* What is posted and not done; with the mutex held. */
static bool has_work(const sb_exchange *x)
{
    return x->posted < x->done && x->status == SB_OK;
}

/* With the mutex held, which is free while bytes move. */
static void do_bucket(sb_exchange *x)
{
    const size_t first = bucket_before(x->done), n = x->done - first;
    pthread_mutex_unlock(&x->mutex);
    const double began = sb_clock_seconds();
    const sb_status status = exchange_bucket(x, x->block + first, n);
    pthread_mutex_lock(&x->mutex);
    x->times.seconds += sb_clock_seconds() - began;
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
        if (has_work(x))
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

sb_status sb_exchange_open(sb_exchange **exchange, sb_ranks *ranks, sb_net *net, bool is_fast)
{
    *exchange = NULL;
    if (!ranks) return SB_OK;
    if (!net->ops->host_memory)
        return sb_fail(SB_E_USAGE, "ranks exchange gradients that lie in the memory of the host, and those of this "
                                   "backend do not: choose native or openblas");
    sb_exchange *x = calloc(1, sizeof *x);
    if (!x) return sb_fail(SB_E_MEMORY, "not enough memory for the exchange between ranks");
    *x = (sb_exchange){.ranks = ranks, .net = net, .is_fast = is_fast, .total = net->params.total};
    x->posted = x->done = x->total;
    pthread_mutex_init(&x->mutex, NULL);
    pthread_cond_init(&x->changed, NULL);
    const size_t bucket = x->total < SB_EXCHANGE_BUCKET ? x->total : SB_EXCHANGE_BUCKET;
    const size_t n_ranks = (size_t)sb_ranks_size(ranks), n_pieces = n_ranks * ((bucket + n_ranks - 1) / n_ranks);
    x->piece = net->ops->allocate(net->ops, n_pieces * sizeof *x->piece);
    sb_status status = x->piece ? SB_OK : SB_E_MEMORY;
    if (status == SB_OK) x->has_thread = start_thread(x);
    if (status == SB_OK && !x->has_thread)
        status = sb_fail(SB_E_MEMORY, "no thread could be started for the exchange between ranks");
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
    if (x->piece) x->net->ops->release(x->net->ops, x->piece);
    pthread_cond_destroy(&x->changed);
    pthread_mutex_destroy(&x->mutex);
    free(x);
}

/* ---- by the team's first thread ---- */

static void post(sb_exchange *x, sb_real *block, size_t first)
{
    x->block = block, x->posted = first;
    pthread_cond_broadcast(&x->changed);
}

void sb_exchange_post(sb_exchange *x, sb_real *block, size_t first)
{
    if (!x) return;
    sb_ranks_set_patient(x->ranks, true);
    pthread_mutex_lock(&x->mutex);
    post(x, block, sb_exchange_first_whole(x, first));
    pthread_mutex_unlock(&x->mutex);
}

sb_status sb_exchange_finish(sb_exchange *x, sb_real *block)
{
    if (!x) return SB_OK;
    const double began = sb_clock_seconds();
    sb_ranks_set_patient(x->ranks, false);
    pthread_mutex_lock(&x->mutex);
    post(x, block, 0);
    while (has_work(x)) pthread_cond_wait(&x->changed, &x->mutex);
    const sb_status status = x->status;
    if (status != SB_OK) sb_fail(status, "%s", x->message);
    x->block = NULL, x->status = SB_OK;
    x->posted = x->done = x->total;
    x->times.waited += sb_clock_seconds() - began;
    pthread_mutex_unlock(&x->mutex);
    return status;
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
