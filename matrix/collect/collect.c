#include "matrix/collect/collect.h"

#include "matrix/collect/sheets.h"
#include "matrix/store/store.h"

#include "core/size.h"
#include "io/columns.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum table_name { CELLS, CURVES, DISTANCES, TIMING, COVERAGE, REGISTRATIONS, BASELINES, N_TABLES } table_name;

/* Empty where there is none. */
static void attribute(sb_h5 *file, const char *object, const char *name, char *value, size_t size)
{
    if (sb_h5_attribute_text(file, object, name, value, size) != SB_OK) *value = 0;
}

/* Did a variable choose kernels for openblas that are not the CPU's own? A kernel type of the cell is its own choice. */
static bool is_foreign(const sb_cell *cell, sb_h5 *file)
{
    char value[256], kernel[64], own[64], name[64];
    if (strcmp(cell->value[SB_SETTING_BACKEND], "openblas") != 0) return false;
    for (int i = 0; sb_host_variables[i]; i++) {
        snprintf(name, sizeof name, "env_%s", sb_host_variables[i]);
        attribute(file, "env", name, value, sizeof value);
        attribute(file, "env", "openblas_kernel_own", own, sizeof own);
        attribute(file, "config", "kernel", kernel, sizeof kernel);
        const bool is_type = i == 0;
        if (*value && !(is_type && (cell->value[SB_SETTING_BLAS_KERNEL] || strcmp(kernel, own) == 0))) return true;
    }
    return false;
}

static sb_evidence evidence_of(const sb_cells *cells, const sb_cell *cell, sb_h5 *file)
{
    char arithmetic[64], cpu[256], gpu[256];
    attribute(file, "config", "arithmetic", arithmetic, sizeof arithmetic);
    attribute(file, "env", "cpu", cpu, sizeof cpu);
    attribute(file, "env", "gpu", gpu, sizeof gpu);
    const sb_hardware *row = sb_hardware_find(&cells->hardware, cell->value[SB_SETTING_HARDWARE]);
    return sb_hardware_evidence_of_run(row, arithmetic, cpu, gpu, is_foreign(cell, file));
}

/* -- a row of cells.csv -- */

enum { FIELD = SB_PATH_MAX, COLUMNS_MAX = SB_N_SETTINGS + 16 };

typedef struct cell_row {
    const sb_cells *cells;
    const sb_cell *cell;
    const sb_run_summary *summary;
    sb_h5 *file;
    sb_setting_names names; /* of the cell's network, backend and so on */
    const char *run;        /* its path below the results */
    char registration[SB_REGISTRATION_ID];
    char *field[COLUMNS_MAX];
} cell_row;

/* What was trained, the run's own configuration says; what the matrix file chose to compute it with, the cell, or where
 * it chose nothing, and that decides bits or every run has it, the run again. */
static void setting_text(const cell_row *row, sb_setting_id id, char text[FIELD])
{
    const sb_setting_row *setting = &sb_settings_table[id];
    const bool in_run = setting->group != SB_GROUP_CELL;
    const char *value = in_run && setting->role == SB_ROLE_RECIPE ? NULL : row->cell->value[id];
    *text = 0;
    if (value)
        snprintf(text, FIELD, "%s", value);
    else if (in_run && (setting->bits != SB_BITS_NEVER || setting->role == SB_ROLE_RECIPE || setting->of == SB_OF_ANY))
        attribute(row->file, "config", setting->key, text, FIELD);
    const bool is_learned = setting->role == SB_ROLE_REPLICATE || setting->role == SB_ROLE_RECIPE;
    if (!*text && (is_learned || setting->of == SB_OF_ANY) && setting->since > 1)
        snprintf(text, FIELD, "%s", sb_setting_absent(id, &row->names));
    for (char *c = text; (c = strchr(c, ','));) *c = ' '; /* of lists */
}

static bool metric_text(const cell_row *row, const char *column, char text[FIELD])
{
#define METRIC(ID, key, ...) {#key, row->summary->key},
    const struct {
        const char *column;
        double value;
    } metrics[SB_N_METRICS] = {SB_METRICS(METRIC, SB_METRIC_NONE, SB_METRIC_NONE)};
    for (int m = 0; m < SB_N_METRICS; m++)
        if (strcmp(column, metrics[m].column) == 0)
            return snprintf(text, FIELD, "%.9g", row->summary->diverged ? NAN : metrics[m].value) > 0;
    return false;
}

/* How long it trained; of a run that diverged, how long it was to train, so that it stays one of its condition. */
static void updates_text(const cell_row *row, char text[FIELD])
{
    snprintf(text, FIELD, "%lld", (long long)row->summary->updates);
    if (row->summary->diverged) attribute(row->file, "config", "updates", text, FIELD);
}

/* "" of a run that did not diverge. */
static void diverged_text(const cell_row *row, char text[FIELD])
{
    *text = 0;
    if (row->summary->diverged) snprintf(text, FIELD, "%lld", (long long)row->summary->diverged);
}

/* A file that contradicts itself has none, as one of a network that does not classify. */
static void result_text(const cell_row *row, sb_status (*result_of)(sb_h5 *, double *), char text[FIELD])
{
    double result;
    *text = 0;
    if (result_of(row->file, &result) == SB_OK && !isnan(result)) snprintf(text, FIELD, "%.9g", result);
}

/* The kernel type that OpenBLAS ran, chosen by the cell, by a variable, or by OpenBLAS. Empty for other backends. */
static void kernel_text(const cell_row *row, char text[FIELD])
{
    *text = 0;
    if (strcmp(row->cell->value[SB_SETTING_BACKEND], "openblas") == 0)
        attribute(row->file, "config", "kernel", text, FIELD);
}

static void field_text(const cell_row *row, const char *column, char text[FIELD])
{
    sb_setting_id id;
    if (metric_text(row, column, text)) return;
    if (strcmp(column, "name") == 0)
        snprintf(text, FIELD, "%s", row->cell->name);
    else if (strcmp(column, "hash") == 0)
        snprintf(text, FIELD, "%.*s", SB_CELL_HASH_SHOWN, row->cell->hash);
    else if (strcmp(column, "evidence") == 0)
        snprintf(text, FIELD, "%s", sb_evidence_name[evidence_of(row->cells, row->cell, row->file)]);
    else if (strcmp(column, "kernel") == 0)
        kernel_text(row, text);
    else if (strcmp(column, "updates") == 0)
        updates_text(row, text);
    else if (strcmp(column, "library") == 0)
        sb_library_of_run(row->file, text);
    else if (strcmp(column, "diverged") == 0)
        diverged_text(row, text);
    else if (strcmp(column, "accuracy") == 0)
        result_text(row, sb_runfile_accuracy, text);
    else if (strcmp(column, "validation_accuracy") == 0)
        result_text(row, sb_runfile_validation_accuracy, text);
    else if (strcmp(column, "test_cross_entropy") == 0)
        result_text(row, sb_runfile_test_cross_entropy, text);
    else if (strcmp(column, "weights") == 0)
        snprintf(text, FIELD, "%s", row->summary->weights);
    else if (strcmp(column, "run") == 0)
        snprintf(text, FIELD, "%s", row->run);
    else if (strcmp(column, "registration") == 0)
        snprintf(text, FIELD, "%s", row->registration);
    else if ((id = sb_setting_find(column)) < SB_N_SETTINGS)
        setting_text(row, id, text);
    else
        attribute(row->file, "config", column, text, FIELD);
}

/* Fill every field after checking it by its column: the texts in a run file are untrusted input. */
static sb_status fill_row(cell_row *row)
{
    assert(sb_columns_cells.n <= COLUMNS_MAX);
    for (size_t i = 0; i < sb_columns_cells.n; i++) {
        const sb_column *column = &sb_columns_cells.column[i];
        char text[FIELD];
        field_text(row, column->name, text);
        if (!sb_column_accepts(column, text))
            return sb_fail(SB_E_INTEGRITY, "%s: %s is '%.40s', which is none", sb_h5_path(row->file), column->name,
                           text);
        row->field[i] = strdup(text);
        if (!row->field[i]) return sb_fail(SB_E_MEMORY, "%s: not enough memory", row->cell->name);
    }
    return SB_OK;
}

static void write_row(sb_sheets *t, cell_row *row)
{
    sb_writer *csv = t->item[CELLS].csv;
    const sb_run_summary *s = row->summary;
    for (size_t i = 0; i < sb_columns_cells.n; i++) sb_write(csv, i ? ",%s" : "%s", row->field[i]);
    sb_write(csv, "\n");
    sb_write(t->item[TIMING].csv, "%.*s,%.9g,%.9g,%.9g\n", SB_CELL_HASH_SHOWN, row->cell->hash, s->seconds,
             s->frames_per_second, s->peak_memory_bytes / (1024.0 * 1024.0));
}

static void free_row(cell_row *row)
{
    for (size_t i = 0; i < sb_columns_cells.n; i++) free(row->field[i]);
}

/* -- a curve -- */

/* Are all metrics of update i numbers? */
static bool is_finite(size_t n, const double *metric, size_t i)
{
    bool finite = true;
    for (size_t m = 0; m < SB_N_METRICS; m++) finite = finite && isfinite(metric[m * n + i]);
    return finite;
}

/* Blocks of equal length, the last one shorter; a row is named by its block's last update. The last update of a training
 * that diverged has no place on a curve. */
static void write_rows(sb_writer *csv, const sb_cell *cell, size_t n, const int64_t *update, const double *metric)
{
    const size_t n_updates = n && !is_finite(n, metric, n - 1) ? n - 1 : n;
    const size_t block = (n + SB_CURVE_ROWS - 1) / SB_CURVE_ROWS;
    for (size_t first = 0; first < n_updates; first += block) {
        size_t end = first + block < n_updates ? first + block : n_updates;
        sb_write(csv, "%.*s,%lld", SB_CELL_HASH_SHOWN, cell->hash, (long long)update[end - 1]);
        for (size_t m = 0; m < SB_N_METRICS; m++) {
            double sum = 0;
            for (size_t i = first; i < end; i++) sum += metric[m * n + i];
            sb_write(csv, ",%.9g", sum / (double)(end - first));
        }
        sb_write(csv, ",%s\n", cell->name);
    }
}

static sb_status write_curve(sb_sheets *t, const sb_cell *cell, sb_h5 *file)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "train/update", &shape));
    size_t n = shape.n;
    SB_FREED int64_t *update = NULL;
    SB_FREED double *metric = sb_size_allocate(n, SB_N_METRICS * sizeof *metric);
    double *next = metric;
    if (!metric) return sb_h5_fail_memory(file);
    SB_TRY(sb_h5_read_new(file, "train/update", SB_I64, n, &update));
#define READ(ID, key, ...)                                                                                             \
    SB_TRY(sb_h5_read(file, "train/" #key, SB_F64, n, next));                                                          \
    next += n;
    SB_METRICS(READ, SB_METRIC_NONE, SB_METRIC_NONE)
    write_rows(t->item[CURVES].csv, cell, n, update, metric);
    return SB_OK;
}

/* What is met in many runs and told once. */
typedef struct gathered {
    sb_registration_sheet registrations;
    sb_baseline_requests baselines;
    sb_complete complete;                               /* room for the whole selection */
    size_t n_of_some;                                   /* sheets after the others, */
    const sb_sheet_of_some *of_some[SB_SHEETS_OF_SOME]; /* in their order */
    bool has_claims;                                    /* in the sheet after those */
} gathered;

static sb_status copy_claims(sb_sheets *t, const gathered *all, const sb_cells *cells)
{
    char path[SB_PATH_MAX];
    if (!all->has_claims) return SB_OK;
    sb_cells_beside(cells, cells->matrix->claims, path);
    return sb_sheets_copy(t, N_TABLES + (int)all->n_of_some, path);
}

/* What the claims were when the run began. */
static sb_status register_run(sb_sheets *t, gathered *all, cell_row *row)
{
    char claims[SB_RUN_CLAIMS];
    attribute(row->file, "meta", "claims", claims, sizeof claims);
    return sb_registration_sheet_add(&all->registrations, t->item[REGISTRATIONS].csv, sb_h5_path(row->file), claims,
                                     row->registration);
}

static sb_status request_baselines(gathered *all, const cell_row *row)
{
    char digest[FIELD], window[FIELD], updates[FIELD];
    field_text(row, "data_digest", digest);
    field_text(row, "window", window);
    field_text(row, "updates", updates);
    return sb_baseline_requests_add(&all->baselines, row->cell->data, digest, window, strtol(updates, NULL, 10));
}

/* SB_E_EMPTY: no finished run. SB_E_INTEGRITY: a damaged one. Neither leaves a row. */
static sb_status add_cell(sb_sheets *t, gathered *all, const sb_cells *cells, const sb_cell *cell,
                          const sb_looker *looker, bool *has_sketches, bool *diverged)
{
    sb_store store;
    sb_run_summary summary;
    sb_h5 *file;
    SB_TRY(sb_store_locate(&store, looker->results, cell));
    sb_status status = sb_store_open(&store, cell, SB_TRUST_SEAL, looker->stamps, &summary, &file);
    if (status == SB_E_EMPTY || status == SB_E_MEMORY) return status; /* a want of memory says nothing of the file */
    if (status != SB_OK) return sb_fail(SB_E_INTEGRITY, "%s", sb_message()); /* of this file; the others go on */
    cell_row row = {cells, cell, &summary, file, sb_setting_names_from(cell->value), store.run + store.relative,
                    "",    {0}};
    status = register_run(t, all, &row);
    if (status == SB_OK) status = request_baselines(all, &row);
    if (status == SB_OK) status = fill_row(&row);
    if (status == SB_OK) status = write_curve(t, cell, file);
    for (size_t i = 0; i < all->n_of_some && status == SB_OK; i++)
        status = all->of_some[i]->add(t->item[N_TABLES + i].csv, cell->hash, file);
    if (status == SB_OK) write_row(t, &row);
    if (status == SB_OK) status = sb_sheets_check(t);
    *has_sketches = sb_h5_exists(file, "sketch/update");
    *diverged = summary.diverged != 0;
    free_row(&row);
    sb_h5_close(file);
    return status;
}

/* A cell whose rows another machine collected. SB_E_EMPTY: none did. */
static sb_status take_cell(sb_sheets *t, gathered *all, const sb_cell *cell, int *from, bool *diverged)
{
    sb_elsewhere *e = all->complete.elsewhere;
    bool is_new = false;
    *from = e ? sb_elsewhere_find(e, cell) : -1;
    if (*from < 0) return SB_E_EMPTY;
    *diverged = sb_elsewhere_diverged(e, *from, cell);
    const char *registration = sb_elsewhere_registration(e, *from, cell);
    if (*registration) SB_TRY(sb_registration_sheet_note(&all->registrations, registration, &is_new));
    if (is_new) sb_elsewhere_copy_registration(e, *from, t->item[REGISTRATIONS].csv, registration);
    sb_elsewhere_copy(e, *from, t->item[CELLS].csv, &sb_columns_cells, cell);
    sb_elsewhere_copy(e, *from, t->item[CURVES].csv, &sb_columns_curves, cell);
    sb_elsewhere_copy(e, *from, t->item[TIMING].csv, &sb_columns_timing, cell);
    for (size_t i = 0; i < all->n_of_some; i++)
        sb_elsewhere_copy(e, *from, t->item[N_TABLES + i].csv, all->of_some[i]->columns, cell);
    return sb_sheets_check(t);
}

/* From its run file, else from another machine's tables. */
static sb_status complete_cell(sb_sheets *t, gathered *all, sb_collected *collected, const sb_cells *cells,
                               const sb_cell *cell, const sb_looker *looker)
{
    sb_complete *complete = &all->complete;
    const size_t n = complete->cells.n;
    complete->from[n] = -1;
    sb_status status = add_cell(t, all, cells, cell, looker, &complete->have_sketches[n], &complete->diverged[n]);
    if (status == SB_E_EMPTY) status = take_cell(t, all, cell, &complete->from[n], &complete->diverged[n]);
    if (status == SB_OK) complete->cells.item[complete->cells.n++] = cell;
    collected->diverged += status == SB_OK && complete->diverged[n];
    collected->elsewhere += status == SB_OK && complete->from[n] >= 0;
    collected->corrupt += status == SB_E_INTEGRITY;
    collected->absent += status == SB_E_EMPTY;
    if (status == SB_E_INTEGRITY) fprintf(stderr, "%s\n", sb_message());
    return status == SB_E_INTEGRITY || status == SB_E_EMPTY ? SB_OK : status;
}

static sb_status add_cells(sb_sheets *t, gathered *all, sb_collected *collected, const sb_cells *cells,
                           const sb_selection *selection, sb_looker *looker, const char *output)
{
    sb_elsewhere *e = all->complete.elsewhere;
    sb_columns_write(t->item[REGISTRATIONS].csv, &sb_columns_registrations);
    sb_columns_write(t->item[CELLS].csv, &sb_columns_cells);
    sb_columns_write(t->item[CURVES].csv, &sb_columns_curves);
    sb_columns_write(t->item[TIMING].csv, &sb_columns_timing);
    for (size_t i = 0; i < all->n_of_some; i++) sb_columns_write(t->item[N_TABLES + i].csv, all->of_some[i]->columns);
    for (size_t i = 0; i < selection->n; i++)
        SB_TRY(complete_cell(t, all, collected, cells, selection->item[i], looker));
    collected->complete = all->complete.cells.n;
    SB_TRY(sb_distances_write(t->item[DISTANCES].csv, &all->complete, looker));
    SB_TRY(sb_sheets_check(t));
    SB_TRY(sb_baselines_sheet_write(t->item[BASELINES].csv, &all->baselines, looker->data, output));
    if (e) sb_elsewhere_copy_baselines(e, t->item[BASELINES].csv, &all->baselines);
    SB_TRY(sb_sheets_check(t));
    const sb_coverage coverage = {cells, selection, &all->complete.cells, collected->diverged};
    SB_TRY(sb_coverage_write(t->item[COVERAGE].csv, &coverage, looker));
    if (e) sb_elsewhere_write_coverage(e, t->item[COVERAGE].csv);
    SB_TRY(sb_sheets_check(t));
    return copy_claims(t, all, cells);
}

/* Room for n cells. Whatever comes back, the caller closes. */
static sb_status open_complete(sb_complete *complete, size_t n, const sb_texts *with)
{
    complete->cells.item = calloc(n + 1, sizeof *complete->cells.item);
    complete->have_sketches = calloc(n + 1, sizeof *complete->have_sketches);
    complete->diverged = calloc(n + 1, sizeof *complete->diverged);
    complete->from = calloc(n + 1, sizeof *complete->from);
    if (!complete->cells.item || !complete->have_sketches || !complete->diverged || !complete->from)
        return sb_fail(SB_E_MEMORY, "not enough memory to collect");
    return with->n ? sb_elsewhere_open(&complete->elsewhere, with) : SB_OK;
}

static void close_complete(sb_complete *complete)
{
    sb_elsewhere_close(complete->elsewhere);
    sb_selection_free(&complete->cells);
    free(complete->have_sketches);
    free(complete->diverged);
    free(complete->from);
}

sb_status sb_collect(sb_collected *collected, const sb_cells *cells, const sb_selection *selection, sb_looker *looker,
                     const sb_texts *with, const char *output)
{
    static const sb_columns *const columns[N_TABLES] = {
        [CELLS] = &sb_columns_cells,         [CURVES] = &sb_columns_curves,
        [DISTANCES] = &sb_columns_distances, [TIMING] = &sb_columns_timing,
        [COVERAGE] = &sb_columns_coverage,   [REGISTRATIONS] = &sb_columns_registrations,
        [BASELINES] = &sb_columns_baselines,
    };
    const char *files[N_TABLES + SB_SHEETS_OF_SOME + 1];
    gathered all = {.has_claims = cells->matrix->claims != NULL};
    for (int i = 0; i < N_TABLES; i++) files[i] = columns[i]->file;
    for (int i = 0; i < SB_SHEETS_OF_SOME; i++)
        if (sb_sheets_of_some[i].wanted(selection)) all.of_some[all.n_of_some++] = &sb_sheets_of_some[i];
    for (size_t i = 0; i < all.n_of_some; i++) files[N_TABLES + i] = all.of_some[i]->columns->file;
    const int n_files = N_TABLES + (int)all.n_of_some + all.has_claims;
    SB_TRY(sb_same_study_check(cells, output));
    if (all.has_claims) files[n_files - 1] = SB_COLLECTED_CLAIMS;
    *collected = (sb_collected){0};
    sb_sheets sheets = {0};
    sb_status status = open_complete(&all.complete, selection->n, with);
    if (status == SB_OK) status = sb_sheets_open(&sheets, output, files, n_files);
    if (status == SB_OK) status = add_cells(&sheets, &all, collected, cells, selection, looker, output);
    if (status == SB_OK && !collected->complete)
        status = sb_fail(SB_E_EMPTY, "%s: no complete cell of the %zu selected (%zu damaged); run them first",
                         looker->results, selection->n, collected->corrupt);
    status = sb_sheets_close(&sheets, status);
    if (status == SB_OK && !all.has_claims) status = sb_sheets_drop(output, SB_COLLECTED_CLAIMS);
    close_complete(&all.complete);
    sb_registration_sheet_free(&all.registrations);
    sb_baseline_requests_free(&all.baselines);
    return status;
}
