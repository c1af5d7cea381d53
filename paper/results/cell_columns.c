#include "paper/results/cell_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- columns: a reader takes the field of a column, or of one that older tables lack, into a member of the cell -- */

static sb_status read_text(const sb_table *table, size_t row, const char *name, void *text)
{
    size_t column;
    SB_TRY(sb_table_column(table, name, &column));
    *(const char **)text = sb_table_text(table, row, column);
    return SB_OK;
}

static sb_status read_later_text(const sb_table *table, size_t row, const char *name, void *text)
{
    *(const char **)text = sb_table_text_or_none(table, row, name);
    return SB_OK;
}

static sb_status read_int(const sb_table *table, size_t row, const char *name, void *value)
{
    size_t column;
    SB_TRY(sb_table_column(table, name, &column));
    return sb_table_int(table, row, column, value);
}

static sb_status read_later_int(const sb_table *table, size_t row, const char *name, void *value)
{
    return *sb_table_text_or_none(table, row, name) ? read_int(table, row, name, value) : SB_OK;
}

static sb_status read_real(const sb_table *table, size_t row, const char *name, void *value)
{
    size_t column;
    SB_TRY(sb_table_column(table, name, &column));
    return sb_table_real(table, row, column, value);
}

static sb_status read_later_real(const sb_table *table, size_t row, const char *name, void *value)
{
    *(double *)value = NAN;
    return *sb_table_text_or_none(table, row, name) ? read_real(table, row, name, value) : SB_OK;
}

/* A field that must be one of n words; *which says which of them it is. */
static sb_status read_word(const sb_table *table, size_t row, const char *name, int n, const char *const word[],
                           int *which)
{
    const char *text = "";
    SB_TRY(read_text(table, row, name, &text));
    for (*which = 0; *which < n; ++*which)
        if (strcmp(text, word[*which]) == 0) return SB_OK;
    char wanted[96] = "";
    for (int i = 0; i < n; i++) {
        const size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", word[i]);
    }
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s wants %s, not '%s'", table->path, sb_table_line(row), name, wanted,
                   text);
}

static sb_status read_evidence(const sb_table *table, size_t row, const char *name, void *evidence)
{
    int which;
    SB_TRY(read_word(table, row, name, SB_N_EVIDENCES_OF_RUNS, sb_evidence_name, &which));
    *(sb_evidence *)evidence = (sb_evidence)which;
    return SB_OK;
}

static sb_status read_target(const sb_table *table, size_t row, const char *name, void *target)
{
    int which;
    SB_TRY(read_word(table, row, name, SB_N_TARGETS, sb_target_name, &which));
    *(sb_target *)target = (sb_target)which;
    return SB_OK;
}

typedef struct cell_column {
    const char *name;
    sb_status (*read)(const sb_table *table, size_t row, const char *name, void *member);
    size_t member; /* its place in sb_result */
} cell_column;

/* Those of cells.csv, but for the settings, whose rows are in core/rows/setting.h. */
#define LOSS(ID, key, ...) {#key, read_real, offsetof(sb_result, loss) + sizeof(double) * SB_METRIC_##ID},
static const cell_column cell_columns[] = {
    {"name", read_text, offsetof(sb_result, name)},
    {"hash", read_text, offsetof(sb_result, hash)},
    {"weights", read_text, offsetof(sb_result, weights)},
    {"run", read_text, offsetof(sb_result, run)},
    {"data_digest", read_text, offsetof(sb_result, data_digest)},
    {"registration", read_later_text, offsetof(sb_result, registration)},
    {"evidence", read_evidence, offsetof(sb_result, evidence)},
    {"target", read_target, offsetof(sb_result, target)},
    {"threads", read_int, offsetof(sb_result, threads)},
    {"seed", read_int, offsetof(sb_result, seed)},
    {"ulp", read_int, offsetof(sb_result, ulp)},
    {"batch", read_int, offsetof(sb_result, batch)},
    {"updates", read_int, offsetof(sb_result, updates)},
    SB_METRICS(LOSS, SB_METRIC_NONE, SB_METRIC_NONE){"diverged", read_later_int, offsetof(sb_result, diverged_at)},
    {"accuracy", read_later_real, offsetof(sb_result, accuracy)},
};

static const cell_column timing_columns[] = {
    {"seconds", read_real, offsetof(sb_result, seconds)},
    {"frames_per_second", read_real, offsetof(sb_result, frames_per_second)},
    {"peak_mib", read_real, offsetof(sb_result, peak_mib)},
};

static sb_status read_columns(const sb_table *table, size_t row, const cell_column *columns, size_t n, sb_result *cell)
{
    for (size_t i = 0; i < n; i++)
        SB_TRY(columns[i].read(table, row, columns[i].name, (char *)cell + columns[i].member));
    return SB_OK;
}

/* -- cells -- */

sb_status sb_cell_check_loss(const sb_table *table, size_t row, const char *column, double loss, const char *cell)
{
    if (isfinite(loss) && loss >= 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s:%zu: %s of cell %s is %g; look at its run, then run it again or exclude the cell", table->path,
                   sb_table_line(row), column, cell, loss);
}

/* Of what is trained, and of what every run has that computes it, a table that is older than a setting means what its
 * row says. */
static void read_later_settings(sb_result *cell)
{
    const sb_setting_names names = sb_setting_names_from(cell->setting);
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        const sb_setting_row *row = &sb_settings_table[id];
        const bool is_known = row->role == SB_ROLE_RECIPE || (row->role == SB_ROLE_SETTING && row->of == SB_OF_ANY);
        if (is_known && row->since > 1 && !*cell->setting[id]) cell->setting[id] = sb_setting_absent(id, &names);
    }
}

static void read_settings(const sb_table *table, size_t row, sb_result *cell)
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        cell->setting[id] = sb_table_text_or_none(table, row, sb_settings_table[id].key);
    read_later_settings(cell);
}

/* Says the table that it diverged, or is one of its losses no finite number, as in tables of older programs? */
static sb_status check_divergence(const sb_table *table, size_t row, sb_result *cell)
{
    for (int m = 0; m < SB_N_METRICS; m++) cell->diverged |= !isfinite(cell->loss[m]);
    if (!*sb_table_text_or_none(table, row, "diverged")) return SB_OK;
    cell->diverged = true;
    if (cell->diverged_at > 0 && cell->diverged_at <= cell->updates) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: cell %s diverged at update %ld of %ld", table->path, sb_table_line(row),
                   cell->name, cell->diverged_at, cell->updates);
}

static sb_status check_accuracy(const sb_table *table, size_t row, sb_result *cell)
{
    cell->loss[SB_METRIC_ERROR] = 1 - cell->accuracy;
    if (isnan(cell->accuracy) && !*sb_table_text_or_none(table, row, "accuracy")) return SB_OK;
    if (cell->accuracy >= 0 && cell->accuracy <= 1) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: accuracy of cell %s is %g, not a share", table->path, sb_table_line(row),
                   cell->name, cell->accuracy);
}

sb_status sb_cell_read(const sb_table *table, size_t row, sb_result *cell)
{
    cell->line = sb_table_line(row);
    SB_TRY(read_columns(table, row, cell_columns, sizeof cell_columns / sizeof *cell_columns, cell));
    read_settings(table, row, cell);
    SB_TRY(check_divergence(table, row, cell));
    for (int m = 0; m < SB_N_METRICS; m++) {
        if (cell->diverged) cell->loss[m] = NAN;
        if (!cell->diverged) SB_TRY(sb_cell_check_loss(table, row, sb_metric_column[m], cell->loss[m], cell->name));
    }
    SB_TRY(check_accuracy(table, row, cell));
    if (cell->diverged) cell->accuracy = cell->loss[SB_METRIC_ERROR] = NAN;
    return SB_OK;
}

sb_status sb_cell_read_timing(const sb_table *table, size_t row, sb_result *cell)
{
    return read_columns(table, row, timing_columns, sizeof timing_columns / sizeof *timing_columns, cell);
}
