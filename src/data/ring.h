/* A ring of slots between producer threads that fill slots and one consumer that takes them in order. Item b uses slot
 * b mod depth. A slot goes from EMPTY to FILLING to READY to COPYING to EMPTY. Producers claim numbers from one
 * counter; the consumer takes items in ascending order, so the result depends neither on the number nor on the speed of
 * producers. The memory of the slots belongs to the caller.
 *
 *     producer: while (sb_ring_claim(ring, &number, &slot)) sb_ring_ready(ring, number, fill(number, slot));
 *     consumer: SB_TRY(sb_ring_take(ring, &slot)); ... sb_ring_release(ring, slot);
 *     sb_ring_stop(ring); join the producers; sb_ring_close(ring);
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

typedef struct sb_ring sb_ring;

/* Open for items first .. last. SB_E_MEMORY leaves nothing open. */
sb_status sb_ring_open(sb_ring **ring, int depth, long first, long last);
void sb_ring_close(sb_ring *ring); /* after all threads have left it; NULL does nothing */

/* Wake all threads: from now on claims are refused, and a take that would wait fails. */
void sb_ring_stop(sb_ring *ring);

/* Wait until the slot of the next item is EMPTY and set it to FILLING. False: no item is left, or the ring has
 * stopped. */
bool sb_ring_claim(sb_ring *ring, long *number, int *slot);

/* Set the slot of that item to READY. If status is not SB_OK, filling failed and sb_message() of this thread says why;
 * the take of that item returns both. */
void sb_ring_ready(sb_ring *ring, long number, sb_status status);

/* Wait until the slot of the next item is READY and set it to COPYING. If filling failed, this take and every later one
 * return that status with its message. SB_E_INTERRUPTED: the ring has stopped. */
sb_status sb_ring_take(sb_ring *ring, int *slot);

/* Set the slot that was taken to EMPTY. */
void sb_ring_release(sb_ring *ring, int slot);

enum { SB_RING_BEGINNING = 50 }; /* the first takes, while the queue still fills */

/* Counts and times since the last call. */
typedef struct sb_ring_times {
    long n_taken;
    double queue_mean;                       /* mean number of READY slots at a take; 0 without a take */
    double queue_later;                      /* the same without the ring's first SB_RING_BEGINNING takes */
    int queue_min;                           /* the fewest; 0 without a take */
    double wait_consumer_s, wait_producer_s; /* time the consumer waited for an item; time producers waited for an empty
                                              * slot, summed */
} sb_ring_times;

sb_ring_times sb_ring_take_times(sb_ring *ring);
