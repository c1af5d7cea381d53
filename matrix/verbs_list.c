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

sb_status sb_verb_list(int argc, char **argv)
{
    static const sb_option options[] = {
        SB_WORK_FILE,
        SB_WORK_FILTER,
        SB_OPTION_FLAG(sb_work_options, excluded, "--excluded", "instead the cells that are left out, and why"),
        SB_OPTION_END,
    };
    static const sb_command command = {
        "samebits-matrix", "list", "", "the cells of a matrix: name, hash, evidence on this host",
        options,           0,      0,  filter_help};
    sb_work w = {0};
    sb_status status = sb_work_open(&w, &command, argc, argv);
    if (!w.help && w.options.excluded && (status == SB_OK || status == SB_E_EMPTY)) {
        sb_selection_free(&w.selection);
        status = sb_filter_select_excluded(&w.selection, w.cells, &w.options.filter);
    }
    for (size_t i = 0; status == SB_OK && i < w.selection.n; i++) print_cell(w.selection.item[i]);
    return sb_work_close(&w, status);
}
