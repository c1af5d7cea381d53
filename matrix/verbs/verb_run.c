#include "matrix/verbs/verbs.h"

#include "matrix/data/data_source.h"
#include "matrix/process/process.h"
#include "matrix/run/plan.h"
#include "matrix/run/runner.h"
#include "matrix/verbs/matrix_session.h"

#include "core/machine/interrupt.h"
#include "core/text/plural.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sb_status verdict(const sb_plan *plan, const sb_runner_outcome *outcome)
{
    if (outcome->failed) return sb_fail(SB_E_DIFFERS, "%zu of %zu cells failed", outcome->failed, plan->n);
    if (outcome->differing)
        return sb_fail(SB_E_DIFFERS, "%zu of %zu cells did not repeat their bits", outcome->differing, plan->n);
    if (outcome->stopped) {
        sb_interrupt_adopt(SIGTERM);
        return sb_fail(SB_E_INTERRUPTED, "%zu of %zu cells were stopped; the same command continues with them",
                       outcome->stopped, plan->n);
    }
    if (outcome->unable) return sb_fail(SB_E_PARTIAL, "%zu of %zu cells could not run here", outcome->unable, plan->n);
    size_t lacking = sb_plan_lacking(plan), absent = plan->count[SB_STATE_HARDWARE_MISSING];
    if (lacking)
        return sb_fail(absent + lacking == plan->n_selected ? SB_E_MISSING : SB_E_PARTIAL,
                       "%zu of %zu cells could not run without their data: %s; 'make demo' needs none", lacking,
                       plan->n_selected, plan->lacking.text[0]);
    if (absent == plan->n_selected)
        return sb_fail(SB_E_MISSING, "no selected cell can run here; 'samebits-matrix status' says what is missing");
    return SB_OK;
}

/* The cells of a data set that cannot be made do not run. A data set other than the locked one is an error. */
static sb_status source(sb_plan *plan, const sb_engine *engine, const sb_matrix_session_options *options)
{
    for (size_t i = 0; i < plan->n_sources; i++) {
        char path[SB_PATH_MAX], why[SB_WHY];
        sb_status status = sb_data_source_ensure(plan->source[i], options->data, options->mirror, stderr);
        if (status == SB_E_MISSING) {
            fprintf(stderr, "%s\n", sb_message());
            snprintf(why, sizeof why, "the data set %.60s cannot be made", plan->source[i]->name);
            sb_plan_drop(plan, plan->source[i], why);
            continue;
        }
        SB_TRY(status);
        SB_TRY(sb_data_source_path(path, plan->source[i], options->data));
        SB_TRY(sb_engine_check_data(engine, path));
    }
    return SB_OK;
}

/* "run: 3 complete, 2 stopped, 26 not begun": a count of nothing is not printed. */
static void print_outcome(const sb_runner_outcome *o)
{
    const struct {
        size_t n;
        const char *what;
    } counts[] = {{o->differing, "with other bits"},
                  {o->failed, "failed"},
                  {o->unable, "could not run here"},
                  {o->stopped, "stopped"},
                  {o->not_begun, "not begun"}};
    fprintf(stderr, "run: %zu complete", o->complete);
    if (o->diverged) fprintf(stderr, " (%zu of them diverged)", o->diverged);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].n) fprintf(stderr, ", %zu %s", counts[i].n, counts[i].what);
    fputc('\n', stderr);
}

static sb_status run_with(const sb_engine *engine, sb_plan *plan, const sb_matrix_session_options *options)
{
    if (options->dry_run)
        return sb_plan_print_commands(plan, engine, options->results, options->data, options->mirror, stdout);
    sb_plan_print(plan, stderr);
    SB_TRY(source(plan, engine, options));
    char *retry;
    SB_TRY(sb_matrix_session_run_line(options, &retry));
    const sb_runner_settings settings = {.attempt = {options->results, options->data, engine, options->again},
                                         .jobs = (int)options->jobs,
                                         .retry = retry};
    sb_runner_outcome outcome;
    sb_status status = sb_runner_run(&outcome, plan, &settings);
    print_outcome(&outcome);
    free(retry);
    return status == SB_OK ? verdict(plan, &outcome) : status;
}

/* A matrix file is read once, at the start. If it was edited since, say so, because this run used the earlier text. */
static sb_status say_edited(const sb_cells *cells, sb_status status)
{
    if (!sb_cells_edited(cells)) return status;
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    sb_status edited = sb_fail(SB_E_PARTIAL,
                               "%s: edited during the run, which used the content of the start; 'samebits-matrix "
                               "status -f %s' shows what is left to run",
                               cells->path, cells->path);
    return status == SB_OK ? edited : status;
}

/* The runs of these cells would have the names and hashes of runs by this CPU's own kernels. */
static void say_foreign(const sb_plan *plan, const sb_cells *cells)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++) n += sb_hardware_is_foreign(&cells->hardware, plan->item[i]->value);
    if (!n) return;
    fprintf(stderr,
            "%s in the environment chooses the kernels of openblas for %zu cell%s: emulated, not measured; "
            "unset it for this CPU's own\n",
            cells->hardware.host.foreign, n, sb_plural(n));
}

static sb_status run_plan(sb_plan *plan, const sb_matrix_session_options *options)
{
    sb_engine *engine;
    SB_TRY(sb_engine_open(&engine, options->file, options->engine, options->lock, plan->item, plan->n, stderr));
    sb_status status = run_with(engine, plan, options);
    sb_engine_close(engine);
    return status;
}

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_SESSION_JOBS,
    SB_SESSION_WISH,
    SB_SESSION_ORDER,
    SB_OPTION_FLAG(sb_matrix_session_options, dry_run, "--dry-run", "print the commands and run nothing"),
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_SESSION_ENGINE,
    SB_SESSION_MIRROR,
    SB_OPTION_INT(sb_matrix_session_options, grace, "--grace", "SECONDS", SB_OPTION_NUMBER(SB_PROCESS_GRACE), 0, 86400,
                  "time that an interrupted cell has to stop before it is killed"),
    SB_OPTION_END,
};

static sb_status run(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    SB_OWNED(sb_plan_free) sb_plan plan = {0};
    const sb_matrix_session_options *o = &w.options;
    SB_TRY(sb_matrix_session_open(&w, call));
    sb_looker looker = sb_matrix_session_looker(&w);
    sb_process_set_grace(o->grace);
    sb_status status = sb_plan_make(&plan, w.cells, &w.selection, &looker, sb_matrix_session_request(o));
    if (status == SB_OK && !o->dry_run) sb_plan_sweep(&plan, &w.selection, o->results);
    if (status == SB_OK) say_foreign(&plan, w.cells);
    if (status == SB_OK) status = run_plan(&plan, o);
    return o->dry_run ? status : say_edited(w.cells, status);
}

const sb_command sb_verb_run = {
    .program = "samebits-matrix",
    .verb = "run",
    .summary = "run all cells that are not complete; the same command continues after an interruption",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'.\n"
        "--engine auto: the first of podman, docker and apptainer that starts the locked images, else none; without "
        "a lock file\n"
        "none.\n"
        "exit codes: 0 all cells that can run here are complete or diverged; 1 a cell failed, its bits differ, or "
        "the disk is\n"
        "full; 2 usage; 3 some cells could not run: data is missing, the trainer refused, or the matrix file was "
        "edited during\n"
        "the run; 4 the engine, its image, or what every cell needs is missing; 5 nothing selected; 7 an image or "
        "data differs\n"
        "from the lock file; 130/143 interrupted\n",
    .run = run,
};
