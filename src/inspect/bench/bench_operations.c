#include "inspect/bench/bench_parts.h"

#include "core/machine/clock.h"
#include "core/text/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Windows of an open trial, with the profile in the place of the backend's table. */
static sb_status run_windows(sb_bench_trial *trial, sb_bench_operations *operations, double at_least, long rounds)
{
    sb_net *net = trial->setup.learner.net;
    sb_ops *plain = net->ops;
    sb_profile *profile;
    SB_TRY(sb_profile_open(&profile, plain));
    net->ops = sb_profile_ops(profile);
    sb_status status = SB_OK;
    const double start = sb_clock_seconds();
    do {
        status = sb_bench_trial_window(trial);
        operations->windows++;
        operations->seconds = sb_clock_seconds() - start;
    } while (status == SB_OK && (operations->windows < rounds || operations->seconds < at_least));
    net->ops = plain;
    const sb_profile_row *rows = sb_profile_rows(profile, &operations->n_rows);
    memcpy(operations->row, rows, sizeof *rows * (size_t)operations->n_rows);
    sb_profile_close(profile);
    return status;
}

sb_status sb_bench_profile(sb_bench_state *state, double at_least)
{
    sb_bench_trial trial;
    state->profiled.peak.n = state->profiled.gemm.n = 0;
    SB_TRY(sb_bench_measure_ceilings(state, &state->profiled));
    SB_TRY(sb_bench_trial_open(&trial, &state->profiled));
    sb_status status = run_windows(&trial, &state->operations, at_least, state->options->rounds);
    sb_bench_trial_close(&trial);
    return status;
}

static int slowest_first(const void *a, const void *b)
{
    double x = ((const sb_profile_row *)a)->seconds, y = ((const sb_profile_row *)b)->seconds;
    return (x < y) - (x > y);
}

/* The rows of one operation on all shapes added up: total[SB_PROFILE_ROWS_MAX]; returns how many. */
static int add_totals(const sb_bench_operations *operations, sb_profile_row *total)
{
    int n = 0;
    for (const sb_profile_row *row = operations->row; row < operations->row + operations->n_rows; row++) {
        int i = 0;
        while (i < n && strcmp(total[i].operation, row->operation) != 0) i++;
        if (i == n) total[n++] = (sb_profile_row){.operation = row->operation};
        total[i].calls += row->calls;
        total[i].seconds += row->seconds;
        total[i].flop += row->flop;
    }
    return n;
}

static void sort(int n, sb_profile_row *row)
{
    qsort(row, (size_t)n, sizeof *row, slowest_first);
}

/* ---- for people ---- */

static void print_row(const sb_bench_state *state, const char *name, const sb_profile_row *row)
{
    const sb_bench_operations *operations = &state->operations;
    printf("  %-34s %8ld %10.3f %6.1f%%", name, row->calls / operations->windows,
           1e3 * row->seconds / operations->windows, 100 * row->seconds / operations->seconds);
    if (row->flop > 0) {
        const double gflops = row->flop / row->seconds * 1e-9;
        printf("  %8.1f  %6.2f  %6.2f", gflops, gflops / state->profiled.gemm.value[0],
               gflops / state->profiled.peak.value[0]);
    }
    putchar('\n');
}

static void print_heading(const char *title)
{
    printf("\n%-36s %8s %10s %7s  %8s  %6s  %6s\n", title, "calls", "ms/window", "share", "GFLOP/s", "x gemm",
           "x peak");
}

/* The rest is what happens between operations: forming losses, starting and ending the team. */
static void print_totals(const sb_bench_state *state)
{
    const sb_bench_operations *operations = &state->operations;
    sb_profile_row total[SB_PROFILE_ROWS_MAX], rest = {.seconds = operations->seconds};
    const int n = add_totals(operations, total);
    sort(n, total);
    for (int i = 0; i < n; i++) {
        print_row(state, total[i].operation, &total[i]);
        rest.seconds -= total[i].seconds;
    }
    print_row(state, "between operations", &rest);
}

/* What multiplies, shape by shape, the slowest first. */
static void print_shapes(const sb_bench_state *state)
{
    sb_profile_row row[SB_PROFILE_ROWS_MAX];
    const int n = state->operations.n_rows;
    memcpy(row, state->operations.row, sizeof *row * (size_t)n);
    sort(n, row);
    for (int i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %dx%dx%d", row[i].operation, row[i].channels, row[i].h, row[i].w);
        if (row[i].flop > 0) print_row(state, name, &row[i]);
    }
}

void sb_bench_print_operations(const sb_bench_state *state)
{
    const sb_bench_case *c = &state->profiled;
    char backend[64], title[256];
    sb_bench_case_backend(c, backend);
    snprintf(title, sizeof title, "%s, %s %s, %ld thread%s", c->study, backend, c->variant, c->setup.threads,
             sb_plural((size_t)c->setup.threads));
    print_heading(title);
    print_totals(state);
    print_heading("by channels x height x width");
    print_shapes(state);
}
