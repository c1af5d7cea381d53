#include "core/machine/stack.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

enum { THREAD_BYTES = 128 << 10 }; /* of a thread's stack: what its start and its own variables take */

/* SIZE, or SIZE and B, K, M or G, as libgomp reads it: without a letter in K. 0: it takes no notice of such a text. */
static size_t stack_size(const char *text)
{
    static const char units[] = "BKMG";
    char unit = 'K', rest = 0;
    unsigned long size;
    if (!text || sscanf(text, "%lu %c %c", &size, &unit, &rest) < 1 || rest) return 0;
    const char *found = strchr(units, toupper((unsigned char)unit));
    return found && size < ULONG_MAX >> 30 ? (size_t)size << 10 * (found - units) : 0;
}

sb_status sb_stack_check_threads(size_t n_bytes)
{
    static const char *const variables[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"}; /* the first that is a size counts */
    size_t size = 0;
    size_t i = 0;
    while (i < sizeof variables / sizeof *variables && !(size = stack_size(getenv(variables[i])))) i++;
    if (!size || size >= n_bytes + THREAD_BYTES) return SB_OK;
    return sb_fail(SB_E_MEMORY,
                   "not enough memory for a stack of %.1f MiB: threads have %.1f MiB by %s; make it 2 MiB or more",
                   n_bytes / 1048576.0, size / 1048576.0, variables[i]);
}
