#include "matrix/process/process.h"

#include "core/machine/clock.h"
#include "core/machine/interrupt.h"
#include "core/machine/self.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

void sb_process_program(const char *name, char path[SB_PATH_MAX])
{
    if (!sb_self_neighbor(name, path)) snprintf(path, SB_PATH_MAX, "%s", name);
}

void sb_process_add_program(sb_argv *argv, const char *text)
{
    char path[SB_PATH_MAX];
    sb_argv_add_split(argv, text);
    if (argv->lost || argv->n == 0) return;
    sb_process_program(argv->item[argv->n - 1], path);
    free(argv->item[--argv->n]);
    argv->item[argv->n] = NULL;
    sb_argv_add(argv, path);
}

bool sb_process_is_here(const char *name)
{
    char path[SB_PATH_MAX];
    if (strchr(name, '/')) return access(name, X_OK) == 0;
    for (const char *at = getenv("PATH"); at && *at;) {
        const size_t length = strcspn(at, ":");
        const int n = snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (n > 0 && (size_t)n < sizeof path && access(path, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

const char *sb_process_absent(const char *text, char name[SB_PATH_MAX])
{
    sb_argv argv = {0};
    const char *absent = NULL;
    sb_process_add_program(&argv, text);
    for (int i = 0; i < argv.n && !absent; i++)
        if ((i == 0 || i == argv.n - 1) && !sb_process_is_here(argv.item[i])) absent = argv.item[i];
    if (absent) snprintf(name, SB_PATH_MAX, "%s", absent);
    sb_argv_free(&argv);
    return absent ? name : NULL;
}

/* -- starting -- */

typedef struct streams { /* of the child, as descriptors of ours */
    int out, err;
    int lock; /* -1: none */
} streams;

enum { INHERITED_LOCK = 3 }; /* where the child finds the lock it holds by being alive */

static int set_files(posix_spawn_file_actions_t *files, const streams *s)
{
    int error = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(files, s->out, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(files, s->err, STDERR_FILENO);
    if (!error && s->lock >= 0) error = posix_spawn_file_actions_adddup2(files, s->lock, INHERITED_LOCK);
    return error;
}

/* What this process ignores is not the child's business. SIGUSR1, which we may pass on, is blocked until a trainer takes
 * it (sb_interrupt_catch): before, it would end the child. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t blocked, ignored;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGXFSZ);
    int error = posix_spawnattr_setsigmask(attributes, &blocked);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &ignored);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(attributes,
                                         POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return error;
}

static sb_status spawn(pid_t *pid, const sb_argv *argv, const streams *s)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return sb_fail(SB_E_MEMORY, "%s: %s", argv->item[0], strerror(error));
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_files(&files, s);
        if (!error) error = set_attributes(&attributes);
        if (!error) error = posix_spawnp(pid, argv->item[0], &files, &attributes, argv->item, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    if (!error) return SB_OK;
    return sb_fail(error == ENOENT ? SB_E_MISSING : SB_E_IO, "%s: cannot be started: %s", argv->item[0],
                   strerror(error));
}

sb_status sb_process_start(pid_t *pid, const sb_argv *argv, const char *log, int lock_fd)
{
    streams s = {STDERR_FILENO, STDERR_FILENO, lock_fd};
    if (log) s.out = s.err = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (s.out < 0) return sb_fail(SB_E_IO, "%s: %s", log, strerror(errno));
    sb_status status = spawn(pid, argv, &s);
    if (log) close(s.out);
    return status;
}

/* -- waiting -- */

bool sb_process_ended(pid_t pid, int *wait_status)
{
    return waitpid(pid, wait_status, WNOHANG) == pid;
}

void sb_process_ask_checkpoint(pid_t pid)
{
    kill(pid, SIGUSR1);
}

void sb_process_rest(void)
{
    const struct timespec rest = {.tv_nsec = 10000000};
    nanosleep(&rest, NULL);
}

static long grace_seconds = SB_PROCESS_GRACE;

void sb_process_set_grace(long seconds)
{
    grace_seconds = seconds;
}

long sb_process_grace(void)
{
    return grace_seconds;
}

bool sb_process_is_overdue(sb_process_stop *stop, pid_t pid)
{
    double now = sb_clock_seconds();
    int wanted = sb_interrupt_signal();
    if (wanted && !stop->signal) {
        *stop = (sb_process_stop){.signal = wanted, .since = now};
        kill(pid, wanted);
    }
    return stop->signal && !stop->killed && now - stop->since >= (double)grace_seconds;
}

void sb_process_kill(sb_process_stop *stop, pid_t pid)
{
    kill(-pid, SIGKILL); /* a child leads a group of its own */
    stop->killed = true;
}

void sb_process_wait(pid_t pid, int *wait_status)
{
    for (sb_process_stop stop = {0}; !sb_process_ended(pid, wait_status); sb_process_rest())
        if (sb_process_is_overdue(&stop, pid)) sb_process_kill(&stop, pid);
}

sb_status sb_process_run(int *wait_status, const sb_argv *argv, int out)
{
    pid_t pid;
    SB_TRY(spawn(&pid, argv, &(streams){out, STDERR_FILENO, -1}));
    sb_process_wait(pid, wait_status);
    return SB_OK;
}

sb_status sb_process_run_shown(int *wait_status, const sb_argv *argv, FILE *talk)
{
    char *line;
    SB_TRY(sb_argv_line(argv, &line));
    fprintf(talk, "%s\n", line);
    free(line);
    return sb_process_run(wait_status, argv, STDERR_FILENO);
}

void sb_process_end_text(int wait_status, char *text, size_t size)
{
    if (WIFSIGNALED(wait_status))
        snprintf(text, size, "killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(text, size, "exit code %d", WEXITSTATUS(wait_status));
}

sb_status sb_process_status(int wait_status)
{
    const int code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
    return sb_status_of_exit(code, sb_interrupt_signal() ? SB_E_INTERRUPTED : SB_E_IO);
}

/* -- asking -- */

/* All of a file from its beginning, without blanks at its end, from malloc. NULL: no memory. */
static char *whole_text(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    rewind(file);
    char *text = calloc((size_t)(size > 0 ? size : 0) + 1, 1);
    size_t n = text && size > 0 ? fread(text, 1, (size_t)size, file) : 0;
    while (n && strchr(" \n\r\t", text[n - 1])) text[--n] = 0;
    return text;
}

/* The line that says to be an error, else the first that is not a warning: there programs say what went wrong, and after
 * it what to read about it. */
static char *complaint_in(char *said)
{
    char *error = strncmp(said, "Error: ", 7) == 0 ? said : strstr(said, "\nError: ");
    if (error) {
        error += *error == '\n';
        error[strcspn(error, "\n")] = 0;
        return error;
    }
    for (char *line = said, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (*line && strncmp(line, "WARN", 4) != 0 && !strstr(line, "level=warning")) return line;
    }
    return "";
}

static sb_status answer_of(char **answer, const sb_argv *argv, FILE *out, FILE *err)
{
    pid_t pid;
    int end;
    char how[64];
    const streams s = {fileno(out), fileno(err), -1};
    SB_TRY(spawn(&pid, argv, &s));
    sb_process_wait(pid, &end);
    *answer = whole_text(out);
    if (!*answer) return sb_fail(SB_E_MEMORY, "%s: not enough memory for what it says", argv->item[0]);
    if (end == 0) return SB_OK;
    free(*answer);
    *answer = NULL;
    sb_process_end_text(end, how, sizeof how);
    SB_FREED char *said = whole_text(err);
    return sb_fail(SB_E_DIFFERS, "%s: %s: %.600s", argv->item[0], how, said ? complaint_in(said) : "");
}

sb_status sb_process_ask(char **answer, sb_argv *argv)
{
    *answer = NULL;
    FILE *out = tmpfile(), *err = tmpfile();
    sb_status status = out && err ? sb_argv_check(argv)
                                  : sb_fail(SB_E_IO, "no temporary file can be made: %s", strerror(errno));
    if (status == SB_OK) status = answer_of(answer, argv, out, err);
    if (err) fclose(err);
    if (out) fclose(out);
    sb_argv_free(argv);
    return status;
}

sb_status sb_process_ask_words(char **answer, const char *text, const char *last)
{
    sb_argv argv = {0};
    sb_argv_add_split(&argv, text);
    if (last) sb_argv_add(&argv, last);
    return sb_process_ask(answer, &argv);
}
