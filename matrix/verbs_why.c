#include "verbs.h"

#include "record.h"
#include "tail.h"
#include "watch.h"
#include "work.h"

#include "io/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- what stands behind each state -- */

static void print_change(void *context, const char *key, const char *before, const char *after)
{
    (void)context;
    printf("  %-12s %s -> %s\n", key, before ? before : "(not set)", after ? after : "(not set)");
}

static sb_status read_record(const char *path, char record[8192])
{
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    sb_status status = sb_h5_get_text(file, "meta", "record", record, 8192);
    sb_h5_close(file);
    return status;
}

/* Which pinned facts of that run are others than the cell's. */
static sb_status print_other_run(const sb_cell *cell, const char *path)
{
    char record[8192];
    SB_TRY(read_record(path, record));
    printf("the run there: %s\nwhat changed since (run -> matrix):\n", path);
    return sb_record_compare(record, cell->record, print_change, NULL);
}

static void print_log(const sb_store *store)
{
    char text[SB_TAIL_BYTES];
    if (!sb_file_exists(store->log)) return;
    sb_tail_read(text, store->log, 10);
    printf("log: %s, its last lines:\n", store->log);
    for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
        printf("  | %.*s\n", (int)strcspn(line, "\n"), line);
}

static void print_progress(const sb_cell *cell, const sb_store *store)
{
    sb_watch watch = {0};
    sb_watch_look(&watch, cell, store);
    if (!watch.update) return;
    printf("update %ld", watch.update);
    if (watch.total) printf(" of %ld", watch.total);
    printf(", loss %.6g\n", watch.loss);
}

static void print_complete(const sb_store *store, const sb_stamp *stamp)
{
    printf("run: %s, %lld updates in %.4g s on %s\n", store->run, (long long)stamp->updates, stamp->seconds,
           *stamp->cpu ? stamp->cpu : "an unnamed CPU");
}

static void print_machine(const sb_cells *cells)
{
    const sb_host *host = &cells->hardware.host;
    printf("here: %s", *host->cpu ? host->cpu : "an unnamed CPU");
    for (int i = 0; i < host->n_gpus; i++) printf(", %s", host->gpu[i]);
    printf("%s\n", host->n_gpus ? "" : ", no GPU");
}

/* -- the verb -- */

static sb_status print_cell(const sb_work *w, const sb_cell *cell)
{
    sb_store store;
    sb_store_look look;
    char other[SB_PATH_MAX];
    sb_looker looker = sb_work_looker(&w->options);
    SB_TRY(sb_store_locate(&store, w->options.results, cell));
    sb_look(&look, &looker, cell, SB_TRUST_STAMP);
    printf("%s /%.*s\n%s%s%s\n", cell->name, SB_CELL_HASH_SHOWN, cell->hash, sb_state_word(look.state),
           *look.why ? ": " : "", look.why);
    sb_status status = SB_OK;
    if (look.state == SB_STATE_COMPLETE) print_complete(&store, &look.stamp);
    if (look.state == SB_STATE_HARDWARE_MISSING) print_machine(w->cells);
    if (look.state == SB_STATE_RUNNING || look.state == SB_STATE_MISSING) print_progress(cell, &store);
    if (look.state == SB_STATE_FAILED) print_log(&store);
    if (look.state != SB_STATE_COMPLETE && sb_store_find_other(&store, other)) status = print_other_run(cell, other);
    char *run;
    SB_TRY(sb_work_run_line(&w->options, &run));
    bool complete = look.state == SB_STATE_COMPLETE, absent = look.state == SB_STATE_HARDWARE_MISSING;
    printf("to run it%s: %s -n /%.*s%s\n",
           complete ? " once more"
           : absent ? ", on such a machine"
                    : "",
           run, SB_CELL_HASH_SHOWN, cell->hash, complete ? " --again" : "");
    free(run);
    return status;
}

/* The one cell that was named. */
static sb_status choose(const sb_work *w, const sb_cell **cell)
{
    *cell = w->selection.n ? w->selection.item[0] : NULL;
    if (w->selection.n == 1) return SB_OK;
    return sb_fail(SB_E_USAGE, "samebits-matrix why: '%s' means %zu cells, the first of them %s /%.*s; name one",
                   w->options.filter.names.item[0], w->selection.n, (*cell)->name, SB_CELL_HASH_SHOWN, (*cell)->hash);
}

static const sb_option options[] = {SB_WORK_FILE, SB_WORK_RESULTS, SB_WORK_DATA, SB_OPTION_END};

static sb_status why(const sb_call *call)
{
    sb_work w = {0};
    const sb_cell *cell;
    sb_status status = sb_work_open(&w, call);
    if (status == SB_OK) status = choose(&w, &cell);
    if (status == SB_OK) status = print_cell(&w, cell);
    return sb_work_close(&w, status);
}

const sb_command sb_verb_why = {
    .program = "samebits-matrix",
    .verb = "why",
    .summary = "why a cell is in its state, and the command that runs it",
    .arguments = "CELL",
    .options = options,
    .values_bytes = sizeof(sb_work_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "CELL is a name, '/' and the first digits of the hash, or whatever means one "
                "cell as a filter\n(samebits-matrix list --help).\n",
    .run = why,
};
