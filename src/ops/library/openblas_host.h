/* How the work of OpenBLAS's threads is executed. */
#pragma once

#include <stdbool.h>

/* Who computes a product of several threads. The bits are the same, because each kernel of OpenBLAS gets the same rows,
 * columns and terms. OpenBLAS's threads wait for each other by spinning. A spinning thread occupies the CPU that another
 * one needs, if there are more threads than CPUs, or if other processes run. */
typedef enum sb_openblas_sharing {
    SB_OPENBLAS_THREADS, /* OpenBLAS's threads */
    SB_OPENBLAS_ALONE,   /* the calling thread: the shares of all threads, one after the other */
    SB_OPENBLAS_FASTER,  /* what was faster for products of that size (openblas_pace.h) */
} sb_openblas_sharing;

/* From now on. At the start OpenBLAS's threads compute, and always where its internals are unknown. Only one product may
 * run at a time, and none during this call. Use it with version 0.3 alone. */
void sb_openblas_share(sb_openblas_sharing sharing);

/* Was a product computed by the calling thread alone since the last call? For tests. */
bool sb_openblas_has_shared(void);
