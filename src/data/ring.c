#include "data/ring.h"

#include "core/machine/clock.h"
#include "core/size.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum slot_state { EMPTY, FILLING, READY, COPYING } slot_state;

/* Two producers may wait for the same slot, with numbers n and n + depth; n gets it first. */
typedef struct ring_slot {
    slot_state state;
    long number; /* that it holds, or that it will */
} ring_slot;

struct sb_ring {
    pthread_mutex_t mutex;
    pthread_cond_t filled, emptied;
    ring_slot *slot; /* [depth] */
    int depth;
    long next, taken, last; /* to be claimed next, to be taken next, the last one there is */
    bool stopped;
    int n_ready;
    long failed; /* the lowest number that could not be filled; -1: none */
    sb_status status;
    char message[1024];
    sb_ring_times times;  /* the means are sums until they are asked for */
    long n_ever, n_later; /* takes of all time; of these times, those after the beginning */
};

sb_status sb_ring_open(sb_ring **ring, int depth, long first, long last)
{
    assert(depth > 0 && first >= 0);
    sb_ring *r = *ring = calloc(1, sizeof *r);
    if (r) r->slot = sb_size_allocate((size_t)depth, sizeof *r->slot);
    if (!r || !r->slot) {
        free(r);
        *ring = NULL;
        return sb_fail(SB_E_MEMORY, "not enough memory for a queue of %d batches", depth);
    }
    r->depth = depth, r->next = r->taken = first, r->last = last, r->failed = -1;
    for (long i = 0; i < depth; i++) r->slot[(first + i) % depth].number = first + i;
    pthread_mutex_init(&r->mutex, NULL);
    pthread_cond_init(&r->filled, NULL);
    pthread_cond_init(&r->emptied, NULL);
    return SB_OK;
}

void sb_ring_close(sb_ring *ring)
{
    if (!ring) return;
    pthread_cond_destroy(&ring->emptied);
    pthread_cond_destroy(&ring->filled);
    pthread_mutex_destroy(&ring->mutex);
    free(ring->slot);
    free(ring);
}

void sb_ring_stop(sb_ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    ring->stopped = true;
    pthread_cond_broadcast(&ring->filled);
    pthread_cond_broadcast(&ring->emptied);
    pthread_mutex_unlock(&ring->mutex);
}

static bool is_so(const sb_ring *ring, long number, slot_state state)
{
    const ring_slot *slot = &ring->slot[number % ring->depth];
    return slot->number == number && slot->state == state;
}

/* Until the number's slot is in that state or the ring has stopped, with the mutex held; the seconds are added. */
static bool wait_for(sb_ring *ring, long number, slot_state state, pthread_cond_t *changed, double *seconds)
{
    if (is_so(ring, number, state) || ring->stopped) return !ring->stopped;
    const double began = sb_clock_seconds();
    while (!is_so(ring, number, state) && !ring->stopped) pthread_cond_wait(changed, &ring->mutex);
    *seconds += sb_clock_seconds() - began;
    return !ring->stopped;
}

bool sb_ring_claim(sb_ring *ring, long *number, int *slot)
{
    pthread_mutex_lock(&ring->mutex);
    bool claimed = !ring->stopped && ring->next <= ring->last;
    if (claimed) {
        *number = ring->next++;
        *slot = (int)(*number % ring->depth);
        claimed = wait_for(ring, *number, EMPTY, &ring->emptied, &ring->times.wait_producer_s);
        if (claimed) ring->slot[*slot].state = FILLING;
    }
    pthread_mutex_unlock(&ring->mutex);
    return claimed;
}

/* Keep the failure of the lowest number, whichever producer fails first; later numbers are not needed. */
static void keep_failure(sb_ring *ring, long number, sb_status status)
{
    if (ring->failed >= 0 && ring->failed < number) return;
    ring->failed = number, ring->status = status;
    if (number < ring->last) ring->last = number;
    snprintf(ring->message, sizeof ring->message, "%s", sb_message());
}

void sb_ring_ready(sb_ring *ring, long number, sb_status status)
{
    pthread_mutex_lock(&ring->mutex);
    assert(is_so(ring, number, FILLING));
    ring->slot[number % ring->depth].state = READY;
    ring->n_ready++;
    if (status != SB_OK) keep_failure(ring, number, status);
    pthread_cond_broadcast(&ring->filled);
    pthread_mutex_unlock(&ring->mutex);
}

static void count_take(sb_ring *ring)
{
    sb_ring_times *times = &ring->times;
    if (times->n_taken == 0 || ring->n_ready < times->queue_min) times->queue_min = ring->n_ready;
    times->queue_mean += ring->n_ready;
    times->n_taken++;
    if (++ring->n_ever <= SB_RING_BEGINNING) return;
    times->queue_later += ring->n_ready;
    ring->n_later++;
}

sb_status sb_ring_take(sb_ring *ring, int *slot)
{
    pthread_mutex_lock(&ring->mutex);
    const long number = ring->taken;
    sb_status status = SB_OK;
    *slot = (int)(number % ring->depth);
    assert(number <= ring->last);
    count_take(ring);
    if (!wait_for(ring, number, READY, &ring->filled, &ring->times.wait_consumer_s)) {
        status = sb_fail(SB_E_INTERRUPTED, "the input was stopped");
    } else if (ring->failed == number) {
        status = sb_fail(ring->status, "%s", ring->message);
    } else {
        ring->slot[*slot].state = COPYING;
        ring->taken++;
        ring->n_ready--;
    }
    pthread_mutex_unlock(&ring->mutex);
    return status;
}

void sb_ring_release(sb_ring *ring, int slot)
{
    pthread_mutex_lock(&ring->mutex);
    assert(ring->slot[slot].state == COPYING);
    ring->slot[slot].state = EMPTY;
    ring->slot[slot].number += ring->depth;
    pthread_cond_broadcast(&ring->emptied);
    pthread_mutex_unlock(&ring->mutex);
}

sb_ring_times sb_ring_take_times(sb_ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    sb_ring_times times = ring->times;
    const long n_later = ring->n_later;
    ring->times = (sb_ring_times){0};
    ring->n_later = 0;
    pthread_mutex_unlock(&ring->mutex);
    if (times.n_taken) times.queue_mean /= (double)times.n_taken;
    if (n_later) times.queue_later /= (double)n_later;
    return times;
}
