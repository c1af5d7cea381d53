#include "inspect/bench/bench_parts.h"

#include "core/machine/clock.h"
#include "core/machine/guard.h"
#include "core/screen/progress.h"
#include "core/text/plural.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A time below this is made of several windows. */
static const double at_least = 0.5, at_least_quick = 0.02; /* seconds */

static double least_seconds(const sb_bench_state *state)
{
    return state->options->quick ? at_least_quick : at_least;
}

/* ---- how long it takes ---- */

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

static sb_status tell_forecast(const sb_bench_state *state, double least_s, double ceilings_s)
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
    fprintf(stderr,
            "samebits bench: %d case%s, %ld round%s: about %s, if every case computes as fast as the first did "
            "just now (%.3g GFLOP/s)%s\n",
            n, sb_plural((size_t)n), state->options->rounds, sb_plural((size_t)state->options->rounds), text,
            1e-9 / per_flop, state->options->quick ? "" : "; --quick takes one round of short windows");
    return SB_OK;
}

/* ---- rounds ---- */

/* The same case on the first number of threads; NULL if c itself runs on it. */
static const sb_bench_case *fewest_threads(const sb_bench_state *state, const sb_bench_case *c)
{
    for (const sb_bench_case *other = state->cases; other < c; other++)
        if (strcmp(other->study, c->study) == 0 && strcmp(other->setup.backend, c->setup.backend) == 0 &&
            strcmp(other->setup.arithmetic, c->setup.arithmetic) == 0 && strcmp(other->variant, c->variant) == 0 &&
            other->flop == c->flop && other->setup.threads != c->setup.threads)
            return other;
    return NULL;
}

/* What follows from the seconds of this round. */
static void compare(const sb_bench_state *state, sb_bench_case *c)
{
    const sb_bench_case *fewest = fewest_threads(state, c);
    const int round = c->seconds.n - 1;
    const double seconds = c->seconds.value[round];
    const double gflops = c->flop / seconds * 1e-9;
    sb_series_add(&c->gflops, gflops);
    sb_series_add(&c->to_gemm, gflops / c->gemm.value[round]);
    sb_series_add(&c->to_peak, gflops / c->peak.value[round]);
    if (fewest) sb_series_add(&c->speed_up, fewest->seconds.value[round] / seconds);
}

static sb_status run_rounds(sb_bench_state *state)
{
    const long rounds = state->n_cases + state->n_batches ? state->options->rounds : 0;
    SB_OWNED(sb_progress_end) sb_progress progress = sb_progress_begin("bench", (double)(rounds * state->n_cases));
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < state->n_cases; i++) {
            sb_bench_case *c = &state->cases[i];
            SB_TRY(sb_bench_measure_ceilings(state, c));
            SB_TRY(sb_bench_case_time(c, least_seconds(state)));
            compare(state, c);
            char backend[64];
            sb_bench_case_backend(c, backend);
            sb_progress_show(&progress, (double)(round * state->n_cases + i + 1), "%s, %s, %ld thread%s: %.3g s",
                             c->study, backend, c->setup.threads, sb_plural((size_t)c->setup.threads),
                             c->seconds.value[round]);
        }
        for (int k = 0; k < state->n_batches; k++)
            SB_TRY(sb_bench_batches_time(&state->batches[k], k, least_seconds(state)));
    }
    return SB_OK;
}

/* On one thread, where nothing waits for another thread of ours. */
static void warn_of_noise(const sb_bench_state *state)
{
    sb_series share = {0};
    for (int i = 0; i < state->n_cases && share.n < SB_ROUNDS_MAX; i++)
        if (state->cases[i].setup.threads == 1)
            sb_series_add(&share, sb_series_spread(&state->cases[i].cpu_share).median);
    const double got = sb_series_spread(&share).median;
    if (share.n && got < 0.95)
        fprintf(stderr,
                "samebits bench: other programs wanted the CPU: cases on one thread got %.0f %% of it; mistrust times "
                "more than ratios, and ratios too\n",
                100 * got);
}

static void free_state(sb_bench_state **state)
{
    for (int i = 0; *state && i < (*state)->n_kernels; i++) free((*state)->kernels[i].kernel);
    free(*state);
}

static sb_status run_models(sb_bench_state *state)
{
    for (int i = 0; i < state->n_kernels; i++) {
        SB_TRY(sb_bench_kernels_measure(state->kernels, i, (int)state->options->rounds));
        sb_bench_kernels_print(&state->kernels[i]);
    }
    for (int i = 0; i < state->n_paths; i++) SB_TRY(sb_bench_path_print(&state->paths[i], state->options->times));
    return SB_OK;
}

sb_status sb_bench(const sb_bench_options *options)
{
    SB_OWNED(free_state) sb_bench_state *state = calloc(1, sizeof *state);
    if (!state) return sb_fail(SB_E_MEMORY, "not enough memory for a benchmark");
    state->options = options;
    SB_TRY(sb_bench_choose(state));
    /* One alone, such as a process that measures memory, is over before a forecast would be. */
    if (state->n_cases + state->n_memory > 1)
        SB_TRY(tell_forecast(state, least_seconds(state), 2 * sb_bench_ceiling_seconds(state)));
    SB_TRY(sb_bench_measure_memory(state));
    SB_TRY(run_rounds(state));
    if (state->profiled.study) SB_TRY(sb_bench_profile(state, least_seconds(state)));
    warn_of_noise(state);
    if (!options->json) sb_bench_print(state);
    if (!options->json && state->profiled.study) sb_bench_print_operations(state);
    SB_TRY(run_models(state));
    if (options->json) SB_TRY(sb_bench_print_json(state));
    if (options->output) SB_TRY(sb_bench_write_csv(state, options->output));
    return SB_OK;
}
