#include "core/machine/clock.h"
#include "inspect/bench/bench_parts.h"
#include "inspect/child.h"

#include <stdio.h>
#include <string.h>

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

enum { LIST_TEXT = 128, N_COMMON = 10 }; /* words of a command line that every case has */

/* "3,48,96" */
static void list_text(const sb_list *list, char text[LIST_TEXT])
{
    *text = 0;
    for (int n = 0, used = 0; n < list->n && used < LIST_TEXT; n++)
        used += snprintf(text + used, (size_t)(LIST_TEXT - used), "%s%d", n ? "," : "", list->item[n]);
}

/* In a process of its own, that has no other peak. */
static sb_status measure_alone(sb_bench_case *c)
{
    int code;
    double peak_bytes;
    char backend[64], threads[16], size[32], batch[16], channels[LIST_TEXT], window[16];
    sb_bench_case_backend(c, backend);
    snprintf(threads, sizeof threads, "%ld", c->setup.threads);
    snprintf(size, sizeof size, "%dx%d", c->size.w, c->size.h);
    snprintf(window, sizeof window, "%ld", c->setup.window);
    snprintf(batch, sizeof batch, "%ld", c->setup.batch);
    list_text(c->network ? &c->setup.widths : &c->setup.channels, channels);
    char *of_video[] = {"--size", size, "--channels", channels, "--window", window};
    char *of_network[] = {"--batch", batch, "--widths", channels};
    char *argv[32] = {"samebits",           "bench",     "--only", (char *)c->study, "--backend", backend, "--isa",
                      (char *)c->setup.isa, "--threads", threads};
    if (c->network)
        memcpy(argv + N_COMMON, of_network, (c->setup.widths.n ? 4 : 2) * sizeof *of_network);
    else
        memcpy(argv + N_COMMON, of_video, sizeof of_video);
    SB_TRY(sb_child_run(argv, &code, &peak_bytes));
    if (code != 0)
        return sb_fail(SB_E_IO,
                       "samebits bench: the process that measures memory failed; try --only %s with one "
                       "--backend and one number of --threads",
                       c->study);
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
