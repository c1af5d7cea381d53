#include "inspect/bench/bench_parts.h"

#include "core/machine/clock.h"
#include "core/machine/guard.h"
#include "core/text/plural.h"

#include <math.h>
#include <stdio.h>

/* The first thing that will be measured: of the timed cases, else of memory, else the profiled one. */
static const sb_bench_case *first_case(const sb_bench_state *state)
{
    return state->n_cases ? &state->cases[0] : state->n_memory ? &state->memory[0] : &state->profiled;
}

/* One window of it after its warm-up: the seconds of a floating-point operation. */
static sb_status measure_first(void *context, void *result)
{
    sb_bench_case c = *first_case(context);
    SB_TRY(sb_bench_case_time(&c, 0));
    *(double *)result = c.seconds.value[0] / c.flop;
    return SB_OK;
}

/* A time is made of whole windows, one of them to warm up. */
static double windows_seconds(const sb_bench_case *c, double per_flop, double least_s)
{
    const double window_s = c->flop * per_flop;
    return window_s + window_s * fmax(1, ceil(least_s / window_s));
}

double sb_bench_forecast(const sb_bench_state *state, double per_flop, double least_s, double ceilings_s)
{
    const double rounds = (double)state->options->rounds;
    double seconds = 0;
    for (int i = 0; i < state->n_cases; i++)
        seconds += rounds * (ceilings_s + windows_seconds(&state->cases[i], per_flop, least_s));
    for (int i = 0; i < state->n_memory; i++) seconds += windows_seconds(&state->memory[i], per_flop, 0);
    if (state->profiled.study) seconds += windows_seconds(&state->profiled, per_flop, least_s) * rounds;
    return seconds;
}

sb_status sb_bench_tell_forecast(const sb_bench_state *state, double least_s, double ceilings_s)
{
    double per_flop = 0;
    char text[32];
    const sb_backend *backend = sb_backend_find(first_case(state)->setup.backend);
    if (backend->is_on_gpu) /* which no process can use that was forked where CUDA has been asked for devices */
        SB_TRY(measure_first((void *)(uintptr_t)state, &per_flop));
    else
        SB_TRY(sb_guard_call(measure_first, (void *)(uintptr_t)state, "samebits bench", &per_flop, sizeof per_flop));
    sb_duration_text(sb_bench_forecast(state, per_flop, least_s, ceilings_s), text);
    const int n = state->n_cases + state->n_memory + (state->profiled.study && state->n_cases == 0);
    fprintf(stderr, "samebits bench: %d case%s, %ld round%s: about %s, if every case computes as fast as the first did "
                    "just now (%.3g GFLOP/s)%s\n",
            n, sb_plural((size_t)n), state->options->rounds, sb_plural((size_t)state->options->rounds), text,
            1e-9 / per_flop, state->options->quick ? "" : "; --quick takes one round of short windows");
    return SB_OK;
}
