/* Two libraries read the environment before main runs and never again: OpenBLAS its kernel type, OpenMP how its threads
 * wait. Where they need another environment, the process replaces itself by itself with the right one. */
#include "backend/backend.h"
#include "core/machine/self.h"

#include <cblas.h>
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#ifdef __aarch64__
#include <sys/auxv.h>
#endif

/* Set a variable unless it has that value; true if it had to be set. */
static bool change_variable(const char *name, const char *value)
{
    const char *current = getenv(name);
    if (current && strcmp(current, value) == 0) return false;
    setenv(name, value, 1);
    return true;
}

/* What the kernel types of OpenBLAS need that not every CPU has. */
typedef struct needs {
    const char *kernel;
    bool (*has)(void);
    const char *what;
} needs;

#if defined(__x86_64__)

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

static const needs all_needs[] = {{"Haswell", has_avx2, "AVX2"},
                                  {"Zen", has_avx2, "AVX2"},
                                  {"SkylakeX", has_avx512, "AVX-512"},
                                  {"Cooperlake", has_avx512, "AVX-512"},
                                  {"SapphireRapids", has_avx512, "AVX-512"},
                                  {0}};

#elif defined(__aarch64__)

static bool has_sve(void)
{
    return getauxval(AT_HWCAP) & HWCAP_SVE;
}

static const needs all_needs[] = {{"NeoverseV1", has_sve, "SVE"},
                                  {"NeoverseN2", has_sve, "SVE"},
                                  {"ARMV8SVE", has_sve, "SVE"},
                                  {"A64FX", has_sve, "SVE"},
                                  {0}};

#else

static const needs all_needs[] = {{0}};

#endif

/* OpenBLAS takes a kernel type that it knows whether or not this CPU has its instructions, and dies of the first one. */
static sb_status check_instructions(const char *blas_kernel)
{
    for (const needs *row = all_needs; row->kernel; row++)
        if (strcasecmp(blas_kernel, row->kernel) == 0 && !row->has())
            return sb_fail(SB_E_MISSING, "OpenBLAS's kernel type '%s' needs %s, which this CPU has not", blas_kernel,
                           row->what);
    return SB_OK;
}

/* How threads wait, a variable and its value; the user's own choice is left alone. NULL: nothing is to be changed.
 *
 * OpenBLAS's own threads multiply while ours wait: the cores belong to them. The native backend's threads wait a few
 * microseconds at a time, thousands of times a window: long enough a spin that few of them go to sleep (2000 rounds: 1
 * to 2 % slower), short enough for a busy machine, where a window takes 3 % longer with 5000 and five times as long
 * with unlimited ones. */
static const char *choose_waiting(bool blas, long threads)
{
    const char *name = blas ? "OMP_WAIT_POLICY" : "GOMP_SPINCOUNT";
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || (!blas && threads <= 1)) return NULL;
    return change_variable(name, blas ? "passive" : "5000") ? name : NULL;
}

/* Where OMP_PROC_BIND is set, OpenMP has bound this thread to the first of its places before main began, and a program
 * begins on the CPUs of the thread that starts it: without this all its threads would share that one place. */
static void leave_place(void)
{
    static int cpu[CPU_SETSIZE];
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int n = omp_get_place_num_procs(place);
        if (n > CPU_SETSIZE) return;
        omp_get_place_proc_ids(place, cpu);
        for (int i = 0; i < n; i++) CPU_SET(cpu[i], &all); /* of one beyond the set it does nothing */
    }
    if (CPU_COUNT(&all)) sched_setaffinity(0, sizeof all, &all);
}

/* Returns only where the process cannot be replaced. */
static sb_status restart(char **argv)
{
    sb_self self;
    SB_TRY(sb_self_find(&self, argv));
    leave_place();
    execv(self.path, self.argv);
    const int error = errno;
    sb_self_free(&self);
    return sb_fail(SB_E_IO, "cannot start again with another environment: %s", strerror(error));
}

sb_status sb_backend_prepare(const char *backend, const char *blas_kernel, long threads, char **argv)
{
    const bool blas = strcmp(backend, "openblas") == 0;
    const bool chosen = blas && blas_kernel && *blas_kernel && strcmp(blas_kernel, "auto") != 0;
    if (chosen) SB_TRY(check_instructions(blas_kernel));
    const bool kernel_changed = chosen && change_variable("OPENBLAS_CORETYPE", blas_kernel);
    const char *waiting = choose_waiting(blas, threads);
    if (kernel_changed || waiting) {
        const sb_status status = restart(argv);
        if (kernel_changed) return status;
        unsetenv(waiting); /* that is speed alone: the threads wait as they would */
    }
    const char *got = openblas_get_corename();
    if (chosen && strcasecmp(got, blas_kernel) != 0)
        return sb_fail(SB_E_USAGE, "OpenBLAS has no kernel type '%s' that runs on this CPU: it chose %s", blas_kernel,
                       got);
    return SB_OK;
}
