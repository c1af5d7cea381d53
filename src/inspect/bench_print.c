#include "inspect/bench_parts.h"

#include <stdio.h>
#include <string.h>

/* median [min max] */
static void print_spread(const char *format, const sb_series *series)
{
    sb_spread s = sb_series_spread(series);
    if (series->n == 0) {
        printf("  %23s", "");
        return;
    }
    char number[3][32], text[128];
    snprintf(number[0], sizeof *number, format, s.median);
    snprintf(number[1], sizeof *number, format, s.min);
    snprintf(number[2], sizeof *number, format, s.max);
    if (series->n > 1)
        snprintf(text, sizeof text, "%s [%s %s]", number[0], number[1], number[2]);
    else
        snprintf(text, sizeof text, "%s", number[0]);
    printf("  %23s", text);
}

static void print_ceilings(const sb_bench_state *state)
{
    printf("ceilings, GFLOP/s\n  %-10s %7s  %23s  %23s\n", "isa", "threads", "fma peak", "OpenBLAS sgemm");
    for (int i = 0; i < state->n_ceilings; i++) {
        const sb_bench_ceiling *ceiling = &state->ceiling[i];
        printf("  %-10s %7d", ceiling->isa, ceiling->threads);
        print_spread("%.1f", &ceiling->peak);
        print_spread("%.1f", &ceiling->gemm);
        putchar('\n');
    }
}

/* What a reader of this study asks first: frames a second, milliseconds a frame, samples a second. */
static void print_speed(const sb_bench_case *c)
{
    const double seconds = sb_series_spread(&c->seconds).median;
    if (!sb_bench_case_learns(c))
        printf("  %.3g ms/frame", 1e3 * seconds / c->samples);
    else if (strcmp(c->setup.model, "prednet") == 0)
        printf("  %.3g updates/s, %.3g frames/s", 1 / seconds, c->samples / seconds);
    else
        printf("  %.0f samples/s", c->samples / seconds);
}

void sb_bench_print(sb_bench_state *state)
{
    print_ceilings(state);
    printf("\nmedian [min max] of %ld rounds; GFLOP/s counted as direct convolution\n", state->options->rounds);
    printf("%-12s %5s %-17s %-9s %7s  %23s  %9s %23s  %6s  %23s\n", "study", "batch", "backend", "variant", "threads",
           "s/window", "GFLOP/s", "x sgemm", "x peak", "speed-up");
    for (int i = 0; i < state->n_cases; i++) {
        const sb_bench_case *c = &state->cases[i];
        char backend[64];
        snprintf(backend, sizeof backend, "%s%s%s", c->setup.backend, sb_bench_is_native(&c->setup) ? "/" : "",
                 sb_bench_is_native(&c->setup) ? c->setup.arithmetic : "");
        printf("%-12s %5d %-17s %-9s %7ld", c->study, c->samples, backend, c->variant, c->setup.threads);
        print_spread("%.4g", &c->seconds);
        printf("  %9.1f", sb_series_spread(&c->gflops).median);
        print_spread("%.3f", &c->to_gemm);
        printf("  %6.2f", sb_series_spread(&c->to_peak).median);
        print_spread("%.2f", &c->speed_up);
        print_speed(c);
        putchar('\n');
    }
}
