#include "matrix/verbs/matrix_session.h"

#include "matrix/cells/advice.h"
#include "matrix/process/argv.h"

#include <string.h>

sb_status sb_matrix_session_open(sb_matrix_session *work, const sb_call *call)
{
    sb_host host;
    const bool named = call->arguments.n > 0;
    work->options = *(const sb_matrix_session_options *)call->values;
    if (named) work->options.filter.names = (sb_texts){1, {call->arguments.item[0]}};
    sb_host_here(&host);
    SB_TRY(sb_cells_load(&work->cells, work->options.file, &host));
    sb_status status = sb_filter_select(&work->selection, work->cells, &work->options.filter, named ? NULL : stderr);
    return status == SB_E_EMPTY ? sb_advice_no_cell(work->cells, &work->options.filter, call) : status;
}

void sb_matrix_session_run_argv(sb_argv *argv, const char *program, const sb_matrix_session_options *options)
{
    sb_argv_add(argv, program);
    sb_argv_add(argv, "run");
    sb_argv_add_pair(argv, "-f", options->file);
    if (strcmp(options->results, "results") != 0) sb_argv_add_pair(argv, "--results", options->results);
    if (options->engine && strcmp(options->engine, "auto") != 0) sb_argv_add_pair(argv, "--engine", options->engine);
    if (options->lock) sb_argv_add_pair(argv, "--lock", options->lock);
    if (strcmp(options->data, "cache/data") != 0) sb_argv_add_pair(argv, "--data", options->data);
}

sb_status sb_matrix_session_run_line(const sb_matrix_session_options *options, char **line)
{
    sb_argv argv = {0};
    sb_matrix_session_run_argv(&argv, "samebits-matrix", options);
    sb_status status = sb_argv_line(&argv, line);
    sb_argv_free(&argv);
    return status;
}

sb_plan_request sb_matrix_session_request(const sb_matrix_session_options *options)
{
    return (sb_plan_request){options->failed, options->missing, options->stale,
                             options->again,  options->order,   options->order_seed};
}

sb_looker sb_matrix_session_looker(sb_matrix_session *work)
{
    const sb_matrix_session_options *o = &work->options;
    if (!work->stamps) work->stamps = sb_stamps_open(o->results);
    return (sb_looker){.results = o->results, .data = o->data, .mirror = o->mirror, .stamps = work->stamps};
}

sb_store_trust sb_matrix_session_trust(const sb_matrix_session_options *options)
{
    return options->verify ? SB_TRUST_NONE : SB_TRUST_STAMP;
}

sb_status sb_matrix_session_close(sb_matrix_session *work, sb_status status)
{
    sb_stamps_close(work->stamps);
    sb_selection_free(&work->selection);
    sb_cells_free(work->cells);
    return status;
}
