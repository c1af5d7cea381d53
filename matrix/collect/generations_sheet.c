#include "matrix/collect/generations_sheet.h"

#include "io/run/run_table.h"
#include "matrix/collect/collect.h"
#include "matrix/collect/sheets.h"
#include "matrix/store/store.h"

#include <string.h>

bool sb_generations_sheet_wanted(const sb_selection *selection)
{
    for (size_t i = 0; i < selection->n; i++) {
        const char *search = selection->item[i]->value[SB_SETTING_SEARCH];
        if (search && *search && strcmp(search, "gradient") != 0) return true;
    }
    return false;
}

static void write_row(sb_writer *csv, const char *hash, size_t i, const sb_run_generation *row)
{
    sb_write(csv, "%.*s,%zu", SB_CELL_HASH_SHOWN, hash, i);
#define WRITE_COUNT(key, ...) sb_write(csv, ",%lld", (long long)row->key);
#define WRITE_REAL(key, ...)  sb_sheet_real(csv, row->key);
    SB_RUN_GENERATIONS(WRITE_COUNT, WRITE_REAL, )
    sb_write(csv, "\n");
}

sb_status sb_generations_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file)
{
    sb_run_lists lists = {0};
    const sb_status status = sb_run_list_read(&lists, SB_RUN_LIST_evolution, file);
    const sb_run_generation *row = lists.of[SB_RUN_LIST_evolution].row;
    const size_t n = lists.of[SB_RUN_LIST_evolution].n, step = (n + SB_CURVE_ROWS - 1) / SB_CURVE_ROWS;
    for (size_t i = 0; i < n && status == SB_OK; i++)
        if (i % step == 0 || i + 1 == n) write_row(csv, hash, i, &row[i]);
    sb_run_lists_free(&lists);
    return status;
}
