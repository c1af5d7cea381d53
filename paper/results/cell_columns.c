#include "paper/results/results.h"

#include "paper/results/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A field that must be one of n words; *which says which of them it is. */
static sb_status read_word(const sb_field *f, int n, const char *const word[], int *which)
{
    const char *text = "";
    SB_TRY(sb_field_text(f, &text));
    for (*which = 0; *which < n; ++*which)
        if (strcmp(text, word[*which]) == 0) return SB_OK;
    char wanted[96] = "";
    for (int i = 0; i < n; i++) {
        const size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", word[i]);
    }
    return sb_row_fail(f->table, f->row, "%s wants %s, not '%s'", f->name, wanted, text);
}

static sb_status read_evidence(const sb_field *f, void *evidence)
{
    int which;
    SB_TRY(read_word(f, SB_N_EVIDENCES_OF_RUNS, sb_evidence_name, &which));
    *(sb_evidence *)evidence = (sb_evidence)which;
    return SB_OK;
}

static sb_status read_target(const sb_field *f, void *target)
{
    int which;
    SB_TRY(read_word(f, SB_N_TARGETS, sb_target_name, &which));
    *(sb_target *)target = (sb_target)which;
    return SB_OK;
}

/* The columns of cells.csv, without the settings, whose rows are in core/rows/setting.h. */
#define LOSS(ID, key, ...) {#key, sb_field_real, offsetof(sb_result, loss) + sizeof(double) * SB_METRIC_##ID},
static const sb_row_column cell_columns[] = {
    {"name", sb_field_text, offsetof(sb_result, name)},
    {"hash", sb_field_text, offsetof(sb_result, hash)},
    {"weights", sb_field_text, offsetof(sb_result, weights)},
    {"run", sb_field_text, offsetof(sb_result, run)},
    {"data_digest", sb_field_text, offsetof(sb_result, data_digest)},
    {"registration", sb_field_later_text, offsetof(sb_result, registration)},
    {"evidence", read_evidence, offsetof(sb_result, evidence)},
    {"target", read_target, offsetof(sb_result, target)},
    {"threads", sb_field_int, offsetof(sb_result, threads)},
    {"seed", sb_field_int, offsetof(sb_result, seed)},
    {"ulp", sb_field_int, offsetof(sb_result, ulp)},
    {"batch", sb_field_int, offsetof(sb_result, batch)},
    {"updates", sb_field_int, offsetof(sb_result, updates)},
    SB_METRICS(LOSS, SB_METRIC_NONE, SB_METRIC_NONE){"diverged", sb_field_later_int, offsetof(sb_result, diverged_at)},
    {"accuracy", sb_field_real_or_none, offsetof(sb_result, accuracy)},
    {"test_cross_entropy", sb_field_real_or_none, offsetof(sb_result, loss[SB_METRIC_TEST_CROSS_ENTROPY])},
    {0},
};

static const sb_row_column timing_columns[] = {
    {"seconds", sb_field_real, offsetof(sb_result, seconds)},
    {"frames_per_second", sb_field_real, offsetof(sb_result, frames_per_second)},
    {"peak_mib", sb_field_real, offsetof(sb_result, peak_mib)},
    {0},
};

/* -- cells -- */

sb_status sb_cell_check_loss(const sb_table *table, size_t row, const char *column, double loss, const char *cell)
{
    if (isfinite(loss) && loss >= 0) return SB_OK;
    return sb_row_fail(table, row, "%s of cell %s is %g; look at its run, then run it again or exclude the cell",
                       column, cell, loss);
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
    return sb_row_fail(table, row, "cell %s diverged at update %ld of %ld", cell->name, cell->diverged_at,
                       cell->updates);
}

static sb_status check_accuracy(const sb_table *table, size_t row, sb_result *cell)
{
    cell->loss[SB_METRIC_ERROR] = 1 - cell->accuracy;
    if (isnan(cell->accuracy) && !*sb_table_text_or_none(table, row, "accuracy")) return SB_OK;
    if (cell->accuracy >= 0 && cell->accuracy <= 1) return SB_OK;
    return sb_row_fail(table, row, "accuracy of cell %s is %g, not a share", cell->name, cell->accuracy);
}

/* Without a number it has none: a table that is older, or a network that does not classify. */
static sb_status check_test_cross_entropy(const sb_table *table, size_t row, const sb_result *cell)
{
    static const char *const column = "test_cross_entropy";
    if (!*sb_table_text_or_none(table, row, column)) return SB_OK;
    return sb_cell_check_loss(table, row, column, cell->loss[SB_METRIC_TEST_CROSS_ENTROPY], cell->name);
}

sb_status sb_cell_read(const sb_table *table, size_t row, sb_result *cell)
{
    cell->line = sb_table_line(table, row);
    SB_TRY(sb_row_read(cell_columns, table, row, NULL, cell));
    read_settings(table, row, cell);
    SB_TRY(check_divergence(table, row, cell));
    for (int m = 0; m < SB_N_METRICS; m++) {
        if (cell->diverged) cell->loss[m] = NAN;
        if (!cell->diverged) SB_TRY(sb_cell_check_loss(table, row, sb_metric_column[m], cell->loss[m], cell->name));
    }
    SB_TRY(check_accuracy(table, row, cell));
    SB_TRY(check_test_cross_entropy(table, row, cell));
    if (cell->diverged) cell->accuracy = cell->loss[SB_METRIC_ERROR] = cell->loss[SB_METRIC_TEST_CROSS_ENTROPY] = NAN;
    return SB_OK;
}

sb_status sb_cell_read_timing(const sb_table *table, size_t row, sb_result *cell)
{
    return sb_row_read(timing_columns, table, row, NULL, cell);
}
