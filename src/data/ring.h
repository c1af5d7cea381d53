/* A ring of slots between threads that fill them and one that takes them, in order. The slot of number b is b mod depth,
 * and goes from EMPTY to FILLING to READY to COPYING to EMPTY. Producers take numbers from one counter; the consumer
 * takes them strictly one after the other, so that what it gets depends neither on the number of producers nor on who
 * is faster. What a slot holds is the caller's.
 *
 *     producer: while (sb_ring_claim(ring, &number, &slot)) sb_ring_ready(ring, number, fill(number, slot));
 *     consumer: SB_TRY(sb_ring_take(ring, &slot)); ... sb_ring_release(ring, slot);
 *     sb_ring_stop(ring); join the producers; sb_ring_close(ring);
 */
#ifndef SB_DATA_RING_H
#define SB_DATA_RING_H

#include "core/status.h"

#include <stdbool.h>

typedef struct sb_ring sb_ring;

/* For numbers first .. last. SB_E_MEMORY leaves nothing open. */
sb_status sb_ring_open(sb_ring **ring, int depth, long first, long last);
void sb_ring_close(sb_ring *ring); /* no thread is in it any more; NULL is fine */

/* Wake everyone, now and later: claims are refused, and a take that would wait fails. */
void sb_ring_stop(sb_ring *ring);

/* The next number, once its slot is EMPTY; it is FILLING then. False: there is none, or the ring has stopped. */
bool sb_ring_claim(sb_ring *ring, long *number, int *slot);

/* The slot of that number is READY. status other than SB_OK: it could not be filled, and sb_message() of this thread
 * says why; the take of that number returns it. */
void sb_ring_ready(sb_ring *ring, long number, sb_status status);

/* The slot of the next number, once it is READY; it is COPYING then. A status that it was filled with is returned with
 * its sentence, by this take and by every later one. SB_E_INTERRUPTED: the ring has stopped. */
sb_status sb_ring_take(sb_ring *ring, int *slot);

/* The slot that was taken is EMPTY. */
void sb_ring_release(sb_ring *ring, int slot);

enum { SB_RING_BEGINNING = 50 }; /* takes in which the queue has hardly filled yet */

/* What has happened since this was asked for last. */
typedef struct sb_ring_times {
    long n_taken;
    double queue_mean;                       /* slots that were READY when the consumer came, per take; 0 of none */
    double queue_later;                      /* the same of takes after the ring's first SB_RING_BEGINNING */
    int queue_min;                           /* the fewest; 0 of none */
    double wait_consumer_s, wait_producer_s; /* waited for a batch; for an empty slot, all producers together */
} sb_ring_times;

sb_ring_times sb_ring_take_times(sb_ring *ring);

#endif
