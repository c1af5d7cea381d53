/* The stack of a process's first thread grows as it is used, and where no memory is left for that the process ends at
 * once, without a sentence. Threads that are started have theirs from the beginning. */
#pragma once

#include "core/status.h"

#include <stddef.h>

/* The calling thread has n_bytes more of its stack from now on. SB_E_MEMORY: its process may not have as much. */
sb_status sb_stack_grow(size_t n_bytes);

/* SB_E_MEMORY where OMP_STACKSIZE or GOMP_STACKSIZE gives OpenMP's threads less than n_bytes of stack. Starts no thread: a
 * process that has started OpenMP's threads cannot fork one that uses them. */
sb_status sb_stack_check_threads(size_t n_bytes);
