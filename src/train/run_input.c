/* The input of a run: batches in the order of its updates, and what they cost, a row for each epoch. */
#include "train/run_parts.h"

#include "core/size.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_run_open_input(sb_run *run)
{
    const sb_run_options *options = run->options;
    const sb_input_plan plan = {
        .mode = sb_run_input_mode(options), .workers = (int)options->input_workers, .depth = (int)options->queue_depth};
    return sb_input_open(&run->input, run->setup->loader, &plan, (long)run->n + 1, run->target_updates);
}

sb_input_mode sb_run_input_mode(const sb_run_options *options)
{
    return options->input ? sb_input_mode_of(options->input) : SB_INPUT_SYNC;
}

sb_status sb_run_check_input(const sb_run_options *options)
{
    if (sb_run_input_mode(options) != SB_INPUT_FAKE || !options->record || !*options->record) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: --input fake learns from one batch alone, and is no cell of a matrix",
                   options->output);
}

sb_status sb_run_count_input(sb_run *run)
{
    const long epoch_updates = sb_loader_epoch_updates(run->setup->loader), update = (long)run->n;
    if (update % epoch_updates != 0 && update != run->target_updates) return SB_OK;
    const sb_input_times times = sb_input_take_times(run->input);
    if (run->n_inputs == run->inputs_capacity) {
        const size_t capacity = 2 * run->n_inputs + 16;
        sb_run_input *row = sb_size_grow(run->input_row, capacity, sizeof *row);
        if (!row) return sb_fail(SB_E_MEMORY, "not enough memory for %zu epochs", capacity);
        run->input_row = row, run->inputs_capacity = capacity;
    }
    run->input_row[run->n_inputs++] = (sb_run_input){.epoch = (update - 1) / epoch_updates,
                                                     .updates = times.n_batches,
                                                     .bytes = (int64_t)times.n_bytes,
                                                     .queue_least = times.queue_min,
                                                     .queue_mean = times.queue_mean,
                                                     .wait = times.wait_s,
                                                     .wait_workers = times.wait_workers_s};
    return SB_OK;
}

/* ---- to and from the file ---- */

/* A column of the rows: its place in them, and how it is stored. */
static const struct {
    const char *name;
    sb_type type;
    size_t offset;
} columns[] = {
#define COUNT(key, ...) {"input/" #key, SB_I64, offsetof(sb_run_input, key)},
#define REAL(key, ...)  {"input/" #key, SB_F64, offsetof(sb_run_input, key)},
    SB_RUN_INPUTS(COUNT, REAL)};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static_assert(sizeof(int64_t) == sizeof(double), "a column of either has elements of one size");

/* Column k of all rows to memory of its own, or from there. */
static void copy_column(sb_run *run, size_t k, char *column, bool to_rows)
{
    for (size_t i = 0; i < run->n_inputs; i++) {
        char *cell = (char *)&run->input_row[i] + columns[k].offset, *at = column + i * sizeof(double);
        memcpy(to_rows ? cell : at, to_rows ? at : cell, sizeof(double));
    }
}

sb_status sb_run_write_inputs(sb_run *run, sb_h5 *file)
{
    if (run->n_inputs == 0) return SB_OK;
    char *column = sb_size_allocate(run->n_inputs, sizeof(double));
    if (!column) return sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(file));
    sb_status status = SB_OK;
    for (size_t k = 0; k < N_COLUMNS && status == SB_OK; k++) {
        copy_column(run, k, column, false);
        status = sb_h5_write(file, columns[k].name, columns[k].type, 1, &run->n_inputs, column, SB_H5_PLAIN);
    }
    free(column);
    return status;
}

sb_status sb_run_read_inputs(sb_run *run, sb_h5 *file)
{
    sb_h5_shape shape;
    run->n_inputs = 0;
    if (!sb_h5_exists(file, columns[0].name)) return SB_OK; /* of an older program, or within its first epoch */
    SB_TRY(sb_h5_shape_of(file, columns[0].name, &shape));
    char *column = sb_size_allocate(shape.n, sizeof(double));
    sb_run_input *row = sb_size_grow(run->input_row, shape.n ? shape.n : 1, sizeof *row);
    if (row) run->input_row = row, run->inputs_capacity = run->n_inputs = shape.n;
    sb_status status = column && row ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(file));
    for (size_t k = 0; k < N_COLUMNS && status == SB_OK; k++) {
        status = sb_h5_read(file, columns[k].name, columns[k].type, shape.n, column);
        if (status == SB_OK) copy_column(run, k, column, true);
    }
    free(column);
    return status;
}
