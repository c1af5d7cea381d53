/* Opens a shared library that may be absent, by the first usable of several names, and finds its functions. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_symbol {
    const char *name;
    void (**function)(void); /* set to its address */
} sb_symbol;

/* Start a library whose symbols were found. On failure sb_message says why and nothing stays open. Needed because a
 * library that is newer than the driver can be opened but does not start, while an older installed one may start. */
typedef sb_status sb_library_start(void *context);

/* Open the library that the environment variable names (for tests), or else the first of `names` (ended by NULL) that
 * opens, has all symbols (ended by a row without a name) and starts (start may be NULL). The caller gives *handle to
 * sb_library_close; the code stays mapped. SB_E_MISSING: no library is usable; the message is about the first that
 * exists, or else about the first name. */
sb_status sb_library_open(void **handle, const char *title, const char *variable, const char *const *names,
                          const sb_symbol *symbols, sb_library_start *start, void *context);
void sb_library_close(void *handle); /* NULL does nothing */

/* SB_E_USAGE if an environment variable makes NVIDIA's libraries change their arithmetic, NVIDIA_TF32_OVERRIDE or
 * CUBLAS_EMULATE_SINGLE_PRECISION: then the recorded settings of a run would be wrong. title: name of the library, for
 * the message. */
sb_status sb_library_environment(const char *title, bool tf32);
