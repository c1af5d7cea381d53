#define _POSIX_C_SOURCE 200809L
#include "core/clock.h"
#include "core/facts.h"
#include "core/file.h"
#include "inspect/bench_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_status write_facts(FILE *csv)
{
    sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_fail(SB_E_MEMORY, "not enough memory for the facts of this machine");
    char date[32];
    sb_clock_date(date);
    sb_facts_add(facts, "date", "%s", date);
    sb_facts_build(facts);
    sb_backend_facts(facts);
    sb_facts_machine(facts);
    for (int i = 0; i < facts->n; i++) fprintf(csv, "# %s: %s\n", facts->fact[i].name, facts->fact[i].value);
    free(facts);
    return SB_OK;
}

static const char header[] =
    "study,backend,arithmetic,variant,threads,width,height,channels,samples,operation,shape,measure,unit,n,median,min,"
    "max\n";

/* The columns that say which case it is. */
static void write_case(FILE *csv, const char *study, const sb_bench_case *c)
{
    const bool prednet = strcmp(c->setup.model, "prednet") == 0;
    fprintf(csv, "%s,%s,%s,%s,%ld,%d,%d,", study, c->setup.backend, sb_bench_case_arithmetic(c), c->variant,
            c->setup.threads, c->size.w, c->size.h);
    for (int n = 0; prednet && n < c->setup.channels.n; n++)
        fprintf(csv, "%s%d", n ? " " : "", c->setup.channels.item[n]);
    fprintf(csv, ",%d", c->samples);
}

static void write_measure(FILE *csv, const char *measure, const char *unit, const sb_series *series)
{
    sb_spread s = sb_series_spread(series);
    fprintf(csv, "%s,%s,%d,%.6g,%.6g,%.6g\n", measure, unit, series->n, s.median, s.min, s.max);
}

/* amount / seconds, round by round */
static sb_series per_second(const sb_bench_case *c, double amount)
{
    sb_series rate = {0};
    for (int i = 0; i < c->seconds.n; i++) sb_series_add(&rate, amount / c->seconds.value[i]);
    return rate;
}

static void write_cases(FILE *csv, int n, const sb_bench_case *cases)
{
    for (const sb_bench_case *c = cases; c < cases + n; c++) {
        const sb_series windows = per_second(c, 1), samples = per_second(c, c->samples);
        const struct {
            const char *name, *unit;
            const sb_series *series;
        } measures[] = {
            {"time", "s/window", &c->seconds},  {"device_time", "s/window", &c->device_seconds},
            {"rate", "GFLOP/s", &c->gflops},    {"gemm", "GFLOP/s", &c->gemm},
            {"fma_peak", "GFLOP/s", &c->peak},  {"rate_to_gemm", "1", &c->to_gemm},
            {"rate_to_peak", "1", &c->to_peak}, {"windows", "1/s", &windows},
            {"samples", "1/s", &samples},       {"speed_up", "1", &c->speed_up},
            {"cpu_share", "1", &c->cpu_share},  {"peak_memory", "MiB", &c->memory_mib},
        };
        for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
            if (measures[m].series->n == 0) continue;
            write_case(csv, c->study, c);
            fprintf(csv, ",,,");
            write_measure(csv, measures[m].name, measures[m].unit, measures[m].series);
        }
    }
}

static void write_operation(FILE *csv, const sb_bench_state *state, const sb_profile_row *row)
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
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        if (!(measures[m].value > 0)) continue;
        write_case(csv, "operations", &state->profiled);
        fprintf(csv, ",%s,", row->operation);
        if (row->channels) fprintf(csv, "%dx%dx%d", row->channels, row->h, row->w);
        fprintf(csv, ",%s,%s,%d,%.6g,%.6g,%.6g\n", measures[m].name, measures[m].unit, operations->windows,
                measures[m].value, measures[m].value, measures[m].value);
    }
}

static void write_operations(FILE *csv, const sb_bench_state *state)
{
    const sb_bench_operations *operations = &state->operations;
    for (int i = 0; i < operations->n_rows; i++) write_operation(csv, state, &operations->row[i]);
}

sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path)
{
    char *text;
    size_t n_text;
    FILE *csv = open_memstream(&text, &n_text);
    if (!csv) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the table", path);
    sb_status status = write_facts(csv);
    fputs(header, csv);
    write_cases(csv, state->n_cases, state->cases);
    write_cases(csv, state->n_memory, state->memory);
    write_operations(csv, state);
    if (fclose(csv) != 0 && status == SB_OK) status = sb_fail(SB_E_MEMORY, "%s: not enough memory for the table", path);
    if (status == SB_OK) status = sb_file_write(path, text, n_text);
    free(text);
    return status;
}
