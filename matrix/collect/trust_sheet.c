#include "matrix/collect/trust_sheet.h"

#include "core/rows/optimizers.h"
#include "io/h5/h5_attribute.h"
#include "io/run/run_table.h"
#include "io/run/runfile.h"
#include "matrix/collect/collect.h"
#include "matrix/collect/sheets.h"
#include "matrix/store/store.h"

#include <stdlib.h>
#include <string.h>

bool sb_trust_sheet_wanted(const sb_selection *selection)
{
    for (size_t i = 0; i < selection->n; i++) {
        const char *name = selection->item[i]->value[SB_SETTING_OPTIMIZER];
        if (name && sb_optimizers[sb_optimizer_find(name)].kind == SB_LAYERWISE) return true;
    }
    return false;
}

/* Number `tensor` of names with blanks between them; length 0 if there are fewer. */
static const char *name_of(const char *names, int64_t tensor, int *length)
{
    for (int64_t k = 0; k < tensor && *names; k++) {
        names += strcspn(names, " ");
        names += *names == ' ';
    }
    *length = tensor < 0 ? 0 : (int)strcspn(names, " ");
    return names;
}

static sb_status write_row(sb_writer *csv, const char *hash, const char *names, const sb_run_trust *row, sb_h5 *file)
{
    int length;
    const char *name = name_of(names, row->tensor, &length);
    if (length == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /trust has a row of tensor %lld, but /param names no such tensor",
                       sb_h5_path(file), (long long)row->tensor);
    sb_write(csv, "%.*s,%lld,%.*s", SB_CELL_HASH_SHOWN, hash, (long long)row->epoch, length, name);
    sb_sheet_real(csv, row->weight_norm);
    sb_sheet_real(csv, row->direction_norm);
    sb_sheet_real(csv, row->ratio);
    sb_write(csv, "\n");
    return SB_OK;
}

/* names: room for the list of all tensors. */
static sb_status write_rows(sb_writer *csv, const char *hash, const sb_run_list *list, sb_h5 *file, char *names,
                            size_t size)
{
    if (list->n == 0) return SB_OK;
    const sb_run_trust *row = list->row, *last = row + list->n - 1;
    if (last->epoch < 0 || last->epoch > INT64_MAX - SB_CURVE_ROWS)
        return sb_fail(SB_E_INTEGRITY, "%s: /trust has an epoch %lld", sb_h5_path(file), (long long)last->epoch);
    SB_TRY(sb_h5_get_text(file, "param", "names", names, size));
    const int64_t step = (last->epoch + SB_CURVE_ROWS) / SB_CURVE_ROWS;
    for (; row <= last; row++)
        if (row->epoch % step == 0 || row->epoch == last->epoch) SB_TRY(write_row(csv, hash, names, row, file));
    return SB_OK;
}

sb_status sb_trust_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file)
{
    sb_run_lists lists = {0};
    char *names = malloc(SB_RUN_NAMES);
    sb_status status = names ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(file));
    if (status == SB_OK) status = sb_run_list_read(&lists, SB_RUN_LIST_trust, file);
    if (status == SB_OK) status = write_rows(csv, hash, &lists.of[SB_RUN_LIST_trust], file, names, SB_RUN_NAMES);
    sb_run_lists_free(&lists);
    free(names);
    return status;
}
