#include "inspect/bench_parts.h"

#include <stdio.h>
#include <string.h>

static void print_row(const sb_bench_state *state, const char *name, const sb_profile_row *row)
{
    const sb_bench_operations *operations = &state->operations;
    const sb_bench_ceiling *ceiling = sb_bench_ceiling_of(state, &state->profiled);
    printf("  %-34s %8ld %10.3f %6.1f%%", name, row->calls / operations->windows,
           1e3 * row->seconds / operations->windows, 100 * row->seconds / operations->seconds);
    if (row->flop > 0) {
        const double gflops = row->flop / row->seconds * 1e-9;
        printf("  %8.1f  %6.2f  %6.2f", gflops, gflops / sb_series_spread(&ceiling->gemm).median,
               gflops / sb_series_spread(&ceiling->peak).median);
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
    for (int i = 0; i < n; i++) {
        print_row(state, total[i].operation, &total[i]);
        rest.seconds -= total[i].seconds;
    }
    print_row(state, "between operations", &rest);
}

void sb_bench_print_operations(const sb_bench_state *state)
{
    const sb_bench_operations *operations = &state->operations;
    const sb_bench_case *c = &state->profiled;
    char backend[64], title[128], name[64];
    sb_bench_case_backend(c, backend);
    snprintf(title, sizeof title, "%s, %s %s, %ld threads", c->study, backend, c->variant, c->setup.threads);
    print_heading(title);
    print_totals(state);
    sb_profile_row total[SB_PROFILE_ROWS_MAX];
    const int n = sb_bench_operation_totals(operations, total);
    print_heading("by shape: channels x height x width");
    for (int i = 0; i < n; i++) {
        if (strncmp(total[i].operation, "conv_", 5) != 0) continue;
        for (const sb_profile_row *row = operations->row; row < operations->row + operations->n_rows; row++) {
            if (strcmp(row->operation, total[i].operation) != 0) continue;
            snprintf(name, sizeof name, "%s %dx%dx%d", row->operation, row->channels, row->h, row->w);
            print_row(state, name, row);
        }
    }
}
