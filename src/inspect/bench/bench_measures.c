#include "core/machine/clock.h"
#include "core/machine/environment.h"
#include "inspect/bench/bench_parts.h"

#include <stdio.h>
#include <stdlib.h>

sb_status sb_bench_facts(sb_facts **facts)
{
    char date[32];
    *facts = calloc(1, sizeof **facts);
    if (!*facts) return sb_fail(SB_E_MEMORY, "not enough memory for the facts of this machine");
    sb_clock_date(date);
    sb_facts_add(*facts, "date", "%s", date);
    sb_facts_build(*facts);
    sb_backend_facts(*facts);
    sb_facts_machine(*facts);
    sb_environment_facts(*facts);
    return SB_OK;
}

void sb_bench_channels(const sb_bench_case *c, char text[SB_BENCH_CHANNELS])
{
    const sb_list *channels = &c->setup.channels;
    size_t used = 0;
    *text = 0;
    if (c->network)
        channels = &c->setup.widths;
    else if (!sb_bench_case_is_video(c))
        return;
    for (int n = 0; n < channels->n && used < SB_BENCH_CHANNELS; n++)
        used += (size_t)snprintf(text + used, SB_BENCH_CHANNELS - used, "%s%d", n ? " " : "", channels->item[n]);
}

/* amount / seconds, round by round */
static sb_series per_second(const sb_bench_case *c, double amount)
{
    sb_series rate = {0};
    for (int i = 0; i < c->seconds.n; i++) sb_series_add(&rate, amount / c->seconds.value[i]);
    return rate;
}

static void visit_case(const sb_bench_case *c, sb_bench_visit *visit, void *context)
{
    const sb_series windows = per_second(c, 1), samples = per_second(c, c->samples);
    const sb_series individuals = sb_bench_case_evolves(c) ? per_second(c, c->setup.population) : (sb_series){0};
    const long n_tokens = sb_bench_case_tokens(c);
    const sb_series tokens = n_tokens ? per_second(c, (double)n_tokens) : (sb_series){0};
    const struct {
        const char *name, *unit;
        const sb_series *series;
    } measures[] = {
        {"time", "s/window", &c->seconds},    {"device_time", "s/window", &c->device_seconds},
        {"rate", "GFLOP/s", &c->gflops},      {"gemm", "GFLOP/s", &c->gemm},
        {"fma_peak", "GFLOP/s", &c->peak},    {"rate_to_gemm", "1", &c->to_gemm},
        {"rate_to_peak", "1", &c->to_peak},   {"windows", "1/s", &windows},
        {"samples", "1/s", &samples},         {"speed_up", "1", &c->speed_up},
        {"cpu_share", "1", &c->cpu_share},    {"peak_memory", "MiB", &c->memory_mib},
        {"wait", "s/window", &c->waits},      {"wait_share", "1", &c->waits_share},
        {"individuals", "1/s", &individuals}, {"subnormal", "1", &c->subnormal},
        {"tokens", "1/s", &tokens},
    };
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        if (measures[m].series->n == 0) continue;
        const sb_bench_measure measure = {.c = c,
                                          .study = c->study,
                                          .operation = "",
                                          .name = measures[m].name,
                                          .unit = measures[m].unit,
                                          .n = measures[m].series->n,
                                          .spread = sb_series_spread(measures[m].series)};
        visit(context, &measure);
    }
}

static void visit_operation(const sb_bench_state *state, const sb_profile_row *row, sb_bench_visit *visit,
                            void *context)
{
    const sb_bench_operations *operations = &state->operations;
    const struct {
        const char *name, *unit;
        double value;
    } measures[] = {
        {"calls", "1/window", (double)row->calls / operations->windows},
        {"time", "s/window", row->seconds / operations->windows},
        {"share", "1", row->seconds / operations->seconds},
        {"rate", "GFLOP/s", row->flop / row->seconds * 1e-9},
    };
    sb_bench_measure measure = {
        .c = &state->profiled, .study = "operations", .operation = row->operation, .n = operations->windows};
    if (row->channels) snprintf(measure.shape, sizeof measure.shape, "%dx%dx%d", row->channels, row->h, row->w);
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        const double value = measures[m].value;
        if (!(value > 0)) continue;
        measure.name = measures[m].name;
        measure.unit = measures[m].unit;
        measure.spread = (sb_spread){value, value, value};
        visit(context, &measure);
    }
}

void sb_bench_each_measure(const sb_bench_state *state, sb_bench_visit *visit, void *context)
{
    for (int i = 0; i < state->n_cases; i++) visit_case(&state->cases[i], visit, context);
    for (int i = 0; i < state->n_batches; i++) visit_case(&state->batches[i], visit, context);
    for (int i = 0; i < state->n_memory; i++) visit_case(&state->memory[i], visit, context);
    for (int i = 0; i < state->operations.n_rows; i++)
        visit_operation(state, &state->operations.row[i], visit, context);
}
