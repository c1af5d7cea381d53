/* A call in a child process, so that a crash in it (of a library, over a file that was made to crash it) is a status
 * here and not the end of everything else that waits to be done.
 *
 *     typedef struct found { long n; } found;                          plain data: no pointers survive
 *     static sb_status look(void *context, void *result) {...}
 *     SB_TRY(sb_guard_call(look, "run.h5", "run.h5", &result, sizeof result));
 *
 * The child has a copy of the memory as it is; of what it changes only status, sentence and result come back, and what
 * it writes to files. For processes without threads of their own.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Fill the result; it begins as the caller's. */
typedef sb_status sb_guarded(void *context, void *result);

/* A call that is under way. */
typedef struct sb_guard {
    int child; /* its process */
    int fd;    /* where it answers */
} sb_guard;

/* Start the call and go on; several can be under way, and each that started is to be ended. SB_E_MEMORY: no process can
 * be started; the sentence begins with `subject`. */
sb_status sb_guard_start(sb_guard *guard, sb_guarded *call, void *context, const char *subject, void *result,
                         size_t n_bytes);

/* Wait for its end: what sb_guard_call returns, for the same subject, result and n_bytes. */
sb_status sb_guard_end(const sb_guard *guard, const char *subject, void *result, size_t n_bytes);

/* Start it and wait. The status of the call, with its sentence and its result. SB_E_INTEGRITY: the process ended in it, by a signal that
 * says that the program failed; the sentence begins with `subject`. SB_E_MEMORY: it was killed, or cannot be started.
 */
sb_status sb_guard_call(sb_guarded *call, void *context, const char *subject, void *result, size_t n_bytes);

/* Is this such a child? Then a crash is noticed by its parent, and needs no other process around it. */
bool sb_guard_is_child(void);
