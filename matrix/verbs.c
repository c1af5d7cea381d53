#define _POSIX_C_SOURCE 200809L
#include "verbs.h"

#include "cells.h"
#include "collect.h"
#include "filter.h"
#include "plan.h"
#include "run.h"
#include "store.h"
#include "supply.h"
#include "words.h"

#include "core/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix_options { /* of all verbs; each has the rows it needs */
    const char *file, *results, *data, *mirror, *output;
    sb_filter filter;
    long jobs;
    bool excluded, failed, missing, stale, dry_run;
} matrix_options;

#define FILE_OPTION SB_OPTION_TEXT_LETTER(matrix_options, file, "--file", 'f', "FILE", NULL, "matrix file, needed")
#define FILTER_OPTIONS                                                                                                 \
    SB_OPTION_TEXTS_LETTER(matrix_options, filter.names, "--name", 'n', "FILTER", "take these cells"),                 \
        SB_OPTION_TEXTS_LETTER(matrix_options, filter.excludes, "--exclude", 'x', "FILTER", "leave these out; wins"),  \
        SB_OPTION_TEXTS_LETTER(matrix_options, filter.tags, "--tag", 't', "TAG", "only studies with this tag")
#define RESULTS_OPTION                                                                                                 \
    SB_OPTION_TEXT(matrix_options, results, "--results", "DIR", "results", "the runs are in DIR/runs")

static const char filter_help[] =
    "FILTER is a cell's name, '/' and the first digits of its hash, or an extended regular\n"
    "expression found anywhere in the name. Several -n take the cells of all of them.\n";

/* -- what all verbs begin with -- */

typedef struct work {
    matrix_options options;
    sb_cells *cells;
    sb_selection selection;
    bool help; /* help was printed: there is nothing to do */
} work;

/* Parse, load, select. The caller ends with close_work whatever comes back. */
static sb_status open_work(work *w, const sb_command *command, int argc, char **argv, FILE *talk)
{
    sb_arguments arguments;
    sb_host host;
    SB_TRY(sb_options_parse(command, argc, argv, &w->options, &arguments, &w->help));
    if (w->help) return SB_OK;
    if (!w->options.file)
        return sb_fail(SB_E_USAGE, "samebits-matrix %s: wants -f FILE, for example matrix/demo.yaml", command->verb);
    sb_host_read(&host, "/proc");
    SB_TRY(sb_cells_load(&w->cells, w->options.file, &host));
    return sb_filter_select(&w->selection, w->cells, &w->options.filter, talk);
}

static sb_status close_work(work *w, sb_status status)
{
    sb_selection_free(&w->selection);
    sb_cells_free(w->cells);
    return status;
}

/* -- list -- */

static void print_cell(const sb_cell *cell)
{
    printf("%s /%.*s %s\n", cell->name, SB_CELL_HASH_SHOWN, cell->hash,
           cell->reason ? cell->reason : sb_evidence_word(cell->evidence));
}

sb_status sb_verb_list(int argc, char **argv)
{
    static const sb_option options[] = {
        FILE_OPTION,
        FILTER_OPTIONS,
        SB_OPTION_FLAG(matrix_options, excluded, "--excluded", "instead the cells that are left out, and why"),
        SB_OPTION_END,
    };
    static const sb_command command = {
        "samebits-matrix", "list", "", "the cells of a matrix: name, hash, evidence on this host",
        options,           0,      0,  filter_help};
    work w = {0};
    sb_status status = open_work(&w, &command, argc, argv, stderr);
    if (!w.help && w.options.excluded && (status == SB_OK || status == SB_E_EMPTY)) {
        sb_selection_free(&w.selection);
        status = sb_filter_select_excluded(&w.selection, w.cells, &w.options.filter);
    }
    for (size_t i = 0; status == SB_OK && i < w.selection.n; i++) print_cell(w.selection.item[i]);
    return close_work(&w, status);
}

/* -- run -- */

/* The command that was given, without its filters: what a failed cell is run again with. */
static char *again_text(const matrix_options *options)
{
    sb_words words = {0};
    sb_words_add_split(&words, "samebits-matrix run");
    sb_words_add_pair(&words, "-f", options->file);
    if (strcmp(options->results, "results") != 0) sb_words_add_pair(&words, "--results", options->results);
    if (strcmp(options->data, "cache/data") != 0) sb_words_add_pair(&words, "--data", options->data);
    char *text = words.lost ? NULL : sb_words_text(&words, true);
    sb_words_free(&words);
    return text;
}

static sb_status verdict(const sb_plan *plan, const sb_run_outcome *outcome)
{
    if (outcome->failed) return sb_fail(SB_E_DIFFERS, "%zu of %zu cells failed", outcome->failed, plan->n);
    if (outcome->unable) return sb_fail(SB_E_PARTIAL, "%zu of %zu cells could not run here", outcome->unable, plan->n);
    if (plan->count[SB_STATE_HARDWARE_MISSING] == plan->n_selected)
        return sb_fail(SB_E_MISSING, "no selected cell can run here; 'samebits-matrix status' says what is missing");
    return SB_OK;
}

static sb_status run_plan(const sb_plan *plan, const matrix_options *options)
{
    if (options->dry_run) return sb_plan_print_commands(plan, options->results, options->data, options->mirror, stdout);
    sb_plan_print(plan, stderr);
    for (size_t i = 0; i < plan->n_supplies; i++)
        SB_TRY(sb_supply_ensure(plan->supply[i], options->data, options->mirror, stderr));
    char *again = again_text(options);
    if (!again) return sb_fail(SB_E_MEMORY, "not enough memory to run");
    sb_run_settings settings = {options->results, options->data, (int)options->jobs, again};
    sb_run_outcome outcome;
    sb_status status = sb_run_cells(&outcome, plan, &settings);
    fprintf(stderr, "run: %zu complete, %zu failed, %zu unable, %zu stopped\n", outcome.complete, outcome.failed,
            outcome.unable, outcome.stopped);
    free(again);
    return status == SB_OK ? verdict(plan, &outcome) : status;
}

sb_status sb_verb_run(int argc, char **argv)
{
    static const sb_option options[] = {
        FILE_OPTION,
        FILTER_OPTIONS,
        SB_OPTION_INT_LETTER(matrix_options, jobs, "--jobs", 'j', "N", "1", 1, 1024, "cells at a time"),
        SB_OPTION_FLAG(matrix_options, failed, "--failed", "only cells whose last attempt failed"),
        SB_OPTION_FLAG(matrix_options, missing, "--missing", "only cells that were never finished"),
        SB_OPTION_FLAG(matrix_options, stale, "--stale", "only cells whose factors have changed since their run"),
        SB_OPTION_FLAG(matrix_options, dry_run, "--dry-run", "print the commands instead"),
        RESULTS_OPTION,
        SB_OPTION_TEXT(matrix_options, data, "--data", "DIR", "cache/data", "data sets; missing ones are made there"),
        SB_OPTION_TEXT(matrix_options, mirror, "--mirror", "DIR|URL", NULL, "a copy of the data sets' sources"),
        SB_OPTION_END,
    };
    static const sb_command command = {"samebits-matrix",
                                       "run",
                                       "",
                                       "run the cells that are not complete; run again, it goes on where it stopped",
                                       options,
                                       0,
                                       0,
                                       "FILTER: see 'samebits-matrix list --help'.\n"
                                       "exit codes: 0 all that can run here are complete, 1 a cell failed, 2 usage, "
                                       "3 the trainer\ncould not run some, 4 data or all hardware missing, 5 nothing "
                                       "selected, 130/143 interrupted\n"};
    work w = {0};
    sb_plan plan = {0};
    sb_status status = open_work(&w, &command, argc, argv, stderr);
    const matrix_options *o = &w.options;
    if (status == SB_OK && !w.help) {
        sb_plan_wish wish = {o->failed, o->missing, o->stale};
        status = sb_plan_make(&plan, &w.selection, o->results, wish);
        if (status == SB_OK) status = run_plan(&plan, o);
        sb_plan_free(&plan);
    }
    return close_work(&w, status);
}

/* -- status -- */

/* One line per reason, not per cell: a machine without a GPU lacks it for hundreds of cells alike. */
typedef struct reasons {
    char text[16][SB_WHY];
    size_t count[16];
    int n;
} reasons;

static void add_reason(reasons *r, const char *why)
{
    int i = 0;
    while (i < r->n && strcmp(r->text[i], why) != 0) i++;
    if (i == 15) why = "other reasons";
    if (i == r->n) snprintf(r->text[r->n++], SB_WHY, "%s", why);
    r->count[i]++;
}

static sb_status print_states(const sb_selection *selection, const char *results)
{
    size_t count[SB_STATE_N] = {0};
    reasons missing = {0};
    for (size_t i = 0; i < selection->n; i++) {
        const sb_cell *cell = selection->item[i];
        char why[SB_WHY];
        sb_state state = sb_store_state(results, cell, why);
        count[state]++;
        if (state == SB_STATE_HARDWARE_MISSING) add_reason(&missing, why);
        if (state == SB_STATE_FAILED || state == SB_STATE_RUNNING || state == SB_STATE_STALE)
            printf("%s %s /%.*s%s%s\n", sb_state_word(state), cell->name, SB_CELL_HASH_SHOWN, cell->hash,
                   *why ? ": " : "", why);
    }
    for (int i = 0; i < missing.n; i++)
        printf("hardware missing for %zu cells: %s\n", missing.count[i], missing.text[i]);
    for (sb_state state = 0; state < SB_STATE_N; state++) printf("%-16s %zu\n", sb_state_word(state), count[state]);
    printf("%-16s %zu\n", "all", selection->n);
    size_t runnable = selection->n - count[SB_STATE_HARDWARE_MISSING];
    if (count[SB_STATE_COMPLETE] == runnable) return SB_OK;
    return sb_fail(SB_E_PARTIAL, "%zu of %zu cells that can run here are not complete",
                   runnable - count[SB_STATE_COMPLETE], runnable);
}

sb_status sb_verb_status(int argc, char **argv)
{
    static const sb_option options[] = {FILE_OPTION, FILTER_OPTIONS, RESULTS_OPTION, SB_OPTION_END};
    static const sb_command command = {
        "samebits-matrix", "status", "", "how many cells are in which state; 0 only if all that can run are complete",
        options,           0,        0,  "FILTER: see 'samebits-matrix list --help'.\n"};
    work w = {0};
    sb_status status = open_work(&w, &command, argc, argv, stderr);
    if (status == SB_OK && !w.help) status = print_states(&w.selection, w.options.results);
    return close_work(&w, status);
}

/* -- collect -- */

sb_status sb_verb_collect(int argc, char **argv)
{
    static const sb_option options[] = {
        FILE_OPTION,
        FILTER_OPTIONS,
        RESULTS_OPTION,
        SB_OPTION_TEXT_LETTER(matrix_options, output, "--output", 'o', "DIR", NULL, "folder of the tables, needed"),
        SB_OPTION_END,
    };
    static const sb_command command = {
        "samebits-matrix", "collect", "", "write cells.csv and curves.csv of the complete cells",
        options,           0,         0,  "FILTER: see 'samebits-matrix list --help'. Columns: results/README.md.\n"};
    work w = {0};
    sb_collected collected;
    sb_status status = open_work(&w, &command, argc, argv, stderr);
    const matrix_options *o = &w.options;
    if (status == SB_OK && !w.help && !o->output)
        status = sb_fail(SB_E_USAGE, "samebits-matrix collect: wants -o DIR, for example results/demo");
    if (status == SB_OK && !w.help) {
        status = sb_collect(&collected, w.cells, &w.selection, o->results, o->output);
        if (status == SB_OK)
            fprintf(stderr, "%s: %zu of %zu cells, %zu not finished, %zu damaged\n", o->output, collected.complete,
                    w.selection.n, collected.absent, collected.corrupt);
        if (status == SB_OK && collected.corrupt)
            status = sb_fail(SB_E_PARTIAL, "%zu damaged run files are not in the tables; run their cells again",
                             collected.corrupt);
    }
    return close_work(&w, status);
}
