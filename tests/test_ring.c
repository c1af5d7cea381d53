/* The ring of slots between threads that fill and one that takes: numbers in their order whatever the depth and however
 * many fill, an error with its number, and an end for everyone. */
#include "support.h"

#include "data/ring.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { NUMBERS_MOST = 300 };

typedef struct producer {
    sb_ring *ring;
    pthread_t thread;
    long *slot; /* [depth] what a slot holds */
    atomic_long *n_filled;
    long fails; /* at this number; -1: at none */
} producer;

static void *produce(void *context)
{
    producer *p = context;
    long number;
    int slot;
    while (sb_ring_claim(p->ring, &number, &slot)) {
        if (number % 7 == 0) usleep(200);
        p->slot[slot] = number * number;
        (*p->n_filled)++;
        sb_ring_ready(p->ring, number,
                      number == p->fails ? sb_fail(SB_E_IO, "number %ld cannot be read", number) : SB_OK);
    }
    return NULL;
}

static void numbers_come_in_order(void **state)
{
    (void)state;
    for (int depth = 1; depth <= 4; depth++)
        for (long fails = -1; fails < 10; fails += 4) {
            producer p[3];
            long slot_of[4];
            atomic_long n_filled = 0;
            sb_ring *ring;
            assert_int_equal(sb_ring_open(&ring, depth, 0, NUMBERS_MOST - 1), SB_OK);
            for (int i = 0; i < 3; i++) {
                p[i] = (producer){.ring = ring, .slot = slot_of, .n_filled = &n_filled, .fails = fails};
                assert_int_equal(pthread_create(&p[i].thread, NULL, produce, &p[i]), 0);
            }
            const long last = fails < 0 ? NUMBERS_MOST : fails;
            int slot;
            for (long number = 0; number < last; number++) {
                assert_int_equal(sb_ring_take(ring, &slot), SB_OK);
                assert_int_equal(slot, number % depth);
                assert_int_equal(slot_of[slot], number * number);
                sb_ring_release(ring, slot);
            }
            for (int i = 0; i < 2 && fails >= 0; i++) {
                assert_int_equal(sb_ring_take(ring, &slot), SB_E_IO);
                char wanted[64];
                snprintf(wanted, sizeof wanted, "number %ld cannot be read", fails);
                assert_string_equal(sb_message(), wanted);
            }
            sb_ring_stop(ring);
            for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(p[i].thread, NULL), 0);
            assert_in_range(n_filled, last, last + depth + 3);
            const sb_ring_times times = sb_ring_take_times(ring);
            assert_int_equal(times.n_taken, last + (fails < 0 ? 0 : 2));
            assert_true(times.queue_mean <= depth && times.queue_later <= depth);
            assert_true((times.queue_later == 0) || fails < 0);
            sb_ring_close(ring);
        }
}

static void *stop_soon(void *ring)
{
    usleep(20000);
    sb_ring_stop(ring);
    return NULL;
}

/* A take that waits, and a claim that waits, end when the ring stops. */
static void stopping_wakes_who_waits(void **state)
{
    (void)state;
    sb_ring *ring;
    pthread_t thread;
    long number;
    int slot;
    assert_int_equal(sb_ring_open(&ring, 1, 1, 10), SB_OK);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, ring), 0);
    assert_int_equal(sb_ring_take(ring, &slot), SB_E_INTERRUPTED);
    pthread_join(thread, NULL);
    assert_false(sb_ring_claim(ring, &number, &slot));
    sb_ring_close(ring);
    assert_int_equal(sb_ring_open(&ring, 1, 1, 10), SB_OK);
    assert_true(sb_ring_claim(ring, &number, &slot));
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, ring), 0);
    assert_false(sb_ring_claim(ring, &number, &slot)); /* its slot is being filled */
    pthread_join(thread, NULL);
    sb_ring_close(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_in_order),
        cmocka_unit_test(stopping_wakes_who_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
