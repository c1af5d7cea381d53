/* Two libraries read the environment before main runs and never again: OpenBLAS its kernel type, OpenMP how its threads
 * wait. Where they need another environment, the process replaces itself by itself with the right one. */
#define _POSIX_C_SOURCE 200809L
#include "backend/backend.h"

#include <cblas.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Set a variable unless it has that value; true if it had to be set. */
static bool change_variable(const char *name, const char *value)
{
    const char *current = getenv(name);
    if (current && strcmp(current, value) == 0) return false;
    setenv(name, value, 1);
    return true;
}

/* The user's own choice of how threads wait is left alone. */
static bool choose_waiting(const char *name, const char *value)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return false;
    return change_variable(name, value);
}

/* OpenBLAS takes a kernel type that it knows whether or not this CPU has its instructions, and dies of the first one. */
static sb_status check_instructions(const char *blas_kernel)
{
    static const struct {
        const char *kernel;
        bool avx512; /* else AVX2 and FMA */
    } needs[] = {
        {"Haswell", false}, {"Zen", false}, {"SkylakeX", true}, {"Cooperlake", true}, {"SapphireRapids", true}};
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (strcasecmp(blas_kernel, needs[i].kernel) == 0 && !(needs[i].avx512 ? has_avx512 : has_avx2))
            return sb_fail(SB_E_MISSING, "OpenBLAS's kernel type '%s' needs %s, which this CPU has not", blas_kernel,
                           needs[i].avx512 ? "AVX-512" : "AVX2");
    return SB_OK;
}

sb_status sb_backend_prepare(const char *backend, const char *blas_kernel, long threads, char **argv)
{
    bool blas = strcmp(backend, "openblas") == 0, changed = false;
    bool chosen = blas && blas_kernel && *blas_kernel && strcmp(blas_kernel, "auto") != 0;
    if (chosen) {
        SB_TRY(check_instructions(blas_kernel));
        changed = change_variable("OPENBLAS_CORETYPE", blas_kernel);
    }
    /* OpenBLAS's own threads multiply while ours wait: the cores belong to them. The native backend's threads wait a
     * few microseconds at a time, thousands of times a window: long enough a spin that few of them go to sleep (2000
     * rounds: 1 to 2 % slower), short enough for a busy machine, where 5000 cost 3 % of a window and endless ones make
     * five of it. */
    if (blas)
        changed = choose_waiting("OMP_WAIT_POLICY", "passive") || changed;
    else if (threads > 1)
        changed = choose_waiting("GOMP_SPINCOUNT", "5000") || changed;
    if (changed) {
        execv("/proc/self/exe", argv);
        return sb_fail(SB_E_IO, "cannot start again with another environment: %s", strerror(errno));
    }
    const char *got = openblas_get_corename();
    if (chosen && strcasecmp(got, blas_kernel) != 0)
        return sb_fail(SB_E_USAGE, "OpenBLAS has no kernel type '%s' that runs on this CPU: it chose %s", blas_kernel,
                       got);
    return SB_OK;
}
