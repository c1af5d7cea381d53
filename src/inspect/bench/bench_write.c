/* What was measured, for programs. */
#include "core/file.h"
#include "core/text/csv.h"
#include "inspect/bench/bench_parts.h"

#include <stdlib.h>

/* ---- JSON ---- */

const sb_json_key sb_bench_keys[] = {
    {"facts", SB_JSON_LIST, "the machine and the program"},
    {"facts[].name", SB_JSON_TEXT, "name of a fact, as `info` has it"},
    {"facts[].value", SB_JSON_TEXT, "what it is"},
    {"measures", SB_JSON_LIST, "every number that was measured, the columns of -o FILE"},
    {"measures[].study", SB_JSON_TEXT, "what was timed: prednet, inference, autoencoder, operations, ..."},
    {"measures[].backend", SB_JSON_TEXT, "the backend"},
    {"measures[].arithmetic", SB_JSON_TEXT, "direct, winograd or an imitation; null: there is no choice"},
    {"measures[].variant", SB_JSON_TEXT, "instruction set, kernel type or libraries"},
    {"measures[].threads", SB_JSON_INTEGER, "threads"},
    {"measures[].width", SB_JSON_INTEGER, "of a frame or image"},
    {"measures[].height", SB_JSON_INTEGER, "of the same"},
    {"measures[].channels", SB_JSON_TEXT, "of the layers, with blanks; null: the network has none"},
    {"measures[].samples", SB_JSON_INTEGER, "frames or images of a window"},
    {"measures[].operation", SB_JSON_TEXT, "the operation; null: the whole window"},
    {"measures[].shape", SB_JSON_TEXT, "what the operation ran on, CxHxW; null: the whole window"},
    {"measures[].measure", SB_JSON_TEXT, "time, rate, gemm, fma_peak, windows, samples, ..."},
    {"measures[].unit", SB_JSON_TEXT, "its unit; 1: none"},
    {"measures[].n", SB_JSON_INTEGER, "rounds, or windows of an operation"},
    {"measures[].median", SB_JSON_REAL, "of the rounds"},
    {"measures[].min", SB_JSON_REAL, "of the rounds"},
    {"measures[].max", SB_JSON_REAL, "of the rounds"},
    SB_JSON_END,
};

static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

static void write_measure(void *context, const sb_bench_measure *m)
{
    sb_json *json = context;
    const sb_bench_case *c = m->c;
    char channels[SB_BENCH_CHANNELS];
    sb_bench_channels(c, channels);
    sb_json_object(json, NULL);
    sb_json_text(json, "study", m->study);
    sb_json_text(json, "backend", c->setup.backend);
    sb_json_text(json, "arithmetic", or_null(sb_bench_case_arithmetic(c)));
    sb_json_text(json, "variant", c->variant);
    sb_json_integer(json, "threads", c->setup.threads);
    sb_json_integer(json, "width", c->size.w);
    sb_json_integer(json, "height", c->size.h);
    sb_json_text(json, "channels", or_null(channels));
    sb_json_integer(json, "samples", c->samples);
    sb_json_text(json, "operation", or_null(m->operation));
    sb_json_text(json, "shape", or_null(m->shape));
    sb_json_text(json, "measure", m->name);
    sb_json_text(json, "unit", m->unit);
    sb_json_integer(json, "n", m->n);
    sb_json_real(json, "median", m->spread.median);
    sb_json_real(json, "min", m->spread.min);
    sb_json_real(json, "max", m->spread.max);
    sb_json_end(json);
}

sb_status sb_bench_print_json(const sb_bench_state *state)
{
    sb_facts *facts;
    SB_TRY(sb_bench_facts(&facts));
    sb_json json = sb_json_begin(state->options->command);
    sb_json_list(&json, "facts");
    for (int i = 0; i < facts->n; i++) {
        sb_json_object(&json, NULL);
        sb_json_text(&json, "name", facts->fact[i].name);
        sb_json_text(&json, "value", facts->fact[i].value);
        sb_json_end(&json);
    }
    sb_json_end(&json);
    free(facts);
    sb_json_list(&json, "measures");
    sb_bench_each_measure(state, write_measure, &json);
    sb_json_end(&json);
    return sb_json_print(&json, SB_OK);
}

/* ---- csv ---- */

static sb_status write_comments(sb_writer *csv)
{
    sb_facts *facts;
    SB_TRY(sb_bench_facts(&facts));
    for (int i = 0; i < facts->n; i++) sb_write(csv, "# %s: %s\n", facts->fact[i].name, facts->fact[i].value);
    free(facts);
    return SB_OK;
}

static void write_row(void *context, const sb_bench_measure *m)
{
    sb_writer *csv = context;
    const sb_bench_case *c = m->c;
    char channels[SB_BENCH_CHANNELS];
    sb_bench_channels(c, channels);
    sb_write(csv, "%s,%s,%s,%s,%ld,%d,%d,%s,%d,", m->study, c->setup.backend, sb_bench_case_arithmetic(c), c->variant,
             c->setup.threads, c->size.w, c->size.h, channels, c->samples);
    sb_write(csv, "%s,%s,%s,%s,%d,%.6g,%.6g,%.6g\n", m->operation, m->shape, m->name, m->unit, m->n, m->spread.median,
             m->spread.min, m->spread.max);
}

/* Columns up to us as in tables of a profiler; registers are not known here. */
static void write_kernel(sb_writer *csv, const sb_bench_kernels *of, const sb_bench_kernel *k)
{
    const sb_path_work work = sb_path_work_of(&k->launch);
    const sb_spread us = sb_series_spread(&k->us);
    const sb_grid grid = k->launch.grid;
    sb_write(csv, "%s,%ldx%ldx%ld,%d,0,%d,%.6g,%.0f,%.0f,", sb_path_kernel(k->launch.kernel), grid.x, grid.y, grid.z,
             sb_path_threads(k->launch.kernel), k->launches, us.median, work.flop, work.n_bytes);
    sb_write(csv, "%.6g,%.6g,%s,%s,%s\n", us.min, us.max, k->launch.operation, of->path.setup.model,
             of->path.setup.arithmetic);
}

static void write_rows(const sb_bench_state *state, sb_writer *csv)
{
    if (state->n_kernels == 0) {
        sb_write_raw(csv,
                     SB_RAW("study,backend,arithmetic,variant,threads,width,height,channels,samples,operation,shape,"
                            "measure,unit,n,median,min,max\n"));
        sb_bench_each_measure(state, write_row, csv);
        return;
    }
    sb_write_raw(csv, SB_RAW("kernel,grid,threads,registers,launches,us,flop,bytes,min_us,max_us,operation,network,"
                             "arithmetic\n"));
    for (const sb_bench_kernels *of = state->kernels; of < state->kernels + state->n_kernels; of++)
        for (int k = 0; k < of->n; k++) write_kernel(csv, of, &of->kernel[k]);
}

sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path)
{
    SB_FREED char *text = NULL;
    size_t n_text;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_status status = write_comments(csv);
    write_rows(state, csv);
    const sb_status closed = sb_writer_close(csv, path, &text, &n_text);
    if (status == SB_OK) status = closed;
    if (status == SB_OK) status = sb_file_write(path, text, n_text);
    return status;
}
