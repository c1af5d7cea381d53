#include "core/clock.h"
#include "inspect/bench_parts.h"
#include "inspect/child.h"

#include <stdio.h>

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

/* In a process of its own, that has no other peak. */
static sb_status measure_alone(sb_bench_case *c)
{
    int code;
    double peak_bytes;
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
    SB_TRY(sb_child_run(argv, &code, &peak_bytes));
    if (code != 0)
        return sb_fail(SB_E_IO, "samebits bench: the process that measures memory failed; try --only memory with one "
                                "--backend and one number of --threads");
    sb_series_add(&c->memory_mib, peak_bytes / mib);
    return SB_OK;
}

sb_status sb_bench_measure_memory(sb_bench_state *state)
{
    const bool alone = state->n_memory == 1 && state->n_cases == 0 && !state->profiled.study;
    if (alone) return measure_here(&state->memory[0]);
    for (int i = 0; i < state->n_memory; i++) SB_TRY(measure_alone(&state->memory[i]));
    return SB_OK;
}
