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

/* The first of names that opens; else NULL, and said holds the loader's words: of the first library that is there and
 * does not open, or, where none is, of the first name. */
static void *open_first(const char *const *names, char *said, size_t size)
{
    bool is_there = false;
    *said = 0;
    for (; *names; names++) {
        void *handle = dlopen(*names, FLAGS);
        if (handle) return handle;
        const char *words = dlerror();
        bool absent = strncmp(words, *names, strlen(*names)) == 0 && strstr(words, "cannot open shared object file");
        if (!*said || (!absent && !is_there)) snprintf(said, size, "%s", words);
        is_there = is_there || !absent;
    }
    return NULL;
}

sb_status sb_library_open(void **handle, const char *title, const char *variable, const char *const *names,
                          const sb_symbol *symbols)
{
    char said[256];
    const char *chosen[] = {getenv(variable), NULL};
    *handle = open_first(chosen[0] && *chosen[0] ? chosen : names, said, sizeof said);
    if (!*handle)
        return sb_fail(SB_E_MISSING, "%s is not here (%s); install it, or name it in %s", title, said, variable);
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
