#include "ops/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Libraries that register device code, start threads or load others of their own are not made to be unloaded. */
enum { FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

static sb_status find_all(void *handle, const char *title, const sb_symbol *symbols)
{
    for (const sb_symbol *symbol = symbols; symbol->name; symbol++) {
        void *address = dlsym(handle, symbol->name);
        if (!address) return sb_fail(SB_E_MISSING, "%s has no %s; another version is needed", title, symbol->name);
        memcpy(symbol->function, &address, sizeof address); /* ISO C has no cast from data to function */
    }
    return SB_OK;
}

sb_status sb_library_open(void **handle, const char *title, const char *variable, const char *const *names,
                          const sb_symbol *symbols)
{
    const char *chosen = getenv(variable);
    *handle = NULL;
    if (chosen && *chosen) *handle = dlopen(chosen, FLAGS);
    for (int i = 0; !(chosen && *chosen) && !*handle && names[i]; i++) *handle = dlopen(names[i], FLAGS);
    if (!*handle)
        return sb_fail(SB_E_MISSING, "%s is not here (%s); install it, or name it in %s", title, dlerror(), variable);
    sb_status status = find_all(*handle, title, symbols);
    if (status == SB_OK) return SB_OK;
    dlclose(*handle);
    *handle = NULL;
    return status;
}

void sb_library_close(void *handle)
{
    if (handle) dlclose(handle);
}
