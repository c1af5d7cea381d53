#include "paper/results/baseline_losses.h"

#include "core/size.h"
#include "paper/files/path.h"
#include "paper/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_baseline_id id_of(const char *name)
{
    int id = 0;
    while (id < SB_N_BASELINES && strcmp(sb_baseline_name[id], name) != 0) id++;
    return (sb_baseline_id)id;
}

static sb_status read_number(const sb_table *table, size_t row, const char *name, double *value)
{
    size_t column;
    SB_TRY(sb_table_column(table, name, &column));
    SB_TRY(sb_table_real(table, row, column, value));
    if (isfinite(*value) && *value >= 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s of %g", table->path, sb_table_line(row), name, *value);
}

static sb_status read_whole(const sb_table *table, size_t row, const char *name, long *value)
{
    size_t column;
    SB_TRY(sb_table_column(table, name, &column));
    return sb_table_int(table, row, column, value);
}

static sb_status read_row(const sb_table *table, size_t row, sb_baseline_row *r)
{
    const char *digest = sb_table_text_or_none(table, row, "data_digest");
    if (snprintf(r->digest, sizeof r->digest, "%s", digest) < 8) /* no longer than that: io/columns.h */
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: no digest of data", table->path, sb_table_line(row));
    r->id = id_of(sb_table_text_or_none(table, row, "baseline"));
    SB_TRY(read_whole(table, row, "window", &r->window));
    SB_TRY(read_whole(table, row, "updates", &r->updates));
    for (int m = 0; m < SB_N_METRICS; m++) SB_TRY(read_number(table, row, sb_metric_column[m], &r->loss[m]));
    return SB_OK;
}

sb_status sb_baseline_losses_read(sb_baseline_losses *losses, const char *folder)
{
    char path[SB_PATH_MAX];
    sb_table table;
    *losses = (sb_baseline_losses){0};
    SB_TRY(sb_path_join(path, folder, "%s", sb_columns_baselines.file));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_table_read(&table, path, &sb_columns_baselines));
    losses->row = sb_size_allocate(table.n_rows, sizeof *losses->row);
    sb_status status = losses->row ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (size_t row = 0; status == SB_OK && row < table.n_rows; row++) {
        status = read_row(&table, row, &losses->row[losses->n]);
        losses->n += losses->row[losses->n].id < SB_N_BASELINES;
    }
    sb_table_free(&table);
    if (status != SB_OK) sb_baseline_losses_free(losses);
    return status;
}

void sb_baseline_losses_free(sb_baseline_losses *losses)
{
    free(losses->row);
    *losses = (sb_baseline_losses){0};
}

double sb_baseline_loss(const sb_baseline_losses *losses, const sb_result *cell, sb_baseline_id id, sb_metric metric)
{
    for (size_t i = 0; i < losses->n; i++) {
        const sb_baseline_row *r = &losses->row[i];
        if (r->id == id && r->updates == cell->updates && strcmp(r->digest, cell->data_digest) == 0 &&
            r->window == strtol(cell->window_text, NULL, 10))
            return r->loss[metric];
    }
    return NAN;
}
