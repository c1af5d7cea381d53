#include "inspect/bench/bench_parts.h"

#include "core/machine/clock.h"

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

int sb_bench_operation_totals(const sb_bench_operations *operations, sb_profile_row *total)
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

void sb_bench_operation_sort(int n, sb_profile_row *row)
{
    qsort(row, (size_t)n, sizeof *row, slowest_first);
}
