#define _POSIX_C_SOURCE 200809L
#include "matrix/cells/cells.h"

#include "matrix/cells/cells_claims.h"
#include "matrix/cells/exclude.h"
#include "matrix/cells/matrix_check.h"
#include "matrix/cells/matrix_typed.h"
#include "matrix/cells/record.h"

#include "core/file.h"
#include "core/rows/typed.h"
#include "io/yaml/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 64 };

/* What the expansion of one study carries along. */
typedef struct expansion {
    sb_cells *cells;
    const sb_study *study;
    char place[PLACE];             /* of the study, or of the included row */
    sb_excludes *excludes;         /* NULL while included cells are added: those are named one by one */
    sb_values axes[SB_N_SETTINGS]; /* that still multiply */
    sb_typed_defaults *defaults;
} expansion;

/* -- one cell -- */

static sb_status name_cell(sb_cell *cell)
{
    const char *const *v = cell->value;
    const bool chooses = strcmp(v[SB_SETTING_BACKEND], "cudnn") == 0;
    const char *cudnn = chooses ? v[SB_SETTING_CUDNN_VERSION] : NULL;
    char name[512];
    int n = snprintf(name, sizeof name, "%s/%s/%s%s%s/%s/%s/s%03ld", v[SB_SETTING_STUDY], v[SB_SETTING_DATA],
                     v[SB_SETTING_BACKEND], cudnn ? "-" : "", cudnn ? cudnn : "", v[SB_SETTING_HARDWARE],
                     v[SB_SETTING_TARGET], strtol(v[SB_SETTING_SEED], NULL, 10));
    if (v[SB_SETTING_ULP])
        n += snprintf(name + n, sizeof name - (size_t)n, "u%02ld", strtol(v[SB_SETTING_ULP], NULL, 10));
    if (v[SB_SETTING_DRAW]) snprintf(name + n, sizeof name - (size_t)n, "d%02ld", strtol(v[SB_SETTING_DRAW], NULL, 10));
    cell->name = strdup(name);
    if (!cell->name) return sb_fail(SB_E_MEMORY, "not enough memory for the cells");
    SB_TRY(sb_record_make(&cell->record, cell->value, cell->data->make));
    sb_sha256_bytes(cell->record, strlen(cell->record), cell->hash);
    return SB_OK;
}

/* Room for one more; the capacity is the power of two at or above n. */
static sb_cell *append(sb_cell **item, size_t *n)
{
    if ((*n & (*n - 1)) == 0) {
        sb_cell *grown = realloc(*item, (*n ? 2 * *n : 1) * sizeof **item);
        if (!grown) return NULL;
        *item = grown;
    }
    sb_cell *cell = &(*item)[(*n)++];
    *cell = (sb_cell){0};
    return cell;
}

static sb_status check_record_length(const expansion *ex, const sb_cell *cell)
{
    const size_t n_bytes = strlen(cell->record);
    if (n_bytes < SB_RECORD_BYTES) return SB_OK;
    return sb_place_fail(ex->cells->path, ex->place,
                         "the settings of %s take %zu bytes, %d at most; shorten their texts, or make of its data set",
                         cell->name, n_bytes, SB_RECORD_BYTES - 1);
}

static sb_status add_cell(expansion *ex, const char *const value[SB_N_SETTINGS])
{
    sb_cells *cells = ex->cells;
    SB_TRY(sb_matrix_check_complete(cells->path, ex->place, value));
    SB_TRY(sb_matrix_check_names(cells->path, ex->place, cells->matrix, &cells->hardware, value));
    if (cells->n + cells->n_excluded >= SB_CELLS_MAX)
        return sb_place_fail(cells->path, ex->place, "more than %d cells", SB_CELLS_MAX);
    const char *reason = ex->excludes ? sb_exclude_reason(ex->excludes, value) : NULL;
    sb_cell *cell = reason ? append(&cells->excluded, &cells->n_excluded) : append(&cells->item, &cells->n);
    if (!cell) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the cells", cells->path);
    const sb_typed_place at = {cells->path, ex->place, cells->matrix, ex->study};
    if (!reason) SB_TRY(sb_matrix_check_typed(&at, ex->defaults, value));
    memcpy(cell->value, value, sizeof cell->value);
    cell->study = ex->study;
    cell->reason = reason;
    for (uint32_t i = 0; i < cells->matrix->n_data; i++)
        if (strcmp(cells->matrix->data[i].name, value[SB_SETTING_DATA]) == 0) cell->data = &cells->matrix->data[i];
    cell->claims = "";
    cell->stack = sb_hardware_stack(&cells->hardware, cell->value, cell->why);
    cell->emulator = sb_hardware_emulator(&cells->hardware, cell->value);
    cell->evidence = sb_hardware_evidence(&cells->hardware, cell->value, &ex->study->require, cell->why);
    SB_TRY(name_cell(cell));
    return check_record_length(ex, cell);
}

/* -- expansion -- */

static void overlay(const char *value[SB_N_SETTINGS], const sb_row *row)
{
    for (sb_setting_id factor = 0; factor < SB_N_SETTINGS; factor++)
        if (row->value[factor]) value[factor] = row->value[factor];
}

static void begin_row(const expansion *ex, const char *value[SB_N_SETTINGS])
{
    for (sb_setting_id factor = 0; factor < SB_N_SETTINGS; factor++) value[factor] = NULL;
    overlay(value, &ex->cells->matrix->defaults);
    overlay(value, &ex->study->options);
    value[SB_SETTING_STUDY] = ex->study->name;
}

/* Random orders are drawn again where the arithmetic has some; elsewhere another initial weight is moved by one ulp. */
static sb_setting_id find_replicating(const char *value[SB_N_SETTINGS])
{
    char why[SB_TYPED_WHY];
    value[SB_SETTING_DRAW] = "1";
    const bool draws = sb_typed_holds(SB_SETTING_DRAW, value, why);
    value[SB_SETTING_DRAW] = NULL;
    return draws ? SB_SETTING_DRAW : SB_SETTING_ULP;
}

/* The cell and its replicates; a row that names a replicate itself is that one alone. */
static sb_status add_replicates(expansion *ex, const char *value[SB_N_SETTINGS])
{
    SB_TRY(add_cell(ex, value));
    if (ex->study->replicates < 2 || value[SB_SETTING_DRAW] || value[SB_SETTING_ULP]) return SB_OK;
    const sb_setting_id by = find_replicating(value);
    for (int64_t i = 0; i < ex->study->replicates - 1; i++) {
        value[by] = ex->cells->replicate[i];
        SB_TRY(add_cell(ex, value));
    }
    value[by] = NULL;
    return SB_OK;
}

/* All values of the axes first.., the last axis fastest. */
static sb_status expand_axes(expansion *ex, const char *value[SB_N_SETTINGS], sb_setting_id first)
{
    while (first < SB_N_SETTINGS && !ex->axes[first].n) first++;
    if (first == SB_N_SETTINGS) return add_replicates(ex, value);
    const char *outer = value[first];
    for (uint32_t i = 0; i < ex->axes[first].n; i++) {
        value[first] = ex->axes[first].item[i];
        SB_TRY(expand_axes(ex, value, first + 1));
    }
    value[first] = outer;
    return SB_OK;
}

static sb_status expand_rows(expansion *ex)
{
    const char *value[SB_N_SETTINGS];
    bool multiplies = ex->study->n_zip > 0;
    for (sb_setting_id factor = 0; factor < SB_SETTING_SEED; factor++) multiplies = multiplies || ex->axes[factor].n;
    if (!multiplies && ex->study->n_include) return SB_OK; /* a study of included cells alone */
    for (uint32_t i = 0; i < (ex->study->n_zip ? ex->study->n_zip : 1); i++) {
        begin_row(ex, value);
        if (ex->study->n_zip) overlay(value, &ex->study->zip[i]);
        SB_TRY(expand_axes(ex, value, 0));
    }
    return SB_OK;
}

/* An included row stands for itself: of the axes only the seeds apply, where it names none. */
static sb_status expand_includes(expansion *ex)
{
    const char *value[SB_N_SETTINGS];
    const sb_values seeds = ex->axes[SB_SETTING_SEED];
    memset(ex->axes, 0, sizeof ex->axes);
    for (uint32_t i = 0; i < ex->study->n_include; i++) {
        begin_row(ex, value);
        overlay(value, &ex->study->include[i]);
        snprintf(ex->place, sizeof ex->place, "studies/%ld/include/%u", (long)(ex->study - ex->cells->matrix->studies),
                 i);
        ex->axes[SB_SETTING_SEED] = ex->study->include[i].value[SB_SETTING_SEED] ? (sb_values){0} : seeds;
        SB_TRY(expand_axes(ex, value, 0));
    }
    return SB_OK;
}

static sb_status expand_study(sb_cells *cells, uint32_t index, sb_typed_defaults *defaults)
{
    sb_study *study = &cells->matrix->studies[index];
    SB_TRY(sb_schema_spell_seeds(study));
    expansion ex = {.cells = cells, .study = study, .defaults = defaults};
    memcpy(ex.axes, study->axes, sizeof ex.axes);
    snprintf(ex.place, sizeof ex.place, "studies/%u", index);
    SB_TRY(sb_exclude_compile(&ex.excludes, study, cells->path, ex.place));
    sb_status status = expand_rows(&ex);
    if (status == SB_OK) status = sb_exclude_check_used(ex.excludes);
    sb_exclude_free(ex.excludes);
    ex.excludes = NULL;
    if (status == SB_OK) status = expand_includes(&ex);
    return status;
}

static sb_status spell_replicates(sb_cells *cells)
{
    cells->replicate = malloc(SB_REPLICATES_MAX * sizeof *cells->replicate);
    if (!cells->replicate) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the replicates", cells->path);
    for (int i = 0; i < SB_REPLICATES_MAX; i++) snprintf(cells->replicate[i], sizeof *cells->replicate, "%d", i + 1);
    return SB_OK;
}

/* -- the whole -- */

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const sb_cell *const *)a)->name, (*(const sb_cell *const *)b)->name);
}

static int by_shown_hash(const void *a, const void *b)
{
    return strncmp((*(const sb_cell *const *)a)->hash, (*(const sb_cell *const *)b)->hash, SB_CELL_HASH_SHOWN);
}

/* Two cells that this order takes for one, as they stand in the file; NULL: there are none. */
static sb_status find_pair(const sb_cell *pair[2], const sb_cells *cells, int (*order)(const void *, const void *))
{
    const sb_cell **sorted = malloc((cells->n + 1) * sizeof *sorted);
    pair[0] = pair[1] = NULL;
    if (!sorted) return sb_fail(SB_E_MEMORY, "%s: not enough memory", cells->path);
    for (size_t i = 0; i < cells->n; i++) sorted[i] = &cells->item[i];
    qsort(sorted, cells->n, sizeof *sorted, order);
    for (size_t i = 1; !pair[0] && i < cells->n; i++) {
        if (order(&sorted[i - 1], &sorted[i]) != 0) continue;
        const bool turned = sorted[i - 1] > sorted[i];
        pair[turned] = sorted[i - 1];
        pair[!turned] = sorted[i];
    }
    free(sorted);
    return SB_OK;
}

static void place_of(const sb_cells *cells, const sb_cell *cell, char place[PLACE])
{
    snprintf(place, PLACE, "studies/%ld", (long)(cell->study - cells->matrix->studies));
}

static sb_status check_names(const sb_cells *cells)
{
    const sb_cell *pair[2];
    char place[PLACE];
    SB_TRY(find_pair(pair, cells, by_name));
    if (!pair[0]) return SB_OK;
    place_of(cells, pair[1], place);
    return sb_place_fail(cells->path, place,
                         "duplicate cell %s: what its name does not show (%s) wants a study of its own", pair[1]->name,
                         "updates, batch, threads, ...");
}

/* Tables name a cell by these digits alone. */
static sb_status check_shown_hashes(const sb_cells *cells)
{
    const sb_cell *pair[2];
    char place[PLACE];
    SB_TRY(find_pair(pair, cells, by_shown_hash));
    if (!pair[0]) return SB_OK;
    place_of(cells, pair[1], place);
    return sb_place_fail(cells->path, place,
                         "the hashes of %s and %s both begin with %.*s, and tables identify cells by these "
                         "digits; give one of them another seed, or its study another name",
                         pair[0]->name, pair[1]->name, SB_CELL_HASH_SHOWN, pair[0]->hash);
}

void sb_cells_beside(const sb_cells *cells, const char *file, char path[SB_PATH_MAX])
{
    sb_file_beside(cells->path, file, path);
}

static sb_status load_hardware(sb_cells *cells, const sb_host *host)
{
    char path[SB_PATH_MAX];
    sb_cells_beside(cells, cells->matrix->hardware, path);
    if (!sb_file_exists(path)) return sb_place_fail(cells->path, "hardware", "%s: no such file", path);
    return sb_hardware_load(&cells->hardware, path, host);
}

/* The digests of all files together, each of these beside the matrix file. */
static sb_status add_digest(const sb_cells *cells, const char *file, char digest[SB_SHA256_TEXT])
{
    char path[SB_PATH_MAX], both[2][SB_SHA256_TEXT] = {0};
    if (!file) return SB_OK;
    sb_cells_beside(cells, file, path);
    memcpy(both[0], digest, SB_SHA256_TEXT);
    SB_TRY(sb_sha256_file(path, both[1]));
    sb_sha256_bytes(both, sizeof both, digest);
    return SB_OK;
}

static sb_status digest_files(const sb_cells *cells, char digest[SB_SHA256_TEXT])
{
    SB_TRY(sb_sha256_file(cells->path, digest));
    SB_TRY(add_digest(cells, cells->matrix->hardware, digest));
    SB_TRY(add_digest(cells, cells->matrix->claims, digest));
    for (size_t i = 0; i < cells->layer_files.n; i++) SB_TRY(add_digest(cells, cells->layer_files.name[i], digest));
    return SB_OK;
}

bool sb_cells_edited(const sb_cells *cells)
{
    char digest[SB_SHA256_TEXT];
    return digest_files(cells, digest) != SB_OK || strcmp(digest, cells->digest) != 0;
}

sb_status sb_cells_load(sb_cells **cells, const char *path, const sb_host *host)
{
    sb_cells *made = calloc(1, sizeof *made);
    *cells = NULL;
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    }
    sb_status status = sb_schema_load_matrix(path, &made->matrix);
    if (status == SB_OK) status = sb_matrix_check(path, made->matrix);
    if (status == SB_OK) status = sb_layer_files_read(&made->layer_files, made->matrix, path);
    if (status == SB_OK) status = load_hardware(made, host);
    sb_claim_file *claims = NULL;
    if (status == SB_OK) status = sb_cells_load_claims(made, &claims);
    if (status == SB_OK) status = digest_files(made, made->digest);
    if (status == SB_OK) status = spell_replicates(made);
    sb_typed_defaults defaults = {0};
    for (uint32_t i = 0; status == SB_OK && i < made->matrix->n_studies; i++) status = expand_study(made, i, &defaults);
    if (status == SB_OK) status = sb_matrix_check_defaults(made, &defaults);
    if (status == SB_OK) status = check_names(made);
    if (status == SB_OK) status = check_shown_hashes(made);
    if (status == SB_OK) status = sb_cells_register_claims(made, claims);
    sb_claim_file_free(claims);
    if (status != SB_OK) {
        sb_cells_free(made);
        return status;
    }
    *cells = made;
    return SB_OK;
}

static void free_cells(sb_cell *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(item[i].name);
        free(item[i].record);
    }
    free(item);
}

void sb_cells_free(sb_cells *cells)
{
    if (!cells) return;
    free_cells(cells->item, cells->n);
    free_cells(cells->excluded, cells->n_excluded);
    sb_hardware_free(&cells->hardware);
    sb_schema_free_matrix(cells->matrix);
    sb_layer_files_free(&cells->layer_files);
    free(cells->claims);
    free(cells->replicate);
    free(cells->path);
    free(cells);
}
