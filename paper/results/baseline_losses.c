#include "paper/results/results.h"
#include "paper/results/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SB_N_BASELINES: one that this program does not know. */
static sb_status read_id(const sb_field *f, void *member)
{
    int id = 0;
    const char *name;
    SB_TRY(sb_field_later_text(f, &name));
    while (id < SB_N_BASELINES && strcmp(sb_baseline_name[id], name) != 0) id++;
    *(sb_baseline_id *)member = (sb_baseline_id)id;
    return SB_OK;
}

static sb_status read_digest(const sb_field *f, void *member)
{
    const char *digest;
    SB_TRY(sb_field_later_text(f, &digest));
    if (snprintf(member, SB_SHA256_TEXT, "%s", digest) >= 8) return SB_OK; /* no longer than that: io/columns.h */
    return sb_row_fail(f->table, f->row, "no digest of data");
}

#define LOSS(ID, key, ...) {#key, sb_field_size, offsetof(sb_baseline_row, loss) + sizeof(double) * SB_METRIC_##ID},
static const sb_row_column columns[] = {
    {"data_digest", read_digest, offsetof(sb_baseline_row, digest)},
    {"baseline", read_id, offsetof(sb_baseline_row, id)},
    {"window", sb_field_int, offsetof(sb_baseline_row, window)},
    {"updates", sb_field_int, offsetof(sb_baseline_row, updates)},
    SB_METRICS(LOSS, SB_METRIC_NONE, SB_METRIC_NONE){0},
};

sb_status sb_baseline_losses_read(sb_baseline_losses *losses, const char *folder)
{
    SB_OWNED(sb_rows_free) sb_rows rows = {0};
    *losses = (sb_baseline_losses){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_baselines, NULL, columns, sizeof *losses->row));
    losses->row = rows.row;
    for (size_t i = 0; i < rows.n; i++)
        if (losses->row[i].id < SB_N_BASELINES) losses->row[losses->n++] = losses->row[i];
    rows.row = NULL;
    return SB_OK;
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
