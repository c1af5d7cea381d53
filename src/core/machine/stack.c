#define _GNU_SOURCE /* pthread_getattr_np */
#include "core/machine/stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
        return sb_fail(SB_E_MEMORY, "not enough memory for a stack of %.1f MiB; 'ulimit -s' says how much it may have",
                       n_bytes / 1048576.0);
    touch(n_bytes);
    return SB_OK;
}

size_t sb_stack_left(void)
{
    pthread_attr_t attributes;
    void *lowest;
    size_t n_bytes;
    char here;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return SIZE_MAX;
    const bool is_known = pthread_attr_getstack(&attributes, &lowest, &n_bytes) == 0;
    pthread_attr_destroy(&attributes);
    return is_known ? (size_t)((uintptr_t)&here - (uintptr_t)lowest) : SIZE_MAX;
}

sb_status sb_stack_check_threads(size_t left, size_t n_bytes)
{
    static const char *const variables[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE", "KMP_STACKSIZE"};
    const char *cause = "'ulimit -s'";
    if (left >= n_bytes) return SB_OK;
    for (size_t i = sizeof variables / sizeof *variables; i-- > 0;)
        if (getenv(variables[i])) cause = variables[i];
    return sb_fail(SB_E_MEMORY,
                   "not enough memory for a stack of %.1f MiB: threads have %.1f MiB by %s; make it 2 MiB "
                   "or more",
                   n_bytes / 1048576.0, left / 1048576.0, cause);
}
