#include "matrix/verbs/verbs.h"

#include "matrix/hardware/hardware.h"
#include "matrix/slurm/slurm.h"
#include "matrix/store/store.h"
#include "matrix/verbs/matrix_session.h"

#include "core/text/plural.h"

#include <math.h>
#include <stdio.h>

static const sb_json_key keys[] = {
    {"cells", SB_JSON_LIST, "the selected cells, in the order of the matrix"},
    {"cells[].name", SB_JSON_TEXT, "name"},
    {"cells[].hash", SB_JSON_TEXT, "SHA-256 of the record, 64 hexadecimal digits"},
    {"cells[].state", SB_JSON_TEXT, "one of the states below"},
    {"cells[].why", SB_JSON_TEXT, "why it is in that state; null: there is nothing to say"},
    {"cells[].damaged", SB_JSON_FLAG, "its run file is there, and not as it was written"},
    {"cells[].updates", SB_JSON_INTEGER,
     "updates of a complete run, also of one that diverged at the last of them; else null"},
    {"cells[].seconds", SB_JSON_REAL, "that such a run took; else null"},
    {"states", SB_JSON_LIST, "how many cells are in which state"},
    {"states[].state", SB_JSON_TEXT,
     "complete, diverged, running, failed, stale, missing, data missing or hardware missing"},
    {"states[].cells", SB_JSON_INTEGER, "cells in it"},
    {"damaged", SB_JSON_INTEGER, "cells whose run file is damaged"},
    {"slurm", SB_JSON_OBJECT, "what of the selection is on its way in a cluster"},
    {"slurm.waiting", SB_JSON_INTEGER, "tasks that wait"},
    {"slurm.running", SB_JSON_INTEGER, "tasks that run"},
    SB_EXPLAIN_KEYS,
    SB_JSON_END,
};

/* Counts over all cells, in addition to the list of cells. */
typedef struct survey {
    size_t count[SB_STATE_N], n, n_damaged;
    sb_reasons missing, lacking;
    struct {
        size_t n, running, waiting;
    } slurm;
} survey;

static sb_status judge(const survey *s)
{
    if (s->n_damaged)
        return sb_fail(SB_E_INTEGRITY,
                       "%zu run file%s damaged; 'samebits-matrix run' moves such a file aside and trains "
                       "its cell again",
                       s->n_damaged, s->n_damaged == 1 ? " is" : "s are");
    size_t lacks = s->count[SB_STATE_DATA_MISSING], runnable = s->n - s->count[SB_STATE_HARDWARE_MISSING] - lacks;
    const size_t done = s->count[SB_STATE_COMPLETE] + s->count[SB_STATE_DIVERGED];
    if (done == runnable && !lacks) return SB_OK;
    if (done == runnable)
        return sb_fail(SB_E_PARTIAL, "%zu cell%s could run, if the data were here", lacks, sb_plural(lacks));
    return sb_fail(SB_E_PARTIAL, "%zu of %zu cells that can run here are not complete", runnable - done, runnable);
}

/* -- for people -- */

static void print_cell(const sb_cell *cell, const sb_store_look *look)
{
    const sb_cell_state state = look->state;
    if (state != SB_STATE_DIVERGED && state != SB_STATE_FAILED && state != SB_STATE_RUNNING && state != SB_STATE_STALE)
        return;
    sb_screen_word(stdout, sb_cell_state_role(state), 0, sb_cell_state_word(state));
    printf(" %s /%.*s%s%s\n", cell->name, SB_CELL_HASH_SHOWN, cell->hash, *look->why ? ": " : "", look->why);
}

static void print_sums(const survey *s)
{
    sb_reasons_print(&s->lacking, sb_cell_state_word(SB_STATE_DATA_MISSING), stdout);
    sb_reasons_print(&s->missing, sb_cell_state_word(SB_STATE_HARDWARE_MISSING), stdout);
    for (sb_cell_state state = 0; state < SB_STATE_N; state++) {
        sb_screen_word(stdout, s->count[state] ? sb_cell_state_role(state) : SB_ROLE_NONE, 16,
                       sb_cell_state_word(state));
        printf(" %zu\n", s->count[state]);
    }
    printf("%-16s %zu\n", "all", s->n);
}

/* -- for programs -- */

static void write_cell(sb_json *json, const sb_cell *cell, const sb_store_look *look)
{
    sb_json_object(json, NULL);
    sb_json_text(json, "name", cell->name);
    sb_json_text(json, "hash", cell->hash);
    sb_json_text(json, "state", sb_cell_state_word(look->state));
    sb_json_text(json, "why", *look->why ? look->why : NULL);
    sb_json_flag(json, "damaged", look->is_damaged);
    sb_json_integer_if(json, "updates", look->stamp.updates, sb_cell_state_is_done(look->state));
    sb_json_real(json, "seconds", sb_cell_state_is_done(look->state) ? look->stamp.seconds : NAN);
    sb_json_end(json);
}

static void write_sums(sb_json *json, const survey *s)
{
    sb_json_list(json, "states");
    for (sb_cell_state state = 0; state < SB_STATE_N; state++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "state", sb_cell_state_word(state));
        sb_json_integer(json, "cells", (int64_t)s->count[state]);
        sb_json_end(json);
    }
    sb_json_end(json);
    sb_json_integer(json, "damaged", (int64_t)s->n_damaged);
    sb_json_object(json, "slurm");
    sb_json_integer(json, "waiting", (int64_t)s->slurm.waiting);
    sb_json_integer(json, "running", (int64_t)s->slurm.running);
    sb_json_end(json);
}

/* -- the survey -- */

/* json NULL: for people. */
static void see_cells(survey *s, sb_matrix_session *w, sb_json *json)
{
    const sb_selection *selection = &w->selection;
    sb_looker looker = sb_matrix_session_looker(w);
    s->n = selection->n;
    for (size_t i = 0; i < selection->n; i++) {
        sb_store_look look;
        sb_look(&look, &looker, selection->item[i], sb_matrix_session_trust(&w->options));
        s->count[look.state]++;
        s->n_damaged += look.is_damaged;
        if (look.state == SB_STATE_HARDWARE_MISSING) sb_reasons_add(&s->missing, look.why);
        if (look.state == SB_STATE_DATA_MISSING) sb_reasons_add(&s->lacking, look.why);
        if (json)
            write_cell(json, selection->item[i], &look);
        else
            print_cell(selection->item[i], &look);
    }
}

/* What of the selection is on its way in a cluster. That Slurm does not answer is no reason to say nothing. */
static void see_queue(survey *s, const sb_selection *selection, const char *results)
{
    sb_slurm_queue queue;
    if (sb_slurm_queue_read(&queue, results) != SB_OK) fprintf(stderr, "%s\n", sb_message());
    for (size_t i = 0; i < selection->n; i++) {
        const sb_slurm_task *task = sb_slurm_queue_find(&queue, selection->item[i]);
        s->slurm.waiting += task && !task->running;
        s->slurm.running += task && task->running;
    }
    s->slurm.n = queue.n;
    sb_slurm_queue_free(&queue);
}

static sb_status print_survey(sb_matrix_session *w)
{
    survey s = {0};
    see_queue(&s, &w->selection, w->options.results);
    if (s.slurm.n) printf("in Slurm: %zu waiting, %zu running\n", s.slurm.waiting, s.slurm.running);
    see_cells(&s, w, NULL);
    print_sums(&s);
    return judge(&s);
}

static sb_status write_survey(const sb_call *call, sb_matrix_session *w, const sb_cell *cell)
{
    survey s = {0};
    sb_json json = sb_json_begin(call->command);
    see_queue(&s, &w->selection, w->options.results);
    sb_json_list(&json, "cells");
    see_cells(&s, w, &json);
    sb_json_end(&json);
    write_sums(&json, &s);
    if (cell) return sb_json_print(&json, sb_explain(w, cell, &json));
    sb_json_null(&json, "cell");
    return sb_json_print(&json, judge(&s));
}

/* The one cell that was named; NULL: none was. */
static sb_status choose(const sb_matrix_session *w, const sb_call *call, const sb_cell **cell)
{
    *cell = call->arguments.n ? w->selection.item[0] : NULL;
    if (!*cell || w->selection.n == 1) return SB_OK;
    return sb_fail(SB_E_USAGE, "samebits-matrix status: '%s' means %zu cells, the first of them %s /%.*s; name one",
                   call->arguments.item[0], w->selection.n, (*cell)->name, SB_CELL_HASH_SHOWN, (*cell)->hash);
}

static const sb_option options[] = {SB_SESSION_FILE,   SB_SESSION_FILTER, SB_SESSION_RESULTS, SB_SESSION_DATA,
                                    SB_SESSION_VERIFY, SB_SESSION_JSON,   SB_OPTION_END};

static sb_status status_of(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    const sb_cell *cell;
    SB_TRY(sb_matrix_session_open(&w, call));
    SB_TRY(choose(&w, call, &cell));
    if (w.options.json) return write_survey(call, &w, cell);
    return cell ? sb_explain(&w, cell, NULL) : print_survey(&w);
}

const sb_command sb_verb_status = {
    .program = "samebits-matrix",
    .verb = "status",
    .summary = "count the cells in each state, or explain one cell",
    .arguments = "[CELL]",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .max_arguments = 1,
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'. CELL is a name, '/' and the first digits of the hash, or a filter\n"
        "that selects one cell: its state, how far it is, what changed since its run, and the command that runs it.\n"
        "exit code without CELL: 0 only if all cells that can run are complete or diverged\n",
    .json = keys,
    .run = status_of,
};
