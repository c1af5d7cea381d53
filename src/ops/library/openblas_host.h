/* How OpenBLAS's threads are run. */
#pragma once

#include <stdbool.h>

/* Whether the calling thread computes the shares of all of OpenBLAS's threads in a product, one after the other, instead of
 * them. For more threads than CPUs, as an emulated CPU has them: these wait for one another in each of thousands of small
 * products, by spinning, and a thread that spins keeps a CPU from the one that it waits for. The bits are the same, since
 * each kernel of OpenBLAS gets the same rows, columns and terms. Not while a product is computed; products are computed one
 * at a time. Of a library whose functions are called otherwise (not 0.3, or a form that is not recognized) the threads
 * compute. */
void sb_openblas_share(bool alone);

/* Whether a product has been computed so since the call before. For tests. */
bool sb_openblas_has_shared(void);
