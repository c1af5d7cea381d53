#include "trial.h"

#include "core/machine/guard.h"
#include "io/h5/h5_parts.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool __wrap_sb_guard_is_child(void);
bool __wrap_sb_guard_is_child(void)
{
    return true;
}

/* Here, too: in another process neither coverage nor crash would be seen. */
sb_status __wrap_sb_guard_call(sb_guarded *call, void *context, const char *subject, void *result, size_t n_bytes);
sb_status __wrap_sb_guard_call(sb_guarded *call, void *context, const char *subject, void *result, size_t n_bytes)
{
    (void)subject, (void)n_bytes;
    return call(context, result);
}

/* Seen by the process beside this one, too. */
static struct seen {
    bool library, ours;
} * seen;
static bool is_beside;

/* The innermost function that is the library's or ours; of a function that is not exported, the exported one before it
 * lies in the same object, or at least in one of the same owner. */
static bool library_failed(void)
{
    void *frame[64];
    int n = backtrace(frame, 64);
    for (int i = 0; i < n; i++) {
        Dl_info about;
        if (!dladdr(frame[i], &about) || !about.dli_sname) continue;
        if (strncmp(about.dli_sname, "H5", 2) == 0) return true;
        if (strncmp(about.dli_sname, "sb_", 3) == 0 && strncmp(about.dli_sname, "sb_trial", 8) != 0) return false;
    }
    return true;
}

static void note_and_end(void)
{
    *(library_failed() ? &seen->library : &seen->ours) = true;
    _exit(EXIT_FAILURE);
}

/* Called by the address sanitizer before it reports. */
void __asan_on_error(void);
void __asan_on_error(void)
{
    if (is_beside) note_and_end();
}

/* Of any sanitizer; absent without one. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void enter_beside(void)
{
    is_beside = true;
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(note_and_end);
}

static void start(void)
{
    void *frame[1];
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED || pthread_atfork(NULL, NULL, enter_beside) != 0) abort();
    backtrace(frame, 1); /* loads what it needs, while memory is whole */
}

bool sb_trial_survived(const char *path, bool is_sealed)
{
    if (!seen) start();
    *seen = (struct seen){false, false};
    (void)sb_h5_try(path, is_sealed);
    if (!seen->ours) return !seen->library && !strstr(sb_message(), "the HDF5 library breaks down over it");
    fprintf(stderr, "our own code crashed in the process beside: %s\n", sb_message());
    abort();
}
