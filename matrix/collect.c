#include "collect.h"

#include "coverage.h"
#include "distances.h"
#include "sheets.h"
#include "store.h"

#include "core/size.h"
#include "io/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum table_name { CELLS, CURVES, DISTANCES, TIMING, COVERAGE, N_TABLES } table_name;

static const char *const files[N_TABLES] = {"cells.csv", "curves.csv", "distances.csv", "timing.csv", "coverage.csv"};
static const char *const headers[N_TABLES] = {
    [CELLS] =
        "name,hash,study,data,backend,arithmetic,hardware,evidence,threads,blas_kernel,target,seed,ulp,batch,updates,"
        "model,channels,hidden,window,lr,data_digest,loss_last,loss_mean,weights,run\n",
    [CURVES] = "hash,update,loss_last,loss_mean\n",
    [DISTANCES] = "a,b,differs,update,distance,relative\n",
    [TIMING] = "hash,seconds,frames_per_second,peak_mib\n",
    [COVERAGE] = "",
};

static void attribute(sb_h5 *file, const char *object, const char *name, char *value, size_t size)
{
    *value = 0;
    if (sb_h5_has(file, object, name) && sb_h5_attribute_text(file, object, name, value, size) != SB_OK) *value = 0;
}

/* What the matrix file leaves to the trainer's defaults, the run's own configuration says. Commas would end a column.
 */
static void factor_text(const sb_cell *cell, sb_h5 *file, sb_factor factor, char value[64])
{
    if (cell->value[factor])
        snprintf(value, 64, "%s", cell->value[factor]);
    else
        attribute(file, "config", sb_factor_about(factor)->key, value, 64);
    for (char *c = value; (c = strpbrk(c, ",\"\n"));) *c = ' ';
}

/* What was trained, as the run's own configuration says: equal here means that only the machine, the library, the seed
 * and the target may differ. */
static void write_recipe(FILE *out, sb_h5 *file)
{
    static const char *const keys[] = {"model", "channels", "hidden", "window", "lr", "data_digest"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char value[64];
        attribute(file, "config", keys[i], value, sizeof value);
        for (char *c = value; (c = strpbrk(c, ",\"\n"));) *c = ' ';
        fprintf(out, ",%s", value);
    }
}

static sb_evidence evidence_of(const sb_cells *cells, const sb_cell *cell, sb_h5 *file)
{
    char cpu[256], gpu[256];
    attribute(file, "env", "cpu", cpu, sizeof cpu);
    attribute(file, "env", "gpu", gpu, sizeof gpu);
    const sb_hardware *row = sb_hardware_find(&cells->hardware, cell->value[SB_FACTOR_HARDWARE]);
    return sb_hardware_evidence_of_run(row, cpu, gpu);
}

static void write_cell(sb_sheets *t, const sb_cells *cells, const sb_cell *cell, const sb_run_summary *summary,
                       sb_h5 *file, const char *run)
{
    static const sb_factor before[] = {SB_FACTOR_STUDY, SB_FACTOR_DATA, SB_FACTOR_BACKEND, SB_FACTOR_ARITHMETIC,
                                       SB_FACTOR_HARDWARE};
    static const sb_factor after[] = {SB_FACTOR_THREADS, SB_FACTOR_BLAS_KERNEL, SB_FACTOR_TARGET,
                                      SB_FACTOR_SEED,    SB_FACTOR_ULP,         SB_FACTOR_BATCH};
    FILE *out = t->item[CELLS].out;
    char value[64];
    fprintf(out, "%s,%.*s", cell->name, SB_CELL_HASH_SHOWN, cell->hash);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        factor_text(cell, file, before[i], value);
        fprintf(out, ",%s", value);
    }
    fprintf(out, ",%s", sb_evidence_word(evidence_of(cells, cell, file)));
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        factor_text(cell, file, after[i], value);
        if (after[i] == SB_FACTOR_ULP && !*value) snprintf(value, sizeof value, "0");
        fprintf(out, ",%s", value);
    }
    fprintf(out, ",%lld", (long long)summary->updates);
    write_recipe(out, file);
    fprintf(out, ",%.9g,%.9g,%s,%s\n", summary->loss_last, summary->loss_mean, summary->weights, run);
    fprintf(t->item[TIMING].out, "%.*s,%.9g,%.9g,%.9g\n", SB_CELL_HASH_SHOWN, cell->hash, summary->seconds,
            summary->frames_per_second, summary->peak_memory_bytes / (1024.0 * 1024.0));
}

/* Blocks of equal length, the last one shorter; a row is named by its block's last update. */
static void write_rows(FILE *out, const sb_cell *cell, size_t n, const int64_t *update, const double *last,
                       const double *mean)
{
    size_t block = (n + SB_CURVE_ROWS - 1) / SB_CURVE_ROWS;
    for (size_t first = 0; first < n; first += block) {
        size_t end = first + block < n ? first + block : n;
        double sum_last = 0, sum_mean = 0;
        for (size_t i = first; i < end; i++) {
            sum_last += last[i];
            sum_mean += mean[i];
        }
        double count = (double)(end - first);
        fprintf(out, "%.*s,%lld,%.9g,%.9g\n", SB_CELL_HASH_SHOWN, cell->hash, (long long)update[end - 1],
                sum_last / count, sum_mean / count);
    }
}

static sb_status write_curve(sb_sheets *t, const sb_cell *cell, sb_h5 *file)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "train/update", &shape));
    size_t n = shape.n;
    int64_t *update = sb_size_allocate(n, sizeof *update);
    double *last = sb_size_allocate(n, sizeof *last), *mean = sb_size_allocate(n, sizeof *mean);
    sb_status status = SB_OK;
    if (!update || !last || !mean) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(file));
    if (status == SB_OK) status = sb_h5_read(file, "train/update", SB_I64, n, update);
    if (status == SB_OK) status = sb_h5_read(file, "train/loss_last", SB_F64, n, last);
    if (status == SB_OK) status = sb_h5_read(file, "train/loss_mean", SB_F64, n, mean);
    if (status == SB_OK) write_rows(t->item[CURVES].out, cell, n, update, last, mean);
    free(mean);
    free(last);
    free(update);
    return status;
}

/* SB_E_EMPTY: no finished run. SB_E_INTEGRITY: a damaged one. Neither leaves a row. */
static sb_status add_cell(sb_sheets *t, const sb_cells *cells, const sb_cell *cell, const char *results)
{
    sb_store store;
    sb_run_summary summary;
    sb_h5 *file;
    SB_TRY(sb_store_locate(&store, results, cell));
    sb_status status = sb_store_open(&store, cell, SB_TRUST_NONE, &summary, &file);
    if (status == SB_E_EMPTY) return status;
    if (status != SB_OK) return sb_fail(SB_E_INTEGRITY, "%s", sb_message()); /* of this file; the others go on */
    status = write_curve(t, cell, file);
    if (status == SB_OK) write_cell(t, cells, cell, &summary, file, store.run + store.relative);
    if (status == SB_OK) status = sb_sheets_check(t);
    sb_h5_close(file);
    return status;
}

/* complete: room for the whole selection. */
static sb_status add_cells(sb_sheets *t, sb_selection *complete, sb_collected *collected, const sb_cells *cells,
                           const sb_selection *selection, sb_looker *looker)
{
    for (int i = 0; i < N_TABLES; i++) fputs(headers[i], t->item[i].out);
    for (size_t i = 0; i < selection->n; i++) {
        sb_status status = add_cell(t, cells, selection->item[i], looker->results);
        if (status == SB_OK) complete->item[complete->n++] = selection->item[i];
        collected->corrupt += status == SB_E_INTEGRITY;
        collected->absent += status == SB_E_EMPTY;
        if (status == SB_E_INTEGRITY) fprintf(stderr, "%s\n", sb_message());
        if (status != SB_OK && status != SB_E_INTEGRITY && status != SB_E_EMPTY) return status;
    }
    collected->complete = complete->n;
    SB_TRY(sb_distances_write(t->item[DISTANCES].out, complete, looker->results));
    SB_TRY(sb_sheets_check(t));
    SB_TRY(sb_coverage_write(t->item[COVERAGE].out, cells, selection, complete, looker));
    return sb_sheets_check(t);
}

sb_status sb_collect(sb_collected *collected, const sb_cells *cells, const sb_selection *selection, sb_looker *looker,
                     const char *output)
{
    *collected = (sb_collected){0};
    sb_sheets sheets = {0};
    sb_selection complete = {calloc(selection->n + 1, sizeof *complete.item), 0};
    sb_status status = complete.item ? sb_sheets_open(&sheets, output, files, N_TABLES)
                                     : sb_fail(SB_E_MEMORY, "not enough memory to collect");
    if (status == SB_OK) status = add_cells(&sheets, &complete, collected, cells, selection, looker);
    if (status == SB_OK && !collected->complete)
        status = sb_fail(SB_E_EMPTY, "%s: no complete cell of the %zu selected (%zu damaged); run them first",
                         looker->results, selection->n, collected->corrupt);
    status = sb_sheets_close(&sheets, status);
    sb_selection_free(&complete);
    return status;
}
