#include "matrix/verbs/verbs.h"

#include "matrix/collect/collect.h"
#include "matrix/collect/match.h"
#include "matrix/verbs/matrix_session.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_OPTION_NEEDED(sb_matrix_session_options, output, "--output", 'o', "DIR",
                     "folder of the tables, such as results/demo"),
    {"--with", 0, SB_KIND_TEXTS, offsetof(sb_matrix_session_options, with), "DIR", NULL, 0, 0,
     "add tables that another machine collected, for cells that are not here; may be repeated"},
    SB_OPTION_FLAG(sb_matrix_session_options, traces, "--traces",
                   "also trace the first update of each setting, for 'compare'"),
    SB_OPTION_END,
};

static const sb_refused refused[] = {
    {"--incomplete", "it writes what is complete in any case, and coverage.csv names the rest; 'samebits-report write "
                     "--incomplete' builds a page of such tables"},
    {0}};

static sb_status collect(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    sb_collected collected;
    const sb_matrix_session_options *o = &w.options;
    SB_TRY(sb_matrix_session_open(&w, call));
    sb_looker looker = sb_matrix_session_looker(&w);
    const bool commands = w.cells->matrix->has_commands;
    if (commands && (o->with.n || o->traces))
        return sb_fail(SB_E_USAGE, "%s: --with and --traces are for cells of samebits train; its cells are commands",
                       o->file);
    SB_TRY(commands ? sb_collect_commands(&collected, w.cells, &w.selection, &looker, o->output)
                    : sb_collect(&collected, w.cells, &w.selection, &looker, &o->with, o->output));
    fprintf(stderr, "%s: %zu of %zu cells, %zu not finished, %zu damaged\n", o->output, collected.complete,
            w.selection.n, collected.absent, collected.corrupt);
    if (collected.diverged) fprintf(stderr, "%s: %zu of them diverged\n", o->output, collected.diverged);
    if (o->with.n) fprintf(stderr, "%s: %zu of them collected elsewhere\n", o->output, collected.elsewhere);
    if (o->traces) SB_TRY(sb_match_write_traces(&w.selection, o->results, o->data, o->output));
    if (!collected.corrupt) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%zu damaged run files are not in the tables; run their cells again",
                   collected.corrupt);
}

const sb_command sb_verb_collect = {
    .program = "samebits-matrix",
    .verb = "collect",
    .summary = "write the complete cells as csv tables, with digests and a list of what is missing",
    .options = options,
    .refused = refused,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue = "FILTER: see 'samebits-matrix list --help'. Columns: results/README.md.\n"
                "Cells that are not complete have no row; coverage.csv gives the reason.\n"
                "Tables of the same study are replaced; tables of another study are refused (exit code 2).\n",
    .run = collect,
};
