#include "matrix/verbs/verbs.h"

#include "matrix/collect/match.h"
#include "matrix/process/process.h"
#include "matrix/verbs/matrix_session.h"

#include "core/text/json.h"
#include "core/text/plural.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct compare_options {
    sb_matrix_session_options work; /* first: sb_matrix_session_open reads it */
    const char *reference, *tables, *fail_on;
} compare_options;

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_OPTION_NEEDED(compare_options, reference, "--reference", 0, "DIR",
                     "reference results, such as results/demo-reference"),
    SB_OPTION_TEXT(compare_options, tables, "--tables", "DIR", NULL,
                   "tables of these runs from 'collect'; then the statistics follow the bits"),
    SB_OPTION_CHOICE(
        compare_options, fail_on, "--fail-on", "nothing|different|undetermined", "different",
        "exit with 1 if promised bits or a condition differ; undetermined: also with 6 if one is undetermined"),
    SB_SESSION_JSON,
    SB_OPTION_END,
};

static const sb_json_key keys[] = {
    {"groups", SB_JSON_LIST, "the cells that were compared, by backend"},
    {"groups[].backend", SB_JSON_TEXT, "the backend"},
    {"groups[].promised", SB_JSON_FLAG, "the same bits are promised everywhere"},
    {"groups[].same", SB_JSON_INTEGER, "cells with the reference's bits"},
    {"groups[].compared", SB_JSON_INTEGER, "cells compared"},
    {"groups[].alarming", SB_JSON_INTEGER,
     "of those with other bits: promised, or computed by the same version of the library on the same kernels"},
    {"groups[].reason", SB_JSON_TEXT, "why the first of the rest may have other bits; null: there is none"},
    {"cells", SB_JSON_LIST, "the selected cells, in the order of the matrix"},
    {"cells[].name", SB_JSON_TEXT, "name"},
    {"cells[].hash", SB_JSON_TEXT, "SHA-256 of the record, 64 hexadecimal digits"},
    {"cells[].state", SB_JSON_TEXT, "same, different, not run or not in the reference"},
    {"cells[].weights", SB_JSON_TEXT, "hash of its weights here; null: it was not run"},
    {"cells[].weights_there", SB_JSON_TEXT, "the same of the reference; null: it is not there"},
    {"cells[].library", SB_JSON_TEXT, "that ordered its sums here, its version and kernel type or GPU; null: none did"},
    {"cells[].library_there", SB_JSON_TEXT, "the same of the reference; null: none, or unknown"},
    {"not_run", SB_JSON_INTEGER, "cells that are not complete here"},
    {"not_in_reference", SB_JSON_INTEGER, "cells that are complete here alone"},
    SB_JSON_END,
};

static size_t count_compared(const sb_matched *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_groups; i++) n += m->group[i].n_compared;
    return n;
}

/* -- for people -- */

/* "native 21 of 21", "openblas 5 of 7, of another version: 0.3.26 here, 0.3.21 there, not promised" */
static void print_group(const sb_matched_group *g)
{
    printf("%s %zu of %zu", g->backend, g->n_same, g->n_compared);
    if (g->n_alarming && !g->is_promised) printf(", %zu of the same version and kernel type", g->n_alarming);
    if (*g->reason) printf(", %s, not promised", g->reason);
}

static void print_groups(const sb_matched *m)
{
    for (size_t i = 0; i < m->n_groups; i++) {
        printf("%s", i ? "; " : "the reference's bits: ");
        print_group(&m->group[i]);
    }
    if (m->n_not_run) printf("; %zu not run here", m->n_not_run);
    if (m->n_unknown) printf("; %zu not in the reference", m->n_unknown);
    printf("\n");
}

/* -- for programs -- */

static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

static void write_groups(sb_json *json, const sb_matched *m)
{
    sb_json_list(json, "groups");
    for (const sb_matched_group *g = m->group; g < m->group + m->n_groups; g++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "backend", g->backend);
        sb_json_flag(json, "promised", g->is_promised);
        sb_json_integer(json, "same", (int64_t)g->n_same);
        sb_json_integer(json, "compared", (int64_t)g->n_compared);
        sb_json_integer(json, "alarming", (int64_t)g->n_alarming);
        sb_json_text(json, "reason", or_null(g->reason));
        sb_json_end(json);
    }
    sb_json_end(json);
}

static void write_cells(sb_json *json, const sb_matched *m)
{
    sb_json_list(json, "cells");
    for (const sb_matched_cell *c = m->cell; c < m->cell + m->n; c++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "name", c->cell->name);
        sb_json_text(json, "hash", c->cell->hash);
        sb_json_text(json, "state", sb_match_word[c->state]);
        sb_json_text(json, "weights", or_null(c->here));
        sb_json_text(json, "weights_there", or_null(c->there));
        sb_json_text(json, "library", or_null(c->library[0]));
        sb_json_text(json, "library_there", or_null(c->library[1]));
        sb_json_end(json);
    }
    sb_json_end(json);
}

/* -- the verb -- */

static sb_status judge(const sb_matched *m, const char *fail_on)
{
    size_t n_alarming = 0;
    if (count_compared(m) == 0)
        return sb_fail(SB_E_EMPTY, "no cell to compare: %zu not run here, %zu not in the reference", m->n_not_run,
                       m->n_unknown);
    for (size_t i = 0; i < m->n_groups; i++) n_alarming += m->group[i].n_alarming;
    if (n_alarming && strcmp(fail_on, "nothing") != 0)
        return sb_fail(SB_E_DIFFERS, "%zu cell%s of %zu ha%s other bits than the reference", n_alarming,
                       sb_plural(n_alarming), count_compared(m), n_alarming == 1 ? "s" : "ve");
    if (m->n_not_run) return sb_fail(SB_E_PARTIAL, "%zu cells could not be compared: not run here", m->n_not_run);
    return SB_OK;
}

/* `samebits-report compare`, which says itself what it found, unless it is killed or ends with a code that it does not have. */
static sb_status run_statistics(const compare_options *o, const sb_arguments *more)
{
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    char how[64];
    int end = 0;
    sb_process_add_program(&argv, "samebits-report");
    sb_argv_add(&argv, "compare");
    sb_argv_add_pair(&argv, "--fail-on", o->fail_on);
    for (int i = 0; i < more->n; i++) sb_argv_add(&argv, more->item[i]);
    sb_argv_add(&argv, "--");
    sb_argv_add_pair(&argv, o->tables, o->reference);
    SB_TRY(sb_argv_check(&argv));
    SB_TRY(sb_process_run(&end, &argv, o->work.json ? STDERR_FILENO : STDOUT_FILENO));
    const sb_status status = sb_process_status(end);
    sb_process_end_text(end, how, sizeof how);
    const bool says_itself = WIFEXITED(end) && status != SB_E_IO && !o->work.json;
    return says_itself ? sb_fail(status, "%s", "") : sb_fail(status, "samebits-report compare: %s", how);
}

/* One status of both parts. Errors of the statistics come first, then other bits, then a verdict that is missing. Where
 * one part has nothing to compare, the other decides. */
static bool bits_decide(sb_status bits, sb_status statistics)
{
    if (statistics == SB_OK) return bits != SB_E_EMPTY;
    return bits == SB_E_DIFFERS && (statistics == SB_E_UNDETERMINED || statistics == SB_E_EMPTY);
}

static sb_status add_statistics(sb_status bits, const compare_options *o, const sb_arguments *more)
{
    char said[512];
    snprintf(said, sizeof said, "%s", bits == SB_OK ? "" : sb_message());
    fflush(stdout);
    if (*said) fprintf(stderr, "%s\n", said);
    const sb_status statistics = run_statistics(o, more);
    if (!bits_decide(bits, statistics)) return statistics;
    return sb_fail(bits, "%s", o->work.json ? said : "");
}

static sb_status tell(const sb_call *call, const sb_matched *m)
{
    const compare_options *o = call->values;
    if (!o->work.json && count_compared(m)) {
        print_groups(m);
        if (o->tables) printf("\n");
    }
    sb_status status = judge(m, o->fail_on);
    if (o->tables) status = add_statistics(status, o, &call->arguments);
    if (!o->work.json) return status;
    sb_json json = sb_json_begin(call->command);
    write_groups(&json, m);
    write_cells(&json, m);
    sb_json_integer(&json, "not_run", (int64_t)m->n_not_run);
    sb_json_integer(&json, "not_in_reference", (int64_t)m->n_unknown);
    return sb_json_print(&json, status);
}

static sb_status compare(const sb_call *call)
{
    const compare_options *o = call->values;
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    SB_OWNED(sb_matched_free) sb_matched matched = {0};
    sb_call without = *call; /* an argument of other verbs is a cell */
    without.arguments.n = 0;
    if (call->arguments.n && !o->tables)
        return sb_fail(SB_E_USAGE,
                       "samebits-matrix compare: '%s' is an option of the statistics, which want --tables DIR",
                       call->arguments.item[0]);
    SB_TRY(sb_matrix_session_open(&w, &without));
    if (w.cells->matrix->has_commands)
        return sb_fail(SB_E_USAGE,
                       "%s: its cells are commands; 'samebits diff' compares two recordings, and 'run --again' the "
                       "bits of a cell with those of a second run",
                       w.options.file);
    SB_TRY(sb_match(&matched, &w.selection, w.options.results, o->reference, w.options.data,
                    w.options.json ? NULL : stdout));
    return tell(call, &matched);
}

const sb_command sb_verb_compare = {
    .program = "samebits-matrix",
    .verb = "compare",
    .summary =
        "compare the runs with reference results: bits, the first operation that differs, then statistics (--tables)",
    .arguments = "[-- OPTION...]",
    .options = options,
    .values_bytes = sizeof(compare_options),
    .max_arguments = 32,
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'. Cells are matched by the hash of their settings. The bits of "
        "native backends\n"
        "are promised on every machine. The bits of a library depend on its version and kernel type, and are not "
        "promised.\n"
        "The statistics are those of 'samebits-report compare', which gets each OPTION: -o DIR, --published DIR, "
        "--margin RATIO.\n"
        "With --json their text goes to stderr.\n"
        "exit codes, the first that applies: 2, 4, 7 an error; 1 a file cannot be read or written, or the statistics are "
        "killed;\n"
        "1 promised bits differ, or bits of the same version and kernel type, or a condition; 6 the statistics are "
        "undetermined;\n"
        "5 nothing to compare: no common cells, or tables with nothing in common (tables alone give 0);\n"
        "3 some cells did not run here; 0 none of these\n"
        "example: samebits-matrix compare -f matrix/demo.yaml --reference results/demo-reference\n",
    .json = keys,
    .run = compare,
};
