#include "ops/library/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Libraries that register device code, start threads or load others of their own are not made to be unloaded. */
enum { FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

/* ---- opening ---- */

/* What is asked of a library, and what is said where none does: of the first that is there, or of the first name. */
typedef struct request {
    const char *title, *variable;
    const sb_symbol *symbols;
    sb_library_start *start;
    void *context;
    bool has_sentence, is_there;
    char sentence[512];
} request;

static void keep_sentence(request *r, bool is_there)
{
    if (r->has_sentence && (r->is_there || !is_there)) return;
    r->has_sentence = true, r->is_there = is_there;
    snprintf(r->sentence, sizeof r->sentence, "%s", sb_message());
}

static sb_status find_all(const request *r, void *handle)
{
    for (const sb_symbol *symbol = r->symbols; symbol->name; symbol++) {
        void *address = dlsym(handle, symbol->name);
        if (!address) return sb_fail(SB_E_MISSING, "%s has no %s; another version is needed", r->title, symbol->name);
        memcpy(symbol->function, &address, sizeof address); /* ISO C has no cast from data to function */
    }
    return SB_OK;
}

/* The loader says the name first where there is no such file, and something else of a file that is broken. */
static bool is_absent(const char *name, const char *words)
{
    return strncmp(words, name, strlen(name)) == 0 && strstr(words, "cannot open shared object file");
}

static void *open_one(request *r, const char *name)
{
    void *handle = dlopen(name, FLAGS);
    if (!handle) {
        const char *words = dlerror();
        sb_fail(SB_E_MISSING, "%s is not here (%.256s); install it, or name it in %s", r->title, words, r->variable);
        keep_sentence(r, !is_absent(name, words));
        return NULL;
    }
    if (find_all(r, handle) == SB_OK && (!r->start || r->start(r->context) == SB_OK)) return handle;
    keep_sentence(r, true);
    dlclose(handle);
    return NULL;
}

sb_status sb_library_open(void **handle, const char *title, const char *variable, const char *const *names,
                          const sb_symbol *symbols, sb_library_start *start, void *context)
{
    const char *chosen[] = {getenv(variable), NULL};
    request r = {.title = title, .variable = variable, .symbols = symbols, .start = start, .context = context};
    *handle = NULL;
    for (const char *const *name = chosen[0] && *chosen[0] ? chosen : names; *name && !*handle; name++)
        *handle = open_one(&r, *name);
    return *handle ? SB_OK : sb_fail(SB_E_MISSING, "%s", r.sentence);
}

void sb_library_close(void *handle)
{
    if (handle) dlclose(handle);
}

/* ---- the environment ---- */

static const struct {
    const char *name, *does, *advice;
    bool zero_forbids_tf32; /* else 0 is as if it were not set */
} overrides[] = {{"NVIDIA_TF32_OVERRIDE", "decides on TF32 by itself", "unset it, and choose by --tf32", true},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "emulates float32 by bfloat16", "unset it", false}};

sb_status sb_library_environment(const char *title, bool tf32)
{
    for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++) {
        const char *value = getenv(overrides[i].name);
        bool harmless = !value || (strcmp(value, "0") == 0 && !(overrides[i].zero_forbids_tf32 && tf32));
        if (!harmless)
            return sb_fail(SB_E_USAGE, "%s=%.32s: with it %s %s, against the settings of the run; %s",
                           overrides[i].name, value, title, overrides[i].does, overrides[i].advice);
    }
    return SB_OK;
}
