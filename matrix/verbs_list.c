#include "verbs.h"

#include "work.h"

#include <stdio.h>

static const char filter_help[] =
    "FILTER is a cell's name, '/' and as many first digits of its hash as tell it from the others,\n"
    "or an extended regular expression found anywhere in the name. Several -n take the cells of all.\n";

static void print_cell(const sb_cell *cell)
{
    printf("%s /%.*s %s\n", cell->name, SB_CELL_HASH_SHOWN, cell->hash,
           cell->reason ? cell->reason : sb_evidence_word(cell->evidence));
}

static const sb_option options[] = {
    SB_WORK_FILE,
    SB_WORK_FILTER,
    SB_OPTION_FLAG(sb_work_options, excluded, "--excluded", "instead the cells that are left out, and why"),
    SB_OPTION_END,
};

static sb_status list(const sb_call *call)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, call);
    if (w.options.excluded && (status == SB_OK || status == SB_E_EMPTY)) {
        sb_selection_free(&w.selection);
        status = sb_filter_select_excluded(&w.selection, w.cells, &w.options.filter);
    }
    for (size_t i = 0; status == SB_OK && i < w.selection.n; i++) print_cell(w.selection.item[i]);
    return sb_work_close(&w, status);
}

const sb_command sb_verb_list = {
    .program = "samebits-matrix",
    .verb = "list",
    .summary = "the cells of a matrix: name, hash, and whether they are measured, emulated or absent here",
    .options = options,
    .values_bytes = sizeof(sb_work_options),
    .epilogue = filter_help,
    .run = list,
};
