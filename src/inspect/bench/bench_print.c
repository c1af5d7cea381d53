#include "inspect/bench/bench_parts.h"

#include "core/text/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* median [min max] */
static void print_spread(const char *format, const sb_series *series)
{
    const sb_spread s = sb_series_spread(series);
    char number[3][32], text[128] = "";
    snprintf(number[0], sizeof *number, format, s.median);
    snprintf(number[1], sizeof *number, format, s.min);
    snprintf(number[2], sizeof *number, format, s.max);
    if (series->n > 1)
        snprintf(text, sizeof text, "%s [%s %s]", number[0], number[1], number[2]);
    else if (series->n == 1)
        snprintf(text, sizeof text, "%s", number[0]);
    printf("  %22s", text);
}

/* The ceilings of the cases on one instruction set and number of threads, each case's median. */
static void print_ceiling(const sb_bench_state *state, const char *isa, long threads)
{
    sb_series peak = {0}, gemm = {0};
    for (int i = 0; i < state->n_cases && peak.n < SB_ROUNDS_MAX; i++) {
        const sb_bench_case *c = &state->cases[i];
        if (c->setup.threads != threads || strcmp(sb_bench_isa_of(state, c), isa) != 0) continue;
        sb_series_add(&peak, sb_series_spread(&c->peak).median);
        sb_series_add(&gemm, sb_series_spread(&c->gemm).median);
    }
    printf("  %-8s %7ld", isa, threads);
    print_spread("%.1f", &peak);
    print_spread("%.1f", &gemm);
    putchar('\n');
}

static void print_ceilings(const sb_bench_state *state)
{
    const char *asked = getenv("OPENBLAS_CORETYPE");
    printf("ceilings, GFLOP/s; OpenBLAS runs its %s kernels%s\n", state->blas_kernel,
           asked ? ", as OPENBLAS_CORETYPE in the environment asks" : "");
    printf("  %-8s %7s  %22s  %22s\n", "isa", "threads", "fma peak", "OpenBLAS gemm");
    for (int i = 0; i < state->n_cases; i++) {
        const sb_bench_case *c = &state->cases[i];
        const char *isa = sb_bench_isa_of(state, c);
        bool printed = false;
        for (const sb_bench_case *other = state->cases; other < c; other++)
            printed = printed ||
                      (other->setup.threads == c->setup.threads && strcmp(sb_bench_isa_of(state, other), isa) == 0);
        if (!printed) print_ceiling(state, isa, c->setup.threads);
    }
}

/* What a reader of this study asks first. */
static void print_speed(const sb_bench_case *c)
{
    const double seconds = sb_series_spread(&c->seconds).median;
    if (strcmp(c->study, "inference") == 0)
        printf("  %.3g ms/frame", 1e3 * seconds / c->samples);
    else if (sb_bench_case_is_video(c))
        printf("  %.3g updates/s, %.3g frames/s", 1 / seconds, c->samples / seconds);
    else if (sb_bench_case_evolves(c))
        printf("  %.0f individuals/s", c->setup.population / seconds);
    else if (sb_bench_case_tokens(c))
        printf("  %.0f tokens/s", sb_bench_case_tokens(c) / seconds);
    else
        printf("  %.0f samples/s", c->samples / seconds);
}

/* Print the numbers by which cases are compared, after the case's name. */
static void print_case(const sb_bench_case *c, const char *name)
{
    char backend[64];
    sb_bench_case_backend(c, backend);
    printf("  %-24s %-15s %-8s %7ld", name, backend, c->variant, c->setup.threads);
    print_spread("%.4g", &c->seconds);
    printf("  %8.1f", sb_series_spread(&c->gflops).median);
    print_spread("%.3f", &c->to_gemm);
    printf("  %6.2f  %4.0f%%", sb_series_spread(&c->to_peak).median, 100 * sb_series_spread(&c->cpu_share).median);
    if (c->speed_up.n)
        printf("  %8.2f", sb_series_spread(&c->speed_up).median);
    else
        printf("  %8s", "");
    print_speed(c);
    if (c->waits_share.n)
        printf(", %.1f%% of the time it waits for input", 100 * sb_series_spread(&c->waits_share).median);
    const double subnormal = sb_series_spread(&c->subnormal).median;
    if (subnormal > 0) printf(", subnormal numbers in %.2g%% of the operations", 100 * subnormal);
    if (c->device_seconds.n) printf(", the device %.4g s/window", sb_series_spread(&c->device_seconds).median);
    putchar('\n');
}

static void name_case(const sb_bench_case *c, char *name, size_t size)
{
    if (!sb_bench_case_is_video(c)) {
        const int used = snprintf(name, size, "batch %ld", c->setup.batch);
        if (sb_bench_case_evolves(c))
            snprintf(name + used, size - (size_t)used, ", population %ld", c->setup.population);
        return;
    }
    const sb_list *channels = &c->setup.channels;
    int used = snprintf(name, size, "%dx%dx%d ", c->samples, c->size.w, c->size.h);
    for (int n = 0; n < channels->n && used < (int)size; n++)
        used += snprintf(name + used, size - (size_t)used, "%s%d", n ? "," : "", channels->item[n]);
}

static void print_cases(const sb_bench_state *state)
{
    if (state->n_cases == 0) return;
    printf("\nmedian [min max] of %ld round%s; GFLOP/s count a window as direct convolution; cpu: share of the CPUs it "
           "got\n",
           state->options->rounds, sb_plural((size_t)state->options->rounds));
    printf("  %-24s %-15s %-8s %7s  %22s  %8s  %22s  %6s  %5s  %8s\n", "", "backend", "variant", "threads", "s/window",
           "GFLOP/s", "x gemm", "x peak", "cpu", "speed-up");
    /* By study, though the rounds took them by threads. */
    for (int first = 0; first < state->n_cases; first++) {
        const char *study = state->cases[first].study;
        bool printed = false;
        for (int i = 0; i < first; i++) printed = printed || strcmp(state->cases[i].study, study) == 0;
        if (printed) continue;
        printf("%s\n", study);
        for (int i = first; i < state->n_cases; i++) {
            char name[64];
            name_case(&state->cases[i], name, sizeof name);
            if (strcmp(state->cases[i].study, study) == 0) print_case(&state->cases[i], name);
        }
    }
}

static void print_batches(const sb_bench_state *state)
{
    if (state->n_batches == 0) return;
    printf("\ninput: batches of %d images of %dx%dx3, from bytes to numbers, on one thread\n",
           state->batches[0].samples, state->batches[0].size.w, state->batches[0].size.h);
    for (int i = 0; i < state->n_batches; i++) {
        const sb_bench_case *c = &state->batches[i];
        printf("  %-24s", c->variant);
        print_spread("%.4g", &c->seconds);
        printf(" s/batch  %8.0f images/s  %4.0f%%\n", c->samples / sb_series_spread(&c->seconds).median,
               100 * sb_series_spread(&c->cpu_share).median);
    }
}

static void print_memory(const sb_bench_state *state)
{
    if (state->n_memory == 0) return;
    printf("\npeak memory of training\n");
    for (int i = 0; i < state->n_memory; i++) {
        const sb_bench_case *c = &state->memory[i];
        char backend[64], name[64];
        name_case(c, name, sizeof name);
        if (i == 0 || strcmp(c->study, c[-1].study) != 0 || c->samples != c[-1].samples)
            printf("%s, %s\n", c->setup.model, name);
        sb_bench_case_backend(c, backend);
        printf("  %-15s %-8s %6.0f MiB\n", backend, c->variant, sb_series_spread(&c->memory_mib).median);
    }
}

void sb_bench_print(const sb_bench_state *state)
{
    if (state->n_cases) print_ceilings(state);
    print_cases(state);
    print_batches(state);
    print_memory(state);
}
