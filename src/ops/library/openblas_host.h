/* How the work of OpenBLAS's threads is executed. */
#pragma once

#include <stdbool.h>

/* alone: from now on the calling thread computes the shares of all of OpenBLAS's threads in a product, one after the
 * other. Use it if there are more threads than CPUs, as for an emulated CPU: OpenBLAS's threads wait for each other by
 * spinning, and a spinning thread occupies the CPU that another one needs. The bits are the same, because each kernel
 * of OpenBLAS gets the same rows, columns and terms. Do not call this during a product; only one product may run at a
 * time. For versions other than 0.3, or with unknown internals, OpenBLAS's threads still compute. */
void sb_openblas_share(bool alone);

/* Was a product computed by the calling thread alone since the last call? For tests. */
bool sb_openblas_has_shared(void);
