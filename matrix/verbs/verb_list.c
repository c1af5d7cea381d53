#include "matrix/verbs/verbs.h"

#include "matrix/verbs/matrix_session.h"

#include "core/text/json.h"

#include <stdio.h>

static const char filter_help[] =
    "FILTER is the name of a cell, '/' and the first digits of its hash (as many as make it unique), or an extended "
    "regular\n"
    "expression that matches anywhere in the name. Several -n select the cells of all.\n";

static void print_cell(const sb_cell *cell)
{
    printf("%s /%.*s %s\n", cell->name, SB_CELL_HASH_SHOWN, cell->hash,
           cell->reason ? cell->reason : sb_evidence_name[cell->evidence]);
}

static const sb_json_key keys[] = {
    {"cells", SB_JSON_LIST, "the selected cells, in the order of the matrix"},
    {"cells[].name", SB_JSON_TEXT, "name"},
    {"cells[].hash", SB_JSON_TEXT, "SHA-256 of the record, 64 hexadecimal digits"},
    {"cells[].study", SB_JSON_TEXT, "its study"},
    {"cells[].evidence", SB_JSON_TEXT, "measured, emulated, imitated or absent: how it stands on this machine"},
    {"cells[].why", SB_JSON_TEXT, "what is missing, where it is absent"},
    {"cells[].excluded", SB_JSON_TEXT, "with --excluded: why the matrix leaves it out"},
    {"cells[].record", SB_JSON_TEXT, "the settings in canonical JSON, as the hash is of it"},
    SB_JSON_END,
};

static void write_cell(sb_json *json, const sb_cell *cell)
{
    sb_json_object(json, NULL);
    sb_json_text(json, "name", cell->name);
    sb_json_text(json, "hash", cell->hash);
    sb_json_text(json, "study", cell->study->name);
    sb_json_text(json, "evidence", sb_evidence_name[cell->evidence]);
    sb_json_text(json, "why", cell->evidence == SB_EVIDENCE_ABSENT ? cell->why : NULL);
    sb_json_text(json, "excluded", cell->reason);
    sb_json_text(json, "record", cell->record);
    sb_json_end(json);
}

static sb_status write_cells(const sb_call *call, const sb_selection *selection)
{
    sb_json json = sb_json_begin(call->command);
    sb_json_list(&json, "cells");
    for (size_t i = 0; i < selection->n; i++) write_cell(&json, selection->item[i]);
    sb_json_end(&json);
    return sb_json_print(&json, SB_OK);
}

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_OPTION_FLAG(sb_matrix_session_options, excluded, "--excluded",
                   "list the excluded cells and the reasons instead"),
    SB_SESSION_JSON,
    SB_OPTION_END,
};

static sb_status list(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    sb_status status = sb_matrix_session_open(&w, call);
    if (w.options.excluded && (status == SB_OK || status == SB_E_EMPTY)) {
        sb_selection_free(&w.selection);
        status = sb_filter_select_excluded(&w.selection, w.cells, &w.options.filter);
    }
    SB_TRY(status);
    if (w.options.json) return write_cells(call, &w.selection);
    for (size_t i = 0; i < w.selection.n; i++) print_cell(w.selection.item[i]);
    return SB_OK;
}

const sb_command sb_verb_list = {
    .program = "samebits-matrix",
    .verb = "list",
    .summary = "list the cells of a matrix: name, hash, and measured, emulated, imitated or absent on this machine",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue = filter_help,
    .json = keys,
    .run = list,
};
