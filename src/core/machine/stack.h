/* The stack of a process's first thread grows as it is used, and where no memory is left for that the process ends at
 * once, without a sentence. Threads that are started have theirs from the beginning. */
#ifndef SB_CORE_STACK_H
#define SB_CORE_STACK_H

#include "core/status.h"

#include <stddef.h>

/* The calling thread has n_bytes more of its stack from now on. SB_E_MEMORY: its process may not have as much. */
sb_status sb_stack_grow(size_t n_bytes);

/* How much of its stack a thread that was started has left; SIZE_MAX: unknown. */
size_t sb_stack_left(void);

/* SB_E_MEMORY where the threads that OpenMP starts have `left`, which is less than n_bytes: what the environment says. */
sb_status sb_stack_check_threads(size_t left, size_t n_bytes);

#endif
