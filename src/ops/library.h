/* A shared library that may be absent, opened by the first of several names, and its functions by name. */
#ifndef SB_OPS_LIBRARY_H
#define SB_OPS_LIBRARY_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_symbol {
    const char *name;
    void (**function)(void); /* where its address goes */
} sb_symbol;

/* Opens the library that the environment variable names (tests do) or else the first of names (ended by NULL), and
 * finds all symbols (ended by a row without a name). The handle is for sb_library_close; the code stays mapped.
 * SB_E_MISSING says which name failed, and why. */
sb_status sb_library_open(void **handle, const char *title, const char *variable, const char *const *names,
                          const sb_symbol *symbols);
void sb_library_close(void *handle); /* NULL is fine */

#endif
