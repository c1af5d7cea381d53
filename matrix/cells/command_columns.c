#include "matrix/cells/command_columns.h"

#include <string.h>

static sb_status note_metric(sb_command_columns *columns, const sb_measure *metric, const char *path)
{
    for (size_t i = 0; i < columns->n_metrics; i++)
        if (strcmp(columns->metric[i]->name, metric->name) == 0) return SB_OK;
    if (columns->n_metrics == SB_MEASURES_MAX)
        return sb_fail(SB_E_USAGE, "%s: more than %d metrics in all studies together", path, SB_MEASURES_MAX);
    columns->metric[columns->n_metrics++] = metric;
    return SB_OK;
}

sb_status sb_command_columns_find(sb_command_columns *columns, const sb_cells *cells)
{
    *columns = (sb_command_columns){0};
    for (size_t i = 0; i < cells->n; i++)
        for (unsigned id = 0; id < SB_N_VALUES; id++)
            columns->has_value[id] = columns->has_value[id] || cells->item[i].value[id];
    for (uint32_t s = 0; s < cells->matrix->n_studies; s++) {
        const sb_study *study = &cells->matrix->studies[s];
        for (uint32_t m = 0; m < study->n_metrics; m++) SB_TRY(note_metric(columns, &study->metrics[m], cells->path));
    }
    return SB_OK;
}
