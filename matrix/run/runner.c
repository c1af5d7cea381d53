#include "matrix/run/runner.h"

#include "matrix/process/process.h"

#include "core/machine/clock.h"
#include "core/machine/interrupt.h"
#include "core/screen/screen.h"
#include "core/text/plural.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double retry_seconds = 0.3; /* between two looks at cells that another process runs */
static const double draw_seconds = 0.2;  /* between two looks at those we run */

typedef struct runner {
    const sb_plan *plan;
    const sb_runner_settings *settings;
    sb_runner_outcome *outcome;
    sb_attempt *attempts; /* [jobs], and for each its visible state */
    sb_watch *watches;
    int n_running;
    size_t next;                /* planned cells before it were started, or put off */
    size_t *put_off, n_put_off; /* cells that another process runs */
    double next_retry, next_draw, started;
    bool waiting_told, other_trainer_told, disk_full;
} runner;

/* -- telling -- */

static sb_role role_of(const char *word)
{
    if (strcmp(word, "complete") == 0 || strcmp(word, "repeated") == 0) return SB_ROLE_GOOD;
    if (strcmp(word, "diverged") == 0) return SB_ROLE_WARN;
    return strcmp(word, "failed") == 0 || strcmp(word, "differs") == 0 ? SB_ROLE_BAD : SB_ROLE_NONE;
}

/* A line about a cell; format may be NULL. */
__attribute__((format(printf, 4, 5))) static void tell(runner *run, const char *word, const sb_cell *cell,
                                                       const char *format, ...)
{
    sb_screen_clear();
    run->next_draw = 0;
    sb_screen_word(stderr, role_of(word), 9, word);
    fprintf(stderr, " %s /%.*s", cell->name, SB_CELL_HASH_SHOWN, cell->hash);
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        fputs("  ", stderr);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
    fputc('\n', stderr);
}

static size_t n_done(const sb_runner_outcome *o)
{
    return o->complete + o->differing + o->failed + o->unable;
}

/* What a cell takes of which nothing is known: as the ones that are done, else as those that run are going to. */
static double mean_seconds(const runner *run)
{
    double sum = 0, n = 0;
    size_t done = n_done(run->outcome);
    if (done) return (sb_clock_seconds() - run->started) * run->settings->jobs / (double)done;
    for (int i = 0; i < run->settings->jobs; i++) {
        const sb_watch *watch = &run->watches[i];
        if (!run->attempts[i].cell || watch->rate <= 0 || !watch->total) continue;
        sum += (double)watch->total / watch->rate;
        n++;
    }
    return n > 0 ? sum / n : -1;
}

/* What the planned cells that are not begun will take, from what finished runs took; negative: unknown. */
static double seconds_waiting(const runner *run)
{
    double sum = 0, mean = mean_seconds(run);
    for (size_t i = run->next; i < run->plan->n; i++) {
        double seconds = run->plan->seconds[i] >= 0 ? run->plan->seconds[i] : mean;
        if (seconds < 0) return -1;
        sum += seconds;
    }
    return sum;
}

static void draw(runner *run)
{
    double now = sb_clock_seconds();
    if (!sb_screen_is_terminal() || now < run->next_draw) return;
    run->next_draw = now + draw_seconds;
    for (int i = 0; i < run->settings->jobs; i++)
        if (run->attempts[i].cell) sb_watch_look(&run->watches[i], run->attempts[i].cell, &run->attempts[i].store);
    double left = seconds_waiting(run);
    for (int i = 0; i < run->settings->jobs; i++) {
        if (!run->attempts[i].cell) continue;
        double one = sb_watch_left(&run->watches[i]);
        left = left < 0 || one < 0 ? -1 : left + one;
    }
    const sb_runner_outcome *o = run->outcome;
    sb_live_table_sum sum = {n_done(o), o->failed + o->differing, run->plan->n,
                             left < 0 ? -1 : left / run->settings->jobs};
    sb_live_table_draw(run->attempts, run->watches, run->settings->jobs, sum);
}

/* -- one cell -- */

static void tell_no_room(runner *run, const sb_cell *cell, const sb_attempt *a)
{
    run->outcome->stopped++;
    run->disk_full = true;
    tell(run, "stopped", cell, "%s", a->why);
}

/* SB_OK also when it was put off or found complete. */
static sb_status start(runner *run, size_t index, int slot)
{
    const sb_cell *cell = run->plan->item[index];
    sb_attempt *a = &run->attempts[slot];
    sb_attempt_begin begin;
    SB_TRY(sb_attempt_start(a, cell, &run->settings->attempt, &begin));
    switch (begin) {
    case SB_ATTEMPT_TAKEN:
        run->put_off[run->n_put_off++] = index;
        break;
    case SB_ATTEMPT_DONE:
        run->outcome->complete++;
        tell(run, "complete", cell, "by another process");
        break;
    case SB_ATTEMPT_FULL:
        tell_no_room(run, cell, a);
        break;
    case SB_ATTEMPT_RUNNING:
        run->n_running++;
        run->watches[slot] = (sb_watch){0};
        if (*a->why) tell(run, "moved", cell, "%s", a->why);
        if (!sb_screen_is_terminal()) tell(run, "start", cell, NULL);
        break;
    }
    return SB_OK;
}

/* Said once on stderr, and in the log of every run it is true of. */
static void note_other_trainer(runner *run, const sb_cell *cell, const sb_store *store)
{
    char why[SB_WHY];
    if (sb_engine_is_locked_run(run->settings->attempt.engine, cell, store, why)) return;
    FILE *log = fopen(store->log, "a");
    if (log) {
        fprintf(log, "%s\n", why);
        fclose(log);
    }
    if (!run->other_trainer_told) tell(run, "note", cell, "%s", why);
    run->other_trainer_told = true;
}

static void finish(runner *run, sb_attempt *a, int wait_status)
{
    const sb_cell *cell = a->cell;
    char took[32];
    sb_duration_text(sb_clock_seconds() - a->started, took);
    run->n_running--;
    switch (sb_attempt_finish(a, wait_status)) {
    case SB_ATTEMPT_COMPLETE:
        run->outcome->complete++;
        tell(run, "complete", cell, "%s%s%s", took, *a->why ? "; trainer: " : "", a->why);
        note_other_trainer(run, cell, &a->store);
        break;
    case SB_ATTEMPT_DIVERGED:
        run->outcome->complete++, run->outcome->diverged++;
        tell(run, "diverged", cell, "%s, %s", took, a->why);
        note_other_trainer(run, cell, &a->store);
        break;
    case SB_ATTEMPT_SAME:
        run->outcome->complete++;
        tell(run, "repeated", cell, "%s, the same bits", took);
        break;
    case SB_ATTEMPT_DIFFERS:
        run->outcome->differing++;
        tell(run, "differs", cell, "%s, not the same bits\n  where: %s", took, a->why);
        break;
    case SB_ATTEMPT_FAILED:
        run->outcome->failed++;
        tell(run, "failed", cell, "%s\n  log:   %s\n  again: %s -n /%.*s", a->why, a->store.log, run->settings->retry,
             SB_CELL_HASH_SHOWN, cell->hash);
        break;
    case SB_ATTEMPT_UNABLE:
        run->outcome->unable++;
        tell(run, "unable", cell, "%s\n  log:   %s", a->why, a->store.log);
        break;
    case SB_ATTEMPT_STOPPED:
        run->outcome->stopped++;
        tell(run, "stopped", cell, "%sthe same command continues from its last checkpoint", a->why);
        break;
    case SB_ATTEMPT_NO_ROOM:
        tell_no_room(run, cell, a);
        break;
    }
}

/* -- all cells -- */

static int free_slot(const runner *run)
{
    int slot = 0;
    while (slot < run->settings->jobs && run->attempts[slot].cell) slot++;
    return slot < run->settings->jobs ? slot : -1;
}

/* Look again at the cells that another process ran. */
static sb_status retry(runner *run)
{
    double now = sb_clock_seconds();
    size_t n = run->n_put_off;
    if (now < run->next_retry) return SB_OK;
    run->next_retry = now + retry_seconds;
    run->n_put_off = 0; /* start puts back those that are still taken, after the current one */
    for (size_t i = 0; i < n; i++) {
        int slot = free_slot(run);
        if (slot < 0)
            run->put_off[run->n_put_off++] = run->put_off[i];
        else
            SB_TRY(start(run, run->put_off[i], slot));
    }
    return SB_OK;
}

static sb_status start_more(runner *run)
{
    for (int slot; !run->disk_full && run->next < run->plan->n && (slot = free_slot(run)) >= 0;)
        SB_TRY(start(run, run->next++, slot));
    if (run->next == run->plan->n && run->n_put_off) SB_TRY(retry(run));
    return SB_OK;
}

static void reap(runner *run)
{
    for (int i = 0; i < run->settings->jobs; i++) {
        int end;
        if (sb_attempt_ended(&run->attempts[i], &end)) finish(run, &run->attempts[i], end);
    }
}

static size_t n_left(const runner *run)
{
    return run->plan->n - run->next + run->n_put_off;
}

static void tell_waiting(runner *run)
{
    if (run->waiting_told || run->n_running || !run->n_put_off) return;
    sb_screen_clear();
    fprintf(stderr, "waiting for %zu cell%s that another process runs\n", run->n_put_off, sb_plural(run->n_put_off));
    run->waiting_told = true;
}

/* SIGUSR1 is for all that train. */
static void pass_checkpoint_on(const runner *run)
{
    if (!sb_interrupt_checkpoint()) return;
    for (int i = 0; i < run->settings->jobs; i++)
        if (run->attempts[i].cell) sb_process_ask_checkpoint(run->attempts[i].pid);
}

static sb_status run_all(runner *run)
{
    sb_status status = SB_OK;
    bool going = true, interrupted = false;
    while (run->n_running || (going && n_left(run))) {
        interrupted = sb_interrupt_signal();
        reap(run);
        pass_checkpoint_on(run);
        going = !interrupted && !run->disk_full && status == SB_OK;
        if (going) status = start_more(run);
        if (going && status == SB_OK) tell_waiting(run);
        draw(run);
        if (run->n_running || (going && n_left(run))) sb_process_rest();
    }
    run->outcome->not_begun = n_left(run);
    const size_t n = run->outcome->stopped + run->outcome->not_begun;
    if (status != SB_OK) return status;
    if (interrupted)
        return sb_fail(SB_E_INTERRUPTED, "interrupted; the same command continues with %zu cell%s", n, sb_plural(n));
    if (run->disk_full)
        return sb_fail(SB_E_IO,
                       "%s: no space left on the disk; make room, and the same command continues with %zu cell%s",
                       run->settings->attempt.results, n, sb_plural(n));
    return SB_OK;
}

sb_status sb_runner_run(sb_runner_outcome *outcome, const sb_plan *plan, const sb_runner_settings *settings)
{
    *outcome = (sb_runner_outcome){0};
    runner run = {.plan = plan, .settings = settings, .outcome = outcome};
    run.started = sb_clock_seconds();
    run.attempts = calloc((size_t)settings->jobs, sizeof *run.attempts);
    run.watches = calloc((size_t)settings->jobs, sizeof *run.watches);
    run.put_off = calloc(plan->n + 1, sizeof *run.put_off);
    bool enough = run.attempts && run.watches && run.put_off;
    sb_status status = enough ? run_all(&run) : sb_fail(SB_E_MEMORY, "not enough memory to run");
    sb_screen_clear();
    free(run.put_off);
    free(run.watches);
    free(run.attempts);
    return status;
}
