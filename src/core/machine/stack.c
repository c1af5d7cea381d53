#define _POSIX_C_SOURCE 200809L /* getrlimit */
#include "core/machine/stack.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Of address space, what this process has; 0: unknown. */
static size_t taken(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool is_beyond(int resource, size_t n_bytes)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && n_bytes > limit.rlim_cur;
}

static __attribute__((noinline)) void touch(size_t n_bytes)
{
    enum { STEP = 2048 };
    volatile char step[STEP];
    step[0] = 0;
    if (n_bytes > STEP) touch(n_bytes - STEP);
    step[STEP - 1] = step[0];
}

sb_status sb_stack_grow(size_t n_bytes)
{
    if (is_beyond(RLIMIT_STACK, n_bytes) || is_beyond(RLIMIT_AS, taken() + n_bytes))
        return sb_fail(SB_E_MEMORY, "not enough memory for a stack of %.1f MiB", n_bytes / 1048576.0);
    touch(n_bytes);
    return SB_OK;
}
