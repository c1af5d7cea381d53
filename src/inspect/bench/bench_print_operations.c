#include "inspect/bench/bench_parts.h"

#include "core/text/plural.h"

#include <stdio.h>
#include <string.h>

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
    const int n = sb_bench_operation_totals(operations, total);
    sb_bench_operation_sort(n, total);
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
    sb_bench_operation_sort(n, row);
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
