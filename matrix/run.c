#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include "lock.h"
#include "process.h"
#include "supply.h"

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/progress.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double retry_seconds = 0.3; /* between two looks at a cell that somebody else runs */

typedef struct job {
    const sb_cell *cell; /* NULL: the slot is free */
    sb_store store;
    pid_t pid;
    int lock;
    double started;
} job;

typedef struct runner {
    const sb_plan *plan;
    const sb_run_settings *settings;
    sb_run_outcome *outcome;
    job *jobs;
    int n_running;
    double *next_try; /* per planned cell: when to look at it (again); INFINITY once it was started or is done */
    bool waiting_told, other_trainer_told;
    sb_progress progress;
} runner;

/* -- telling -- */

static void tell(runner *run, const char *word, const sb_cell *cell, const char *details)
{
    if (run->progress.line_open) fputs("\r\033[K", stderr);
    run->progress.line_open = false;
    fprintf(stderr, "%-9s %s /%.*s%s%s\n", word, cell->name, SB_CELL_HASH_SHOWN, cell->hash, *details ? "  " : "",
            details);
}

static void show_progress(runner *run)
{
    const sb_run_outcome *o = run->outcome;
    sb_progress_show(&run->progress, (double)(o->complete + o->failed + o->unable), "%d running, %zu failed",
                     run->n_running, o->failed);
}

/* -- one cell -- */

/* What is left of earlier attempts must not look like this one's. */
static sb_status clear_remains(runner *run, const job *j)
{
    if (unlink(j->store.failed) != 0 && errno != ENOENT)
        return sb_fail(SB_E_IO, "%s: %s", j->store.failed, strerror(errno));
    sb_stamp stamp;
    if (sb_store_check(&j->store, j->cell, SB_TRUST_STAMP, &stamp) != SB_E_INTEGRITY) return SB_OK;
    char aside[SB_PATH_MAX + 16];
    snprintf(aside, sizeof aside, "%.*s.corrupt.h5", (int)strlen(j->store.run) - 3, j->store.run);
    if (rename(j->store.run, aside) != 0) return sb_fail(SB_E_IO, "%s: %s", aside, strerror(errno));
    tell(run, "moved", j->cell, aside);
    return SB_OK;
}

static sb_status spawn(runner *run, job *j)
{
    sb_words words = {0};
    char data[SB_PATH_MAX];
    sb_status status = sb_supply_path(data, j->cell->data, run->settings->data);
    if (status == SB_OK) status = sb_engine_train_words(&words, run->settings->engine, j->cell, data, &j->store);
    char *text = status == SB_OK ? sb_words_text(&words, true) : NULL;
    FILE *log = text ? fopen(j->store.log, "a") : NULL;
    if (log) {
        fprintf(log, "$ %s\n", text);
        fclose(log);
        status = sb_process_start(&j->pid, &words, j->store.log, j->lock);
    } else if (status == SB_OK) {
        status = sb_fail(SB_E_IO, "%s: %s", j->store.log, strerror(errno));
    }
    free(text);
    sb_words_free(&words);
    return status;
}

/* Take the cell if nobody else has it. SB_OK also when it was left for later or found complete. */
static sb_status start(runner *run, size_t index, job *j)
{
    const sb_cell *cell = run->plan->item[index];
    SB_TRY(sb_store_locate(&j->store, run->settings->results, cell));
    SB_TRY(sb_folder_make(j->store.folder));
    SB_TRY(sb_lock_take(&j->lock, j->store.lock));
    if (j->lock < 0) {
        run->next_try[index] = sb_clock_seconds() + retry_seconds;
        return SB_OK;
    }
    run->next_try[index] = INFINITY;
    j->cell = cell;
    j->started = sb_clock_seconds();
    sb_status status = SB_OK;
    sb_stamp stamp;
    if (sb_store_check(&j->store, cell, SB_TRUST_STAMP, &stamp) == SB_OK) {
        run->outcome->complete++;
        tell(run, "complete", cell, "by another process");
    } else {
        status = clear_remains(run, j);
        if (status == SB_OK) status = spawn(run, j);
        if (status == SB_OK) {
            run->n_running++;
            if (!run->progress.terminal) tell(run, "start", cell, "");
            return SB_OK;
        }
    }
    sb_lock_release(j->lock, j->store.lock);
    j->cell = NULL;
    return status;
}

static void finish_failed(runner *run, const job *j, const char *reason)
{
    char text[SB_WHY + 2], details[4 * SB_PATH_MAX];
    snprintf(text, sizeof text, "%.*s\n", SB_WHY - 1, reason);
    if (sb_file_write(j->store.failed, text, strlen(text)) != SB_OK) fprintf(stderr, "%s\n", sb_message());
    snprintf(details, sizeof details, "%s\n  log:   %s\n  again: %s -n /%.*s", reason, j->store.log,
             run->settings->again, SB_CELL_HASH_SHOWN, j->cell->hash);
    run->outcome->failed++;
    tell(run, "failed", j->cell, details);
}

/* Said once on stderr, and in the log of every run it is true of. */
static void note_other_trainer(runner *run, const job *j)
{
    char why[SB_WHY];
    if (sb_engine_is_locked_run(run->settings->engine, j->cell, &j->store, why)) return;
    FILE *log = fopen(j->store.log, "a");
    if (log) {
        fprintf(log, "%s\n", why);
        fclose(log);
    }
    if (!run->other_trainer_told) tell(run, "note", j->cell, why);
    run->other_trainer_told = true;
}

static void finish(runner *run, job *j, int end)
{
    char how[SB_WHY];
    sb_process_end_text(end, how, sizeof how);
    sb_stamp stamp;
    sb_status check = sb_store_check(&j->store, j->cell, SB_TRUST_NONE, &stamp);
    if (end == 0 && check == SB_OK) {
        char seconds[32];
        sb_duration_text(sb_clock_seconds() - j->started, seconds);
        run->outcome->complete++;
        tell(run, "complete", j->cell, seconds);
        note_other_trainer(run, j);
    } else if (sb_interrupt_signal()) {
        run->outcome->stopped++;
        tell(run, "stopped", j->cell, "the same command goes on from its last checkpoint");
    } else if (WIFEXITED(end) && WEXITSTATUS(end) == sb_exit_code(SB_E_MISSING)) {
        run->outcome->unable++;
        tell(run, "unable", j->cell, j->store.log);
    } else {
        if (end == 0) snprintf(how, sizeof how, "exit code 0, but: %.*s", SB_WHY - 32, sb_message());
        finish_failed(run, j, how);
    }
    sb_lock_release(j->lock, j->store.lock);
    j->cell = NULL;
    run->n_running--;
}

/* -- all cells -- */

static job *free_slot(runner *run)
{
    for (int i = 0; i < run->settings->jobs; i++)
        if (!run->jobs[i].cell) return &run->jobs[i];
    return NULL;
}

/* Fill the free slots; *left counts the cells that are not begun. */
static sb_status start_more(runner *run, size_t *left)
{
    *left = 0;
    double now = sb_clock_seconds();
    for (size_t i = 0; i < run->plan->n; i++) {
        if (run->next_try[i] == INFINITY) continue;
        job *slot = run->next_try[i] <= now ? free_slot(run) : NULL;
        if (slot) SB_TRY(start(run, i, slot));
        *left += run->next_try[i] != INFINITY;
    }
    return SB_OK;
}

static void reap(runner *run)
{
    for (int i = 0; i < run->settings->jobs; i++) {
        int end;
        if (run->jobs[i].cell && sb_process_ended(run->jobs[i].pid, &end)) finish(run, &run->jobs[i], end);
    }
}

static void pass_on(const runner *run, int wanted)
{
    for (int i = 0; i < run->settings->jobs; i++)
        if (run->jobs[i].cell) kill(run->jobs[i].pid, wanted);
}

static sb_status run_all(runner *run)
{
    sb_status status = SB_OK;
    size_t left = run->plan->n;
    int passed_on = 0;
    while (run->n_running || (left && !passed_on && status == SB_OK)) {
        int wanted = sb_interrupt_signal();
        if (wanted && !passed_on) pass_on(run, wanted);
        passed_on = wanted;
        reap(run);
        if (!passed_on && status == SB_OK) status = start_more(run, &left);
        if (left && !run->n_running && !run->waiting_told && status == SB_OK) {
            fprintf(stderr, "waiting for %zu cells that another process runs\n", left);
            run->waiting_told = true;
        }
        show_progress(run);
        if (run->n_running || left) sb_process_rest();
    }
    if (status != SB_OK || !passed_on) return status;
    run->outcome->stopped += left;
    return sb_fail(SB_E_INTERRUPTED, "interrupted; the same command continues with %zu cells", run->outcome->stopped);
}

sb_status sb_run_cells(sb_run_outcome *outcome, const sb_plan *plan, const sb_run_settings *settings)
{
    *outcome = (sb_run_outcome){0};
    runner run = {.plan = plan, .settings = settings, .outcome = outcome};
    run.jobs = calloc((size_t)settings->jobs, sizeof *run.jobs);
    run.next_try = calloc(plan->n + 1, sizeof *run.next_try);
    run.progress = sb_progress_begin("run", (double)plan->n);
    run.progress.quiet = !run.progress.terminal; /* elsewhere the lines of the cells say it all */
    sb_status status = run.jobs && run.next_try ? run_all(&run) : sb_fail(SB_E_MEMORY, "not enough memory to run");
    sb_progress_end(&run.progress);
    free(run.next_try);
    free(run.jobs);
    return status;
}
