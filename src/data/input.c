#include "data/input.h"

#include "core/machine/clock.h"
#include "core/size.h"
#include "data/resident.h"
#include "data/ring.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot {
    sb_room room;
    sb_batch batch;
} slot;

typedef struct worker {
    sb_input *input;
    pthread_t thread;
    sb_epoch epoch;
} worker;

struct sb_input {
    const sb_loader *loader;
    sb_input_plan plan;
    long next; /* the update that is taken next */
    slot *slot;
    int n_slots;
    worker *worker;
    int n_epochs, n_threads; /* of the workers: epochs that are open, threads that run */
    sb_ring *ring;           /* of prefetch */
    sb_resident *resident;   /* images on a device */
    sb_room choices;         /* which of them a batch is of */
    int taken;               /* the slot that was taken last; -1: none */
    sb_input_times times;
};

#define MODE_NAME(ID, name) name,
sb_input_mode sb_input_mode_of(const char *word, bool is_video)
{
    static const char *const words[] = {SB_INPUT_MODES(MODE_NAME)};
    sb_input_mode mode = SB_INPUT_SYNC;
    if (strcmp(word, "auto") == 0) return is_video ? SB_INPUT_SYNC : SB_INPUT_RESIDENT;
    while (strcmp(words[mode], word) != 0) mode++;
    return mode;
}

static sb_status fill_room(const sb_input *input, sb_epoch *epoch, sb_room *room, long update, sb_batch *batch)
{
    const int ranks = input->plan.ranks ? input->plan.ranks : 1;
    return sb_loader_fill(input->loader, epoch, room, update, input->plan.rank, ranks, batch);
}

static sb_status fill(const sb_input *input, sb_epoch *epoch, slot *s, long update)
{
    return fill_room(input, epoch, &s->room, update, &s->batch);
}

/* ---- workers ---- */

static void *work(void *context)
{
    worker *w = context;
    sb_input *input = w->input;
    long update;
    int at;
    while (sb_ring_claim(input->ring, &update, &at)) {
        slot *s = &input->slot[at];
        sb_ring_ready(input->ring, update, fill(input, &w->epoch, s, update));
    }
    return NULL;
}

/* Signals are for the thread that learns. */
static sb_status start_workers(sb_input *input)
{
    sigset_t all, before;
    sb_status status = SB_OK;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < input->n_epochs && status == SB_OK; i++) {
        if (pthread_create(&input->worker[i].thread, NULL, work, &input->worker[i]) == 0)
            input->n_threads++;
        else
            status = sb_fail(SB_E_MEMORY, "cannot start thread %d of %d that prepare input", i + 1, input->n_epochs);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* ---- opening ---- */

/* As many as the plan says, but for what a file has and what memory they may take. */
static int count_slots(const sb_input_plan *plan, const sb_room *room, long n_updates)
{
    if (plan->mode != SB_INPUT_PREFETCH) return 1;
    size_t n = SB_INPUT_BYTES / room->n_bytes;
    if (n > (size_t)plan->depth) n = (size_t)plan->depth;
    if (n > (size_t)n_updates) n = (size_t)n_updates;
    return n ? (int)n : 1;
}

static sb_status open_slots(sb_input *input, long n_updates)
{
    sb_room first;
    SB_TRY(sb_room_open(&first, input->loader));
    const int n = count_slots(&input->plan, &first, n_updates);
    input->slot = sb_size_allocate((size_t)n, sizeof *input->slot);
    if (!input->slot) {
        sb_room_close(&first);
        return sb_fail(SB_E_MEMORY, "not enough memory for a queue of %d batches", n);
    }
    input->slot[input->n_slots++].room = first;
    while (input->n_slots < n) {
        SB_TRY(sb_room_open(&input->slot[input->n_slots].room, input->loader));
        input->n_slots++;
    }
    return SB_OK;
}

static sb_status open_workers(sb_input *input)
{
    const int n = input->plan.mode == SB_INPUT_PREFETCH ? input->plan.workers : 1;
    input->worker = sb_size_allocate((size_t)n, sizeof *input->worker);
    if (!input->worker) return sb_fail(SB_E_MEMORY, "not enough memory for %d workers", n);
    for (; input->n_epochs < n; input->n_epochs++) {
        input->worker[input->n_epochs].input = input;
        SB_TRY(sb_epoch_open(&input->worker[input->n_epochs].epoch, input->loader));
    }
    return SB_OK;
}

static sb_status open_resident(sb_input *input, sb_loader *loader)
{
    SB_TRY(sb_loader_reside(loader));
    if (!sb_resident_can(loader, input->plan.ops)) return SB_OK;
    SB_TRY(sb_room_open_choices(&input->choices, loader));
    return sb_resident_open(&input->resident, loader, input->plan.ops);
}

static sb_status open_parts(sb_input *input, sb_loader *loader, long last)
{
    SB_TRY(open_slots(input, last - input->next + 1));
    SB_TRY(open_workers(input));
    if (input->plan.mode == SB_INPUT_RESIDENT) return open_resident(input, loader);
    if (input->plan.mode != SB_INPUT_PREFETCH) return SB_OK;
    SB_TRY(sb_ring_open(&input->ring, input->n_slots, input->next, last));
    return start_workers(input);
}

sb_status sb_input_open(sb_input **input, sb_loader *loader, const sb_input_plan *plan, long first, long last)
{
    assert(first >= 1 && first <= last && plan->workers <= SB_INPUT_WORKERS);
    sb_input *i = *input = calloc(1, sizeof *i);
    if (!i) return sb_fail(SB_E_MEMORY, "not enough memory for the input");
    *i = (sb_input){.loader = loader, .plan = *plan, .next = first, .taken = -1};
    const sb_status status = open_parts(i, loader, last);
    if (status == SB_OK) return SB_OK;
    sb_input_close(i);
    *input = NULL;
    return status;
}

void sb_input_close(sb_input *input)
{
    if (!input) return;
    if (input->ring) sb_ring_stop(input->ring);
    for (int i = 0; i < input->n_threads; i++) pthread_join(input->worker[i].thread, NULL);
    sb_ring_close(input->ring);
    sb_resident_close(input->resident);
    sb_room_close(&input->choices);
    for (int i = 0; i < input->n_epochs; i++) sb_epoch_close(&input->worker[i].epoch);
    for (int i = 0; i < input->n_slots; i++) sb_room_close(&input->slot[i].room);
    free(input->worker);
    free(input->slot);
    free(input);
}

/* ---- batches ---- */

static sb_status choose_here(sb_input *input, sb_batch *batch, long update)
{
    SB_TRY(fill_room(input, &input->worker[0].epoch, &input->choices, update, batch));
    for (int s = 0; s < batch->n_shards; s++) batch->shard[s].store = sb_resident_store(input->resident);
    return SB_OK;
}

static sb_status make_here(sb_input *input, long update)
{
    slot *s = &input->slot[0];
    if (input->resident) return choose_here(input, &s->batch, update);
    if (input->plan.mode == SB_INPUT_FAKE && input->taken == 0) return SB_OK; /* it is the first one still */
    return fill(input, &input->worker[0].epoch, s, update);
}

static sb_status take_from_ring(sb_input *input)
{
    if (input->taken >= 0) sb_ring_release(input->ring, input->taken);
    input->taken = -1;
    return sb_ring_take(input->ring, &input->taken);
}

static uint64_t bytes_of(const sb_batch *batch)
{
    return (uint64_t)batch->n_shards * batch->shard_bytes;
}

sb_status sb_input_take(sb_input *input, sb_batch *batch)
{
    const double began = sb_clock_seconds();
    sb_status status = input->ring ? take_from_ring(input) : make_here(input, input->next);
    if (status != SB_OK) {
        input->taken = -1;
        return status;
    }
    if (!input->ring) input->taken = 0;
    *batch = input->slot[input->taken].batch;
    input->next++;
    input->times.n_batches++;
    input->times.wait_s += sb_clock_seconds() - began;
    input->times.n_bytes += bytes_of(batch);
    return SB_OK;
}

sb_status sb_input_hold(sb_input *input, sb_batch *batch)
{
    const double began = sb_clock_seconds();
    if (!input->resident) return SB_OK;
    input->times.n_bytes -= bytes_of(batch);
    SB_TRY(fill(input, &input->worker[0].epoch, &input->slot[0], input->next - 1));
    *batch = input->slot[0].batch;
    input->times.n_bytes += bytes_of(batch);
    input->times.wait_s += sb_clock_seconds() - began;
    return SB_OK;
}

sb_input_times sb_input_take_times(sb_input *input)
{
    sb_input_times times = input->times;
    input->times = (sb_input_times){0};
    if (!input->ring) return times;
    const sb_ring_times ring = sb_ring_take_times(input->ring);
    times.wait_workers_s = ring.wait_producer_s;
    times.queue_mean = ring.queue_mean, times.queue_later = ring.queue_later, times.queue_min = ring.queue_min;
    return times;
}
