#include "matrix/verbs/matrix_session.h"

#include "matrix/cells/cells.h"
#include "matrix/store/program.h"
#include "matrix/watch/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- facts -- */

enum { CHANGES_MAX = SB_N_VALUES + 8, WHY_LOG_LINES = 10 };

typedef struct change { /* texts from malloc; NULL: not set */
    char *key, *before, *after;
} change;

typedef struct facts { /* of one cell; begins with {0} */
    const sb_cell *cell;
    sb_store store;
    sb_store_look look;
    sb_watch progress;          /* of one that is not complete; update 0: none */
    char other[SB_PATH_MAX];    /* a run of other settings under its name; "": none */
    change change[CHANGES_MAX]; /* from that run to the cell */
    size_t n_changes;
    char log[SB_TAIL_BYTES]; /* the last lines of a failed one's log */
    char machine[256];
    char *command; /* that runs it */
} facts;

static void keep_change(void *context, const char *key, const char *before, const char *after)
{
    facts *f = context;
    if (f->n_changes == CHANGES_MAX) return;
    f->change[f->n_changes++] = (change){strdup(key), before ? strdup(before) : NULL, after ? strdup(after) : NULL};
}

static void describe_machine(const sb_host *host, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", *host->cpu ? host->cpu : "an unnamed CPU");
    for (int i = 0; i < host->n_gpus && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %s", host->gpu[i]);
    if (!host->n_gpus && used < size) snprintf(text + used, size - used, ", no GPU");
}

static sb_status gather(facts *f, sb_matrix_session *w, const sb_cell *cell)
{
    char record[SB_RECORD_BYTES], *run;
    sb_looker looker = sb_matrix_session_looker(w);
    f->cell = cell;
    SB_TRY(sb_store_locate(&f->store, w->options.results, cell));
    sb_look(&f->look, &looker, cell, SB_TRUST_STAMP);
    const sb_cell_state state = f->look.state;
    describe_machine(&w->cells->hardware.host, f->machine, sizeof f->machine);
    if (state == SB_STATE_RUNNING || state == SB_STATE_MISSING) sb_watch_look(&f->progress, cell, &f->store);
    if (state == SB_STATE_FAILED) sb_tail_read(f->log, f->store.log, WHY_LOG_LINES);
    if (!sb_cell_state_is_done(state) && sb_store_find_other(&f->store, f->other)) {
        SB_TRY(sb_cell_program_of(cell)->record(f->other, record));
        SB_TRY(sb_record_compare(record, cell->record, keep_change, f));
    }
    SB_TRY(sb_matrix_session_run_line(&w->options, &run));
    if (asprintf(&f->command, "%s -n /%.*s%s", run, SB_CELL_HASH_SHOWN, cell->hash,
                 sb_cell_state_is_done(state) ? " --again" : "") < 0)
        f->command = NULL;
    free(run);
    return f->command ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a command");
}

static void free_facts(facts *f)
{
    for (size_t i = 0; i < f->n_changes; i++) {
        free(f->change[i].key);
        free(f->change[i].before);
        free(f->change[i].after);
    }
    free(f->command);
}

/* -- for people -- */

static void print_log(const facts *f)
{
    if (!sb_file_exists(f->store.log)) return;
    printf("log: %s, its last lines:\n", f->store.log);
    for (const char *line = f->log; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
        printf("  | %.*s\n", (int)strcspn(line, "\n"), line);
}

static void print_progress(const sb_watch *progress)
{
    if (!progress->update) return;
    printf("update %ld", progress->update);
    if (progress->total) printf(" of %ld", progress->total);
    printf(", loss %.6g\n", progress->loss);
}

static void print_complete(const facts *f)
{
    const sb_stamp *stamp = &f->look.stamp;
    printf("run: %s, %lld updates in %.4g s on %s\n", f->store.run, (long long)stamp->updates, stamp->seconds,
           *stamp->cpu ? stamp->cpu : "an unnamed CPU");
}

static void print_facts(const facts *f)
{
    const sb_cell_state state = f->look.state;
    printf("%s /%.*s\n", f->cell->name, SB_CELL_HASH_SHOWN, f->cell->hash);
    sb_screen_word(stdout, sb_cell_state_role(state), 0, sb_cell_state_word(state));
    printf("%s%s\n", *f->look.why ? ": " : "", f->look.why);
    if (sb_cell_state_is_done(state)) print_complete(f);
    if (state == SB_STATE_HARDWARE_MISSING) printf("here: %s\n", f->machine);
    print_progress(&f->progress);
    if (state == SB_STATE_FAILED) print_log(f);
    if (*f->other) printf("the run there: %s\nwhat changed since (run -> matrix):\n", f->other);
    for (const change *c = f->change; c < f->change + f->n_changes; c++)
        printf("  %-12s %s -> %s\n", c->key, c->before ? c->before : "(not set)", c->after ? c->after : "(not set)");
    printf("to run it%s: %s\n",
           sb_cell_state_is_done(state)         ? " once more"
           : state == SB_STATE_HARDWARE_MISSING ? ", on such a machine"
                                                : "",
           f->command);
}

/* -- for programs -- */

static void write_progress(sb_json *json, const facts *f)
{
    const bool complete = sb_cell_state_is_done(f->look.state);
    const sb_stamp *stamp = &f->look.stamp;
    const int64_t updates = complete ? stamp->updates : f->progress.update;
    const int64_t total = complete ? stamp->updates : f->progress.total;
    sb_json_integer_if(json, "updates", updates, updates != 0);
    sb_json_integer_if(json, "updates_total", total, total != 0);
    sb_json_real(json, "loss", f->progress.update ? f->progress.loss : NAN);
    sb_json_text(json, "cpu", complete && *stamp->cpu ? stamp->cpu : NULL);
}

static void write_facts(sb_json *json, const facts *f)
{
    sb_json_object(json, "cell");
    sb_json_text(json, "run", f->store.run);
    sb_json_text(json, "log", f->store.log);
    sb_json_text(json, "log_end", f->look.state == SB_STATE_FAILED ? f->log : NULL);
    write_progress(json, f);
    sb_json_text(json, "machine", f->machine);
    sb_json_text(json, "other_run", *f->other ? f->other : NULL);
    sb_json_list(json, "changes");
    for (const change *c = f->change; c < f->change + f->n_changes; c++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "key", c->key);
        sb_json_text(json, "before", c->before);
        sb_json_text(json, "after", c->after);
        sb_json_end(json);
    }
    sb_json_end(json);
    sb_json_text(json, "command", f->command);
    sb_json_end(json);
}

sb_status sb_explain(sb_matrix_session *session, const sb_cell *cell, sb_json *json)
{
    SB_FREED facts *f = calloc(1, sizeof *f);
    sb_status status = f ? gather(f, session, cell) : sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK && json) write_facts(json, f);
    if (status == SB_OK && !json) print_facts(f);
    if (status != SB_OK && json) sb_json_null(json, "cell");
    if (f) free_facts(f);
    return status;
}
