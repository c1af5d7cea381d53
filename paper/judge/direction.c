#include "paper/judge/direction.h"

#include "io/table.h"

#include <string.h>

static bool is_higher(const sb_table *coverage, const char *metric)
{
    for (size_t row = 0; row < coverage->n_rows; row++)
        if (strcmp(sb_table_text_or_none(coverage, row, "what"), "metric") == 0 &&
            strcmp(sb_table_text_or_none(coverage, row, "value"), metric) == 0)
            return strcmp(sb_table_text_or_none(coverage, row, "why"), "higher") == 0;
    return false;
}

bool sb_judge_higher(const char *table, const char *metric)
{
    char path[SB_PATH_MAX];
    sb_table coverage;
    sb_file_beside(table, "coverage.csv", path);
    if (!sb_file_exists(path) || sb_table_read(&coverage, path, &sb_columns_coverage) != SB_OK) return false;
    const bool higher = is_higher(&coverage, metric);
    sb_table_free(&coverage);
    return higher;
}
