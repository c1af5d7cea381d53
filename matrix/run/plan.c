#include "matrix/run/plan.h"

#include "matrix/cells/filter.h"
#include "matrix/data/data_source.h"
#include "matrix/process/process.h"
#include "matrix/watch/watch.h"

#include "core/text/plural.h"

#include <stdlib.h>
#include <unistd.h>

static bool is_wanted(sb_cell_state state, const sb_plan_request *request)
{
    if (request->elsewhere && state == SB_STATE_RUNNING) return false;
    if (state == SB_STATE_DATA_MISSING) return false;
    if (state == SB_STATE_HARDWARE_MISSING) return request->elsewhere;
    if (sb_cell_state_is_done(state)) return request->again;
    if (!request->failed && !request->missing && !request->stale) return true;
    return (request->failed && state == SB_STATE_FAILED) || (request->missing && state == SB_STATE_MISSING) ||
           (request->stale && state == SB_STATE_STALE);
}

static void add_source(sb_plan *plan, const sb_data_source *source)
{
    if (!source) return;
    for (size_t i = 0; i < plan->n_sources; i++)
        if (plan->source[i] == source) return;
    plan->source[plan->n_sources++] = source;
}

static sb_status allocate(sb_plan *plan)
{
    size_t n = plan->n_selected + 1;
    plan->item = malloc(n * sizeof *plan->item);
    plan->seconds = malloc(n * sizeof *plan->seconds);
    plan->state = malloc(n * sizeof *plan->state);
    plan->source = malloc(n * sizeof *plan->source);
    plan->rest = malloc((plan->cells->n + 1) * sizeof *plan->rest);
    if (!plan->item || !plan->seconds || !plan->state || !plan->source || !plan->rest)
        return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    return sb_timings_open(&plan->timings, plan->cells->hardware.host.cpu);
}

/* What part of a cell is still to be computed: one that was begun has a journal. */
static double rest_by_journal(const sb_cell *cell, const char *results)
{
    sb_store store;
    sb_watch watch = {0};
    if (sb_store_locate(&store, results, cell) != SB_OK) return 1;
    sb_watch_look(&watch, cell, &store);
    if (watch.total <= 0 || watch.update > watch.total) return 1;
    return 1 - (double)watch.update / (double)watch.total;
}

static double *rest_of(const sb_plan *plan, const sb_cell *cell)
{
    return &plan->rest[cell - plan->cells->item];
}

static sb_status look_at_cells(sb_plan *plan, const sb_selection *selection, sb_looker *looker,
                               const sb_plan_request *request)
{
    for (size_t i = 0; i < selection->n; i++) {
        const sb_cell *cell = selection->item[i];
        sb_store_look look;
        sb_look(&look, looker, cell, SB_TRUST_STAMP);
        *rest_of(plan, cell) = look.has_journal ? rest_by_journal(cell, looker->results) : 1;
        plan->state[i] = look.state;
        plan->count[look.state]++;
        if (look.state == SB_STATE_DATA_MISSING) sb_reasons_add(&plan->lacking, look.why);
        if (look.state == SB_STATE_COMPLETE) SB_TRY(sb_timings_add(plan->timings, cell, &look.stamp));
        if (!is_wanted(look.state, request)) continue;
        plan->item[plan->n++] = cell;
        add_source(plan, cell->data);
    }
    return SB_OK;
}

static sb_status make(sb_plan *plan, const sb_selection *selection, sb_looker *looker, const sb_plan_request *request)
{
    const char *results = looker->results;
    SB_TRY(look_at_cells(plan, selection, looker, request));
    if (!plan->n && (request->failed || request->missing || request->stale))
        return sb_fail(SB_E_EMPTY, "%s: none of the %zu selected cells is%s%s%s", results, selection->n,
                       request->failed ? " failed" : "", request->missing ? " missing" : "",
                       request->stale ? " stale" : "");
    SB_TRY(sb_order_cells(plan->item, plan->n, selection, request->order, request->order_seed));
    for (size_t i = 0; i < plan->n; i++)
        plan->seconds[i] = sb_timings_predict(plan->timings, plan->item[i]).seconds * *rest_of(plan, plan->item[i]);
    return SB_OK;
}

sb_status sb_plan_make(sb_plan *plan, const sb_cells *cells, const sb_selection *selection, sb_looker *looker,
                       sb_plan_request request)
{
    *plan = (sb_plan){.n_selected = selection->n, .cells = cells};
    SB_TRY(allocate(plan));
    return make(plan, selection, looker, &request);
}

void sb_plan_drop(sb_plan *plan, const sb_data_source *source, const char *why)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++) {
        if (plan->item[i]->data == source) {
            sb_reasons_add(&plan->lacking, why);
            continue;
        }
        plan->item[n] = plan->item[i];
        plan->seconds[n++] = plan->seconds[i];
    }
    plan->n = n;
}

size_t sb_plan_lacking(const sb_plan *plan)
{
    size_t n = 0;
    for (int i = 0; i < plan->lacking.n; i++) n += plan->lacking.count[i];
    return n;
}

void sb_plan_sweep(const sb_plan *plan, const sb_selection *selection, const char *results)
{
    sb_store store;
    for (size_t i = 0; i < selection->n; i++) {
        if (!sb_cell_state_is_done(plan->state[i]) || sb_store_locate(&store, results, selection->item[i]) != SB_OK)
            continue;
        if (sb_lock_sweep(store.lock)) continue;
        unlink(store.journal);
        unlink(store.failed);
    }
}

void sb_plan_free(sb_plan *plan)
{
    sb_timings_close(plan->timings);
    free(plan->rest);
    free(plan->source);
    free(plan->state);
    free(plan->seconds);
    free(plan->item);
    *plan = (sb_plan){0};
}

/* Print a command that makes the output folder, then the command itself. */
static sb_status print_command(const sb_argv *argv, const char *folder, FILE *out)
{
    SB_OWNED(sb_argv_free) sb_argv mkdir = {0};
    SB_FREED char *first = NULL, *then = NULL;
    sb_argv_add_split(&mkdir, "mkdir -p");
    sb_argv_add(&mkdir, folder);
    SB_TRY(sb_argv_line(&mkdir, &first));
    SB_TRY(sb_argv_line(argv, &then));
    if (argv->n) fprintf(out, "%s && %s\n", first, then);
    return SB_OK;
}

static sb_status print_source(const sb_data_source *source, const char *data, const char *mirror, FILE *out)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_data_source_path(path, source, data));
    if (sb_file_exists(path)) return SB_OK;
    SB_OWNED(sb_argv_free) sb_argv fetch = {0}, make = {0};
    SB_TRY(sb_data_source_argv(&fetch, &make, source, path, mirror));
    SB_TRY(print_command(&fetch, data, out));
    return print_command(&make, data, out);
}

static sb_status print_cell(const sb_cell *cell, const sb_engine *engine, const char *results, const char *data,
                            FILE *out)
{
    sb_store store;
    sb_stamp stamp;
    char path[SB_PATH_MAX] = "";
    SB_TRY(sb_store_locate(&store, results, cell));
    if (sb_store_check(&store, cell, SB_TRUST_STAMP, NULL, &stamp) == SB_OK)
        SB_TRY(sb_store_locate_again(&store, results, cell));
    if (cell->data) SB_TRY(sb_data_source_path(path, cell->data, data));
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    SB_TRY(sb_engine_train_argv(&argv, engine, cell, path, &store));
    return print_command(&argv, store.folder, out);
}

sb_status sb_plan_print_commands(const sb_plan *plan, const sb_engine *engine, const char *results, const char *data,
                                 const char *mirror, FILE *out)
{
    for (size_t i = 0; i < plan->n_sources; i++) SB_TRY(print_source(plan->source[i], data, mirror, out));
    for (size_t i = 0; i < plan->n; i++) SB_TRY(print_cell(plan->item[i], engine, results, data, out));
    return SB_OK;
}

void sb_plan_print(const sb_plan *plan, FILE *out)
{
    fprintf(out, "%zu cell%s", plan->n_selected, sb_plural(plan->n_selected));
    const char *between = ": ";
    for (sb_cell_state state = 0; state < SB_STATE_N; state++) {
        if (!plan->count[state]) continue;
        fprintf(out, "%s%zu %s", between, plan->count[state], sb_cell_state_word(state));
        between = ", ";
    }
    fputc('\n', out);
    sb_reasons_print(&plan->lacking, sb_cell_state_word(SB_STATE_DATA_MISSING), out);
}
