#include "matrix/verbs/verbs.h"

#include "matrix/run/plan.h"
#include "matrix/verbs/matrix_session.h"

#include "core/text/json.h"
#include "matrix/store/store.h"

#include <math.h>
#include <stdio.h>

static const sb_json_key keys[] = {
    {"groups", SB_JSON_LIST, "cells of one study, data set, backend and hardware"},
    {"groups[].name", SB_JSON_TEXT, "what their names begin with"},
    {"groups[].evidence", SB_JSON_TEXT, "measured, emulated, imitated or absent: how they stand on this machine"},
    {"groups[].cells", SB_JSON_INTEGER, "cells in it"},
    {"groups[].complete", SB_JSON_INTEGER, "of these: complete"},
    {"groups[].to_run", SB_JSON_INTEGER, "of these: to be run"},
    {"groups[].hardware_missing", SB_JSON_INTEGER, "of these: this machine lacks the hardware"},
    {"groups[].data_missing", SB_JSON_INTEGER, "of these: the data set is not here"},
    {"groups[].seconds_each", SB_JSON_REAL, "expected of one cell to run; null: unknown"},
    {"groups[].seconds", SB_JSON_REAL, "of all to run, one after the other; null: unknown"},
    {"groups[].runs_behind", SB_JSON_INTEGER, "finished runs that the expectation rests on"},
    {"cells", SB_JSON_INTEGER, "selected cells"},
    {"complete", SB_JSON_INTEGER, "of these: complete"},
    {"to_run", SB_JSON_INTEGER, "of these: to be run"},
    {"to_run_unknown", SB_JSON_INTEGER, "of those to be run: nothing near them has run, and no time is known"},
    {"jobs", SB_JSON_INTEGER, "cells at a time (-j)"},
    {"seconds", SB_JSON_REAL, "expected with this number at a time, of those that are known; null: none is"},
    {"bytes", SB_JSON_REAL, "of the run files to come, of those that are known"},
    {"bytes_free", SB_JSON_REAL, "in the results folder; null: unknown"},
    SB_JSON_END,
};

static void write_group(sb_json *json, const sb_forecast_group *g)
{
    const double each = g->to_run ? g->prediction.seconds : -1;
    sb_json_object(json, NULL);
    sb_json_words(json, "name", "%.*s", g->prefix, g->cell->name);
    sb_json_text(json, "evidence", sb_evidence_name[g->cell->evidence]);
    sb_json_integer(json, "cells", (int64_t)g->n);
    sb_json_integer(json, "complete", (int64_t)g->complete);
    sb_json_integer(json, "to_run", (int64_t)g->to_run);
    sb_json_integer(json, "hardware_missing", (int64_t)g->absent);
    sb_json_integer(json, "data_missing", (int64_t)g->lacking);
    sb_json_real(json, "seconds_each", each >= 0 ? each : NAN);
    sb_json_real(json, "seconds", g->unknown < g->to_run ? g->seconds : NAN);
    sb_json_integer(json, "runs_behind", g->to_run ? (int64_t)g->prediction.n_runs : 0);
    sb_json_end(json);
}

static sb_status write_plan(const sb_call *call, const sb_forecast *forecast, const sb_matrix_session_options *asked)
{
    const sb_forecast_group *all = &forecast->all;
    const double room = sb_disk_free(asked->results);
    sb_json json = sb_json_begin(call->command);
    sb_json_list(&json, "groups");
    for (size_t i = 0; i < forecast->n_groups; i++) write_group(&json, &forecast->group[i]);
    sb_json_end(&json);
    sb_json_integer(&json, "cells", (int64_t)all->n);
    sb_json_integer(&json, "complete", (int64_t)all->complete);
    sb_json_integer(&json, "to_run", (int64_t)all->to_run);
    sb_json_integer(&json, "to_run_unknown", (int64_t)all->unknown);
    sb_json_integer(&json, "jobs", asked->jobs);
    sb_json_real(&json, "seconds", all->unknown < all->to_run ? forecast->wall_seconds : NAN);
    sb_json_real(&json, "bytes", forecast->n_bytes);
    sb_json_real(&json, "bytes_free", room >= 0 ? room : NAN);
    return sb_json_print(&json, SB_OK);
}

static const sb_option options[] = {
    SB_SESSION_FILE,    SB_SESSION_FILTER, SB_SESSION_WISH,   SB_SESSION_JOBS, SB_SESSION_ORDER,
    SB_SESSION_RESULTS, SB_SESSION_DATA,   SB_SESSION_MIRROR, SB_SESSION_JSON, SB_OPTION_END,
};

static sb_status plan(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    SB_OWNED(sb_plan_free) sb_plan plan = {0};
    SB_OWNED(sb_forecast_free) sb_forecast forecast = {0};
    const sb_matrix_session_options *o = &w.options;
    SB_TRY(sb_matrix_session_open(&w, call));
    sb_looker looker = sb_matrix_session_looker(&w);
    SB_TRY(sb_plan_make(&plan, w.cells, &w.selection, &looker, sb_matrix_session_request(o)));
    SB_TRY(sb_forecast_make(&forecast, &plan, &w.selection, (int)o->jobs));
    if (o->json) return write_plan(call, &forecast, o);
    sb_forecast_print(&forecast, (int)o->jobs, o->results, stdout);
    return SB_OK;
}

const sb_command sb_verb_plan = {
    .program = "samebits-matrix",
    .verb = "plan",
    .summary = "show what 'run' would do: number of cells, time, disk space",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'.\n"
        "Times come from finished runs in this results folder: of the same study, backend, threads and hardware, "
        "else of the\n"
        "same network and data.\n",
    .json = keys,
    .run = plan,
};
