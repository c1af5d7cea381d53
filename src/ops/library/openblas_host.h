/* How OpenBLAS's threads wait for one another. */
#pragma once

#include <stdbool.h>

/* Whether they sleep between two looks at what they wait for (some 50 microseconds), instead of giving their CPU to others.
 * For more threads than CPUs: by sched_yield a thread goes behind all that want its CPU, often behind others that only wait
 * as it does, and where the machine is busy a second of work takes a minute. Where each thread has its CPU sleeping would
 * take twice as long. The bits are the same. May be called at any time. */
void sb_openblas_wait_asleep(bool asleep);
