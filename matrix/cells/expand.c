#include "matrix/cells/cells.h"
#include "matrix/cells/command.h"
#include "matrix/cells/matrix_check.h"

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
    char place[PLACE];               /* of the study, or of the included row */
    sb_excludes *excludes;           /* NULL while included cells are added: those are named one by one */
    sb_value_list axes[SB_N_VALUES]; /* that still multiply */
    sb_typed_defaults *defaults;
} expansion;

/* -- one cell -- */

static void name_training(const sb_cell *cell, char *name, size_t size)
{
    const char *const *v = cell->value;
    const bool chooses = strcmp(v[SB_SETTING_BACKEND], "cudnn") == 0;
    const char *cudnn = chooses ? v[SB_SETTING_CUDNN_VERSION] : NULL;
    int n = snprintf(name, size, "%s/%s/%s%s%s/%s/%s/s%03ld", v[SB_SETTING_STUDY], v[SB_SETTING_DATA],
                     v[SB_SETTING_BACKEND], cudnn ? "-" : "", cudnn ? cudnn : "", v[SB_SETTING_HARDWARE],
                     v[SB_SETTING_TARGET], strtol(v[SB_SETTING_SEED], NULL, 10));
    if (v[SB_SETTING_ULP]) n += snprintf(name + n, size - (size_t)n, "u%02ld", strtol(v[SB_SETTING_ULP], NULL, 10));
    if (v[SB_SETTING_DRAW]) snprintf(name + n, size - (size_t)n, "d%02ld", strtol(v[SB_SETTING_DRAW], NULL, 10));
}

static sb_status name_cell(sb_cell *cell)
{
    char name[1024];
    const bool is_command = cell->study->command;
    (is_command ? sb_command_name : name_training)(cell, name, sizeof name);
    cell->name = strdup(name);
    if (!cell->name) return sb_fail(SB_E_MEMORY, "not enough memory for the cells");
    SB_TRY(is_command ? sb_command_record(&cell->record, cell)
                      : sb_record_make(&cell->record, cell->value, cell->data->make));
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

static sb_status check_values(const expansion *ex, const char *const value[SB_N_VALUES])
{
    const sb_cells *cells = ex->cells;
    if (ex->study->command)
        SB_TRY(sb_command_check_values(cells->path, ex->place, cells->matrix, ex->study, value));
    else
        SB_TRY(sb_matrix_check_complete(cells->path, ex->place, value));
    return sb_matrix_check_names(cells->path, ex->place, cells->matrix, &cells->hardware, value);
}

/* What it runs on, and whether that is here. */
static void find_machine(const expansion *ex, sb_cell *cell)
{
    const sb_hardware_table *table = &ex->cells->hardware;
    char name[SB_PATH_MAX];
    if (!ex->study->command) {
        cell->stack = sb_hardware_stack(table, cell->value, cell->why);
        cell->emulator = sb_hardware_emulator(table, cell->value);
        cell->evidence = sb_hardware_evidence(table, cell->value, &ex->study->require, cell->why);
        return;
    }
    const sb_hardware *row =
        cell->value[SB_SETTING_HARDWARE] ? sb_hardware_find(table, cell->value[SB_SETTING_HARDWARE]) : NULL;
    cell->wants_gpu = (row && row->gpu) || ex->study->require.n; /* all that can be required is a GPU's */
    cell->evidence = sb_hardware_evidence_of_command(table, cell->value, &ex->study->require, cell->why);
    if (cell->evidence == SB_EVIDENCE_ABSENT || !sb_command_absent(ex->study, ex->cells->path, name)) return;
    cell->evidence = SB_EVIDENCE_ABSENT;
    snprintf(cell->why, SB_WHY, "needs the program %.120s", name);
}

static sb_status add_cell(expansion *ex, const char *const value[SB_N_VALUES])
{
    sb_cells *cells = ex->cells;
    SB_TRY(check_values(ex, value));
    if (cells->n + cells->n_excluded >= SB_CELLS_MAX)
        return sb_place_fail(cells->path, ex->place, "more than %d cells", SB_CELLS_MAX);
    const char *reason = ex->excludes ? sb_exclude_reason(ex->excludes, value) : NULL;
    sb_cell *cell = reason ? append(&cells->excluded, &cells->n_excluded) : append(&cells->item, &cells->n);
    if (!cell) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the cells", cells->path);
    const sb_typed_place at = {cells->path, ex->place, cells->matrix, ex->study};
    if (!reason && !ex->study->command) SB_TRY(sb_matrix_check_typed(&at, ex->defaults, value));
    memcpy(cell->value, value, sizeof cell->value);
    cell->matrix = cells->matrix;
    cell->study = ex->study;
    cell->file_digest = (const char(*)[SB_SHA256_TEXT])cells->file_digest[ex->study - cells->matrix->studies];
    cell->reason = reason;
    for (uint32_t i = 0; i < cells->matrix->n_data; i++)
        if (value[SB_SETTING_DATA] && strcmp(cells->matrix->data[i].name, value[SB_SETTING_DATA]) == 0)
            cell->data = &cells->matrix->data[i];
    cell->claims = "";
    find_machine(ex, cell);
    SB_TRY(name_cell(cell));
    return check_record_length(ex, cell);
}

/* -- expansion -- */

static void overlay(const char *value[SB_N_VALUES], const sb_row *row)
{
    for (unsigned id = 0; id < SB_N_VALUES; id++)
        if (row->value[id]) value[id] = row->value[id];
}

static void begin_row(const expansion *ex, const char *value[SB_N_VALUES])
{
    for (unsigned id = 0; id < SB_N_VALUES; id++) value[id] = NULL;
    overlay(value, &ex->cells->matrix->defaults);
    overlay(value, &ex->study->options);
    value[SB_SETTING_STUDY] = ex->study->name;
}

/* Random orders are drawn again where the arithmetic has some; elsewhere another initial weight is moved by one ulp. */
static sb_setting_id find_replicating(const char *value[SB_N_VALUES])
{
    char why[SB_TYPED_WHY];
    value[SB_SETTING_DRAW] = "1";
    const bool draws = sb_typed_holds(SB_SETTING_DRAW, value, why);
    value[SB_SETTING_DRAW] = NULL;
    return draws ? SB_SETTING_DRAW : SB_SETTING_ULP;
}

/* The cell and its replicates; a row that names a replicate itself is that one alone. */
static sb_status add_replicates(expansion *ex, const char *value[SB_N_VALUES])
{
    SB_TRY(add_cell(ex, value));
    if (ex->study->replicates < 2 || value[SB_SETTING_DRAW] || value[SB_SETTING_ULP]) return SB_OK;
    const sb_setting_id by = ex->study->command ? SB_SETTING_ULP : find_replicating(value);
    for (int64_t i = 0; i < ex->study->replicates - 1; i++) {
        value[by] = ex->cells->replicate[i];
        SB_TRY(add_cell(ex, value));
    }
    value[by] = NULL;
    return SB_OK;
}

/* The axes that a file of commands adds come first, then the axes of settings in their order, so that seeds vary
 * fastest. */
static unsigned axis_at(unsigned turn)
{
    return turn < SB_CUSTOM_MAX ? SB_N_SETTINGS + turn : turn - SB_CUSTOM_MAX;
}

/* All values of the axes of these turns and those after them, the last axis fastest. */
static sb_status expand_axes(expansion *ex, const char *value[SB_N_VALUES], unsigned turn)
{
    while (turn < SB_N_VALUES && !ex->axes[axis_at(turn)].n) turn++;
    if (turn == SB_N_VALUES) return add_replicates(ex, value);
    const unsigned id = axis_at(turn);
    const char *outer = value[id];
    for (uint32_t i = 0; i < ex->axes[id].n; i++) {
        value[id] = ex->axes[id].item[i];
        SB_TRY(expand_axes(ex, value, turn + 1));
    }
    value[id] = outer;
    return SB_OK;
}

static sb_status expand_rows(expansion *ex)
{
    const char *value[SB_N_VALUES];
    bool multiplies = ex->study->n_zip > 0;
    for (unsigned id = 0; id < SB_N_VALUES; id++)
        multiplies = multiplies || (ex->axes[id].n && (id < SB_SETTING_SEED || id >= SB_N_SETTINGS));
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
    const char *value[SB_N_VALUES];
    const sb_value_list seeds = ex->axes[SB_SETTING_SEED];
    memset(ex->axes, 0, sizeof ex->axes);
    for (uint32_t i = 0; i < ex->study->n_include; i++) {
        begin_row(ex, value);
        overlay(value, &ex->study->include[i]);
        snprintf(ex->place, sizeof ex->place, "studies/%ld/include/%u", (long)(ex->study - ex->cells->matrix->studies),
                 i);
        ex->axes[SB_SETTING_SEED] = ex->study->include[i].value[SB_SETTING_SEED] ? (sb_value_list){0} : seeds;
        SB_TRY(expand_axes(ex, value, 0));
    }
    return SB_OK;
}

sb_status sb_expand_study(sb_cells *cells, uint32_t index, sb_typed_defaults *defaults)
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
