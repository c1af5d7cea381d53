/* A shared library that may be absent, opened by the first of several names that is of use here, and its functions by
 * name. */
#ifndef SB_OPS_LIBRARY_H
#define SB_OPS_LIBRARY_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_symbol {
    const char *name;
    void (**function)(void); /* where its address goes */
} sb_symbol;

/* Does a library whose symbols were found start? If not, sb_message says why, and nothing of it stays open: a library
 * that is newer than the driver opens well and starts nowhere, while an older one next to it would. */
typedef sb_status sb_library_start(void *context);

/* Opens the library that the environment variable names (tests do) or else, of names (ended by NULL), the first that
 * opens, has all symbols (ended by a row without a name) and starts (start may be NULL). The handle is for
 * sb_library_close; the code stays mapped. SB_E_MISSING: none; the sentence is about the first that is there, or, where
 * none is, about the first name. */
sb_status sb_library_open(void **handle, const char *title, const char *variable, const char *const *names,
                          const sb_symbol *symbols, sb_library_start *start, void *context);
void sb_library_close(void *handle); /* NULL is fine */

/* Variables of the environment by which NVIDIA's libraries change their arithmetic without being asked by the program:
 * NVIDIA_TF32_OVERRIDE, CUBLAS_EMULATE_SINGLE_PRECISION. SB_E_USAGE where one is set to anything that would: a run says
 * in its settings how it computed, and would be wrong. title: of the library. */
sb_status sb_library_environment(const char *title, bool tf32);

#endif
