#include "inspect/bench/bench.h"

#include "core/screen/progress.h"
#include "core/text/plural.h"
#include "inspect/bench/bench_ceiling.h"
#include "inspect/bench/bench_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A time below this is made of several windows. */
static const double at_least = 0.5, at_least_quick = 0.02;                 /* seconds */
static const double ceiling_at_least = 0.2, ceiling_at_least_quick = 0.01; /* each */

enum { GEMM_SIZE = 2048, GEMM_SIZE_QUICK = 512 };

static double least_seconds(const sb_bench_state *state)
{
    return state->options->quick ? at_least_quick : at_least;
}

static double ceiling_seconds(const sb_bench_state *state)
{
    return state->options->quick ? ceiling_at_least_quick : ceiling_at_least;
}

const char *sb_bench_isa_of(const sb_bench_state *state, const sb_bench_case *c)
{
    return sb_bench_case_is_native(c) ? c->variant : state->best_isa;
}

sb_status sb_bench_measure_ceilings(const sb_bench_state *state, sb_bench_case *c)
{
    const bool quick = state->options->quick;
    const double seconds = ceiling_seconds(state);
    const int threads = (int)c->setup.threads;
    double gemm;
    SB_TRY(sb_ceiling_gemm(quick ? GEMM_SIZE_QUICK : GEMM_SIZE, threads, seconds, &gemm));
    sb_series_add(&c->gemm, gemm);
    sb_series_add(&c->peak, sb_ceiling_peak(sb_bench_isa_of(state, c), threads, seconds));
    return SB_OK;
}

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
    sb_progress progress = sb_progress_begin("bench", (double)(rounds * state->n_cases));
    sb_status status = SB_OK;
    for (long round = 0; status == SB_OK && round < rounds; round++) {
        for (int i = 0; status == SB_OK && i < state->n_cases; i++) {
            sb_bench_case *c = &state->cases[i];
            status = sb_bench_measure_ceilings(state, c);
            if (status == SB_OK) status = sb_bench_case_time(c, least_seconds(state));
            if (status != SB_OK) break;
            compare(state, c);
            char backend[64];
            sb_bench_case_backend(c, backend);
            sb_progress_show(&progress, (double)(round * state->n_cases + i + 1), "%s, %s, %ld thread%s: %.3g s",
                             c->study, backend, c->setup.threads, sb_plural((size_t)c->setup.threads),
                             c->seconds.value[round]);
        }
        for (int k = 0; status == SB_OK && k < state->n_batches; k++)
            status = sb_bench_batches_time(&state->batches[k], k, least_seconds(state));
    }
    sb_progress_end(&progress);
    return status;
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

sb_status sb_bench(const sb_bench_options *options)
{
    sb_bench_state *state = calloc(1, sizeof *state);
    if (!state) return sb_fail(SB_E_MEMORY, "not enough memory for a benchmark");
    state->options = options;
    sb_status status = sb_bench_choose(state);
    /* One alone, such as a process that measures memory, is over before a forecast would be. */
    if (status == SB_OK && state->n_cases + state->n_memory > 1)
        status = sb_bench_tell_forecast(state, least_seconds(state), 2 * ceiling_seconds(state));
    if (status == SB_OK) status = sb_bench_measure_memory(state);
    if (status == SB_OK) status = run_rounds(state);
    if (status == SB_OK && state->profiled.study) status = sb_bench_profile(state, least_seconds(state));
    if (status == SB_OK) warn_of_noise(state);
    if (status == SB_OK && !options->json) sb_bench_print(state);
    if (status == SB_OK && !options->json && state->profiled.study) sb_bench_print_operations(state);
    if (status == SB_OK && options->json) status = sb_bench_print_json(state);
    if (status == SB_OK && options->output) status = sb_bench_write_csv(state, options->output);
    free(state);
    return status;
}
