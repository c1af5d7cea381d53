#include "matrix/run/runner.h"

#include "matrix/data/data_source.h"
#include "matrix/process/process.h"
#include "matrix/store/program.h"
#include "matrix/watch/watch.h"

#include "core/machine/clock.h"
#include "core/machine/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- beginning -- */

static sb_status remove_if_there(const char *path)
{
    if (unlink(path) == 0 || errno == ENOENT) return SB_OK;
    return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
}

/* What is left of its output is where it goes on: the trainer's checkpoint, and whatever belongs to a folder of the cell's
 * own. Another program must not pass an old output off as its own. */
static bool is_continued(const sb_cell *cell)
{
    return !cell->study->command || sb_command_has(cell->study, "folder");
}

/* What is left of earlier attempts must not look like this one's. */
static sb_status clear_remains(sb_attempt *a)
{
    sb_stamp stamp;
    SB_TRY(remove_if_there(a->store.failed));
    sb_status there = sb_store_check(&a->store, a->cell, SB_TRUST_NONE, NULL, &stamp);
    if (!is_continued(a->cell)) SB_TRY(remove_if_there(a->store.output));
    if (there == SB_OK) return remove_if_there(a->store.run); /* of an earlier repetition */
    if (there != SB_E_INTEGRITY) return SB_OK;
    const char *ending = strrchr(a->store.run, '.');
    snprintf(a->why, sizeof a->why, "%.*s.corrupt%s", (int)(ending - a->store.run), a->store.run, ending);
    if (rename(a->store.run, a->why) != 0) return sb_fail(SB_E_IO, "%s: %s", a->why, strerror(errno));
    return SB_OK;
}

/* The command that follows, where a reader of the log looks for it. */
static sb_status head_log(const sb_attempt *a, const sb_argv *argv)
{
    char *text;
    SB_TRY(sb_argv_line(argv, &text));
    FILE *log = fopen(a->store.log, "a");
    bool written = log && fprintf(log, "$ %s\n", text) > 0;
    written = log && fclose(log) == 0 && written;
    free(text);
    return written ? SB_OK : sb_fail(SB_E_IO, "%s: %s", a->store.log, strerror(errno));
}

static sb_status spawn(sb_attempt *a, const sb_attempt_settings *settings)
{
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    char data[SB_PATH_MAX] = "";
    SB_TRY(a->cell->data ? sb_data_source_path(data, a->cell->data, settings->data) : SB_OK);
    if (a->cell->study->command && is_continued(a->cell)) SB_TRY(sb_folder_make(a->store.kept));
    SB_TRY(sb_engine_train_argv(&argv, settings->engine, a->cell, data, &a->store));
    SB_TRY(head_log(a, &argv));
    return sb_process_start(&a->pid, &argv, a->store.log, a->lock);
}

/* Is it complete? A cell to be repeated is then trained into a second file next to its run. */
static sb_status locate(sb_attempt *a, const sb_cell *cell, const sb_attempt_settings *settings, bool *complete)
{
    sb_stamp stamp;
    SB_TRY(sb_store_locate(&a->store, settings->results, cell));
    *complete = sb_store_check(&a->store, cell, SB_TRUST_STAMP, NULL, &stamp) == SB_OK;
    a->repeats = *complete && settings->repeat;
    return a->repeats ? sb_store_locate_again(&a->store, settings->results, cell) : SB_OK;
}

static sb_status start(sb_attempt *attempt, const sb_cell *cell, const sb_attempt_settings *settings,
                       sb_attempt_begin *begin)
{
    bool complete;
    *begin = SB_ATTEMPT_TAKEN;
    *attempt->why = 0;
    SB_TRY(locate(attempt, cell, settings, &complete));
    SB_TRY(sb_folder_make(attempt->store.folder));
    SB_TRY(sb_lock_take(&attempt->lock, attempt->store.lock));
    if (attempt->lock < 0) return SB_OK;
    attempt->cell = cell;
    attempt->engine = settings->engine;
    attempt->stop = (sb_process_stop){0};
    attempt->started = sb_clock_seconds();
    sb_status status = SB_OK;
    sb_stamp stamp;
    /* Check again: the process that held the lock may have finished the cell since. */
    if (!attempt->repeats && sb_store_check(&attempt->store, cell, SB_TRUST_STAMP, NULL, &stamp) == SB_OK) {
        *begin = SB_ATTEMPT_DONE;
    } else {
        status = clear_remains(attempt);
        if (status == SB_OK) status = spawn(attempt, settings);
        *begin = SB_ATTEMPT_RUNNING;
        if (status == SB_OK) return SB_OK;
    }
    sb_lock_release(attempt->lock, attempt->store.lock);
    attempt->cell = NULL;
    return status;
}

/* Nothing more fits, or the sentence about the failure says so. */
static bool is_disk_full(const sb_attempt *a)
{
    struct statvfs disk;
    bool none_left = statvfs(a->store.folder, &disk) == 0 && disk.f_blocks && disk.f_bavail == 0;
    return none_left || strstr(a->why, strerror(ENOSPC)) || strstr(a->why, strerror(EDQUOT));
}

sb_status sb_attempt_start(sb_attempt *attempt, const sb_cell *cell, const sb_attempt_settings *settings,
                           sb_attempt_begin *begin)
{
    sb_status status = start(attempt, cell, settings, begin);
    if (status != SB_E_IO) return status;
    snprintf(attempt->why, sizeof attempt->why, "%s", sb_message());
    if (!is_disk_full(attempt)) return status;
    *begin = SB_ATTEMPT_FULL;
    return SB_OK;
}

/* -- end -- */

/* An engine's process that is killed leaves its container running. What the engine says is kept in the log. */
static void end_container(const sb_attempt *a)
{
    const double patience = 30;
    sb_argv argv = {0};
    pid_t pid;
    int end;
    double began = sb_clock_seconds();
    if (sb_engine_kill_argv(&argv, a->engine, a->cell, &a->store) == SB_OK && argv.n && head_log(a, &argv) == SB_OK &&
        sb_process_start(&pid, &argv, a->store.log, -1) == SB_OK)
        while (!sb_process_ended(pid, &end) && sb_clock_seconds() - began < patience) sb_process_rest();
    sb_argv_free(&argv);
}

bool sb_attempt_ended(sb_attempt *attempt, int *wait_status)
{
    if (!attempt->cell) return false;
    if (sb_process_ended(attempt->pid, wait_status)) return true;
    if (!sb_process_is_overdue(&attempt->stop, attempt->pid)) return false;
    end_container(attempt);
    sb_process_kill(&attempt->stop, attempt->pid);
    return false;
}

static void explain(sb_attempt *a, int wait_status, const char *check)
{
    char how[64], last[SB_TAIL_BYTES];
    sb_process_end_text(wait_status, how, sizeof how);
    sb_tail_read(last, a->store.log, 1);
    if (wait_status == 0)
        snprintf(a->why, sizeof a->why, "%s, but: %s", how, check);
    else if (WIFEXITED(wait_status) && *last && *last != '$')
        snprintf(a->why, sizeof a->why, "%s: %.*s", how, SB_PATH_MAX, last);
    else
        snprintf(a->why, sizeof a->why, "%s", how);
}

static sb_attempt_end fail(sb_attempt *a)
{
    char text[SB_WHY + 2];
    if (is_disk_full(a)) return SB_ATTEMPT_NO_ROOM;
    snprintf(text, sizeof text, "%.*s\n", SB_WHY - 1, a->why);
    if (sb_file_write(a->store.failed, text, strlen(text)) != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return SB_ATTEMPT_FAILED;
}

/* The arguments that compare the output of this run, PATH.again.ENDING, with the first run's output. */
static sb_status comparison_argv(sb_argv *argv, const sb_attempt *a)
{
    char first[SB_PATH_MAX];
    const char *second = a->store.output, *ending = strrchr(second, '.');
    const int stem = (int)(ending - second - (ptrdiff_t)strlen(".again"));
    snprintf(first, sizeof first, "%.*s%s", stem, second, ending);
    sb_cell_program_of(a->cell)->add_comparison(argv, a->cell, first, second);
    return sb_argv_check(argv);
}

static bool run_diff(sb_attempt *a, const sb_argv *argv, int *end)
{
    pid_t pid;
    char *text;
    if (sb_argv_line(argv, &text) != SB_OK) return false;
    snprintf(a->why, sizeof a->why, "%s", text);
    free(text);
    if (head_log(a, argv) != SB_OK || sb_process_start(&pid, argv, a->store.log, -1) != SB_OK) return false;
    sb_process_wait(pid, end);
    return true;
}

/* Hold the second run against the first. */
static sb_attempt_end compare(sb_attempt *a)
{
    sb_argv argv = {0};
    int end = -1;
    bool ran = comparison_argv(&argv, a) == SB_OK && run_diff(a, &argv, &end);
    sb_argv_free(&argv);
    if (ran && end == 0) {
        unlink(a->store.run);
        unlink(a->store.output);
        unlink(a->store.ok);
        return SB_ATTEMPT_SAME;
    }
    if (ran && WIFEXITED(end) && WEXITSTATUS(end) == sb_exit_code(SB_E_DIFFERS)) return SB_ATTEMPT_DIFFERS;
    if (sb_interrupt_signal()) return SB_ATTEMPT_STOPPED;
    if (ran)
        explain(a, end, "");
    else
        snprintf(a->why, sizeof a->why, "%s", sb_message());
    return fail(a);
}

/* The trainer writes its run before it removes its journal; it may have been killed in between. */
static sb_attempt_end take_run(sb_attempt *a, int wait_status, const sb_stamp *stamp)
{
    unlink(a->store.journal);
    if (a->repeats) return compare(a);
    if (stamp->diverged) {
        snprintf(a->why, sizeof a->why, "at update %lld", (long long)stamp->updates);
        return SB_ATTEMPT_DIVERGED;
    }
    if (wait_status != 0) sb_process_end_text(wait_status, a->why, sizeof a->why);
    return SB_ATTEMPT_COMPLETE;
}

static sb_attempt_end stopped(sb_attempt *a)
{
    if (a->stop.killed)
        snprintf(a->why, sizeof a->why, "killed: asked to stop, it did not within %ld s; ", sb_process_grace());
    return SB_ATTEMPT_STOPPED;
}

/* By a signal that the program was sent: a limit of its own, or that of a batch system that ends all processes of a job
 * and this one before its runner. A trainer has left its checkpoint; a program that does not catch it is killed by it. */
static bool was_stopped(int wait_status)
{
    const int by = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) - 128 : WTERMSIG(wait_status);
    return by == SIGINT || by == SIGTERM;
}

/* A program that was asked to stop may end well with half its output. */
static sb_status conclude(const sb_attempt *a, int wait_status)
{
    if (wait_status != 0 || a->stop.signal) return SB_OK;
    return sb_cell_program_of(a->cell)->conclude(&a->store, a->cell, sb_clock_seconds() - a->started);
}

static sb_attempt_end judge(sb_attempt *a, int wait_status)
{
    sb_stamp stamp;
    sb_status check = conclude(a, wait_status);
    if (check == SB_OK) check = sb_store_check(&a->store, a->cell, SB_TRUST_NONE, NULL, &stamp);
    if (check == SB_OK)
        return take_run(a, wait_status, &stamp); /* a whole one is of this attempt: it began with none */
    if (sb_interrupt_signal() || was_stopped(wait_status)) return stopped(a);
    explain(a, wait_status, sb_message());
    if (!a->cell->study->command && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == sb_exit_code(SB_E_MISSING))
        return SB_ATTEMPT_UNABLE;
    return fail(a);
}

sb_attempt_end sb_attempt_finish(sb_attempt *attempt, int wait_status)
{
    *attempt->why = 0;
    sb_attempt_end end = judge(attempt, wait_status);
    sb_lock_release(attempt->lock, attempt->store.lock);
    attempt->cell = NULL;
    return end;
}
