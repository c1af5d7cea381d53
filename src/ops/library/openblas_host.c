/* What OpenBLAS asks of its process, answered by us (the linker's --wrap, cmake/libraries.cmake). */
#define _POSIX_C_SOURCE 200809L
#include "openblas_host.h"

#include <stdatomic.h>
#include <time.h>

int __wrap_openblas_num_threads_env(void);
int __wrap_sched_yield(void);
int __real_sched_yield(void);

/* Stands in for OpenBLAS's own function, which reads OPENBLAS_NUM_THREADS when the library initialises itself, before main,
 * whichever backend is chosen. With one thread it starts none and maps no memory; the openblas backend sets the number when
 * it is opened. Else every verb would start a thread for each core; each of them maps 128 MiB and, where memory is short,
 * tries so without end, which the process then waits for at its exit, on every backend. */
int __wrap_openblas_num_threads_env(void)
{
    return 1;
}

static atomic_bool wait_asleep;

void sb_openblas_wait_asleep(bool asleep)
{
    wait_asleep = asleep;
}

/* Stands in for the C library's, which OpenBLAS calls over and over while it waits; so do ranks in their first moments. */
int __wrap_sched_yield(void)
{
    if (!wait_asleep) return __real_sched_yield();
    return nanosleep(&(struct timespec){.tv_nsec = 1}, NULL); /* and what the kernel adds to it */
}
