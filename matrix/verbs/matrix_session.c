#include "matrix/verbs/matrix_session.h"

#include "core/command/nearest.h"
#include "core/command/options.h"
#include "core/file.h"
#include "core/text/plural.h"
#include "core/text/shell.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/filter.h"
#include "matrix/process/process.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- another matrix -- */

/* How many cells of that file pass; 0 where it is no matrix. */
static size_t count_passing(const char *path, const sb_host *host, const sb_filter *filter)
{
    sb_cells *cells = NULL;
    sb_selection selection = {0};
    size_t n = 0;
    if (sb_cells_load(&cells, path, host) == SB_OK && sb_filter_select(&selection, cells, filter, NULL) == SB_OK)
        n = selection.n;
    sb_selection_free(&selection);
    sb_cells_free(cells);
    return n;
}

/* The first other matrix file in the same folder with cells that pass; "" if there is none. */
static size_t find_other(const sb_cells *cells, const sb_filter *filter, char other[SB_PATH_MAX])
{
    char pattern[SB_PATH_MAX];
    glob_t files;
    size_t n = 0;
    const char *slash = strrchr(cells->path, '/');
    snprintf(pattern, sizeof pattern, "%.*s*.yaml", slash ? (int)(slash + 1 - cells->path) : 0, cells->path);
    if (glob(pattern, 0, NULL, &files) != 0) return 0;
    for (size_t i = 0; n == 0 && i < files.gl_pathc; i++) {
        if (strcmp(files.gl_pathv[i], cells->path) == 0) continue;
        n = count_passing(files.gl_pathv[i], &cells->hardware.host, filter);
        if (n) snprintf(other, SB_PATH_MAX, "%s", files.gl_pathv[i]);
    }
    globfree(&files);
    return n;
}

/* The command that was given, for the other matrix, as a line for a shell. The caller frees. */
static sb_status command_line(const sb_call *call, const char *path, const sb_filter *filter, char **line)
{
    static const char *const letters[] = {"-n", "-x", "-t"};
    const sb_texts *texts[] = {&filter->names, &filter->excludes, &filter->tags};
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    sb_argv_add(&argv, call->command->program);
    sb_argv_add(&argv, call->command->verb);
    sb_argv_add_pair(&argv, "-f", path);
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < texts[kind]->n; i++) {
            if (call->arguments.n == 0) sb_argv_add(&argv, letters[kind]);
            sb_argv_add(&argv, texts[kind]->item[i]);
        }
    return sb_argv_line(&argv, line);
}

static sb_status fail_other(const sb_cells *cells, const sb_filter *filter, const sb_call *call, const char *other,
                            size_t n)
{
    char *command, *make = NULL;
    SB_TRY(command_line(call, other, filter, &command));
    if (filter->names.n == 1 && filter->excludes.n + filter->tags.n == 0) {
        sb_writer *shell = sb_writer_open(&sb_shell);
        sb_write(shell, ", or make cell MATRIX=%s CELL=%s", other, filter->names.item[0]);
        if (sb_writer_close(shell, other, &make, NULL) != SB_OK) make = NULL;
    }
    sb_fail(SB_E_EMPTY, "%s: no cell selected, but %s has %zu cell%s of that name: %s%s", cells->path, other, n,
            sb_plural(n), command, make ? make : "");
    free(make);
    free(command);
    return SB_E_EMPTY;
}

/* -- another name -- */

static const char *nearest_name(const sb_cells *cells, const sb_filter *filter)
{
    if (filter->names.n == 0) return NULL;
    sb_nearest nearest = sb_nearest_begin(filter->names.item[0]);
    for (size_t i = 0; i < cells->n; i++) sb_nearest_offer_part(&nearest, cells->item[i].name);
    return nearest.name;
}

/* SB_E_EMPTY with the sentence. Matrix files next to this one are looked into; `call` is what was asked of cells. */
static sb_status advise(const sb_cells *cells, const sb_filter *filter, const sb_call *call)
{
    char other[SB_PATH_MAX];
    const size_t n = find_other(cells, filter, other);
    if (n) return fail_other(cells, filter, call, other, n);
    const char *name = nearest_name(cells, filter);
    return sb_fail(SB_E_EMPTY, "%s: no cell selected%s%s%s; 'samebits-matrix list -f %s' shows all %zu", cells->path,
                   name ? ", did you mean '" : "", name ? name : "", name ? "'?" : "", cells->path, cells->n);
}

sb_status sb_matrix_session_open(sb_matrix_session *work, const sb_call *call)
{
    sb_host host;
    const bool named = call->arguments.n > 0;
    work->options = *(const sb_matrix_session_options *)call->values;
    if (named) work->options.filter.names = (sb_texts){1, {call->arguments.item[0]}};
    sb_host_here(&host);
    SB_TRY(sb_cells_load(&work->cells, work->options.file, &host));
    sb_status status = sb_filter_select(&work->selection, work->cells, &work->options.filter, named ? NULL : stderr);
    return status == SB_E_EMPTY ? advise(work->cells, &work->options.filter, call) : status;
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
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    sb_matrix_session_run_argv(&argv, "samebits-matrix", options);
    return sb_argv_line(&argv, line);
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

void sb_matrix_session_close(sb_matrix_session *work)
{
    sb_stamps_close(work->stamps);
    sb_selection_free(&work->selection);
    sb_cells_free(work->cells);
}
