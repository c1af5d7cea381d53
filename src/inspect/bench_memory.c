#define _DEFAULT_SOURCE /* wait4 */
#include "core/clock.h"
#include "inspect/bench_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const double mib = 1048576;

/* One update. */
static sb_status measure_here(sb_bench_case *c)
{
    sb_bench_trial trial;
    SB_TRY(sb_bench_trial_open(&trial, c));
    sb_status status = sb_bench_trial_window(&trial);
    sb_bench_trial_close(&trial);
    sb_series_add(&c->memory_mib, (double)sb_peak_memory_bytes() / mib);
    return status;
}

/* Wait for the child; its peak. */
static sb_status wait_for(pid_t child, double *memory_mib)
{
    struct rusage usage;
    int ended;
    pid_t got;
    do got = wait4(child, &ended, 0, &usage);
    while (got < 0 && errno == EINTR);
    if (got < 0) return sb_fail(SB_E_IO, "samebits bench: %s", strerror(errno));
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return sb_fail(SB_E_IO, "samebits bench: the process that measures memory failed; try --only memory with one "
                                "--backend and one number of --threads");
    *memory_mib = (double)usage.ru_maxrss * 1024 / mib;
    return SB_OK;
}

/* This program again, with one case; what it prints is not wanted. */
static sb_status start_child(const sb_bench_case *c, pid_t *child)
{
    char backend[64], threads[16], size[32], channels[128] = "", window[16];
    sb_bench_case_backend(c, backend);
    snprintf(threads, sizeof threads, "%ld", c->setup.threads);
    snprintf(size, sizeof size, "%dx%d", c->size.w, c->size.h);
    snprintf(window, sizeof window, "%ld", c->setup.window);
    for (int n = 0, used = 0; n < c->setup.channels.n && used < (int)sizeof channels; n++)
        used +=
            snprintf(channels + used, sizeof channels - (size_t)used, "%s%d", n ? "," : "", c->setup.channels.item[n]);
    char *argv[] = {"samebits",           "bench",  "--only", "memory",     "--backend", backend,    "--isa",
                    (char *)c->setup.isa, "--size", size,     "--channels", channels,    "--window", window,
                    "--threads",          threads,  NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return sb_fail(SB_E_IO, "samebits bench: %s", strerror(error));
    error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn(child, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error ? sb_fail(SB_E_IO, "samebits bench: cannot start a process: %s", strerror(error)) : SB_OK;
}

sb_status sb_bench_measure_memory(sb_bench_state *state)
{
    const bool alone = state->n_memory == 1 && state->n_cases == 0 && !state->profiled.study;
    if (alone) return measure_here(&state->memory[0]);
    for (int i = 0; i < state->n_memory; i++) {
        pid_t child;
        double memory_mib = 0;
        SB_TRY(start_child(&state->memory[i], &child));
        SB_TRY(wait_for(child, &memory_mib));
        sb_series_add(&state->memory[i].memory_mib, memory_mib);
    }
    return SB_OK;
}
