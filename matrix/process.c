#define _POSIX_C_SOURCE 200809L
#include "process.h"

#include "core/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

void sb_process_program(const char *name, char path[SB_PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, SB_PATH_MAX - 1);
    path[n > 0 ? n : 0] = 0;
    char *slash = strrchr(path, '/');
    size_t room = slash ? SB_PATH_MAX - (size_t)(slash + 1 - path) : 0;
    if (room > strlen(name)) {
        snprintf(slash + 1, room, "%s", name);
        if (access(path, X_OK) == 0) return;
    }
    snprintf(path, SB_PATH_MAX, "%s", name);
}

enum { INHERITED_LOCK = 3 }; /* where the child finds the lock it holds by being alive */

static int set_files(posix_spawn_file_actions_t *files, const char *log, int lock_fd)
{
    int error = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error && log)
        error = posix_spawn_file_actions_addopen(files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (!error) error = posix_spawn_file_actions_adddup2(files, STDERR_FILENO, STDOUT_FILENO);
    if (!error && lock_fd >= 0) error = posix_spawn_file_actions_adddup2(files, lock_fd, INHERITED_LOCK);
    return error;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error) error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    return error;
}

sb_status sb_process_start(pid_t *pid, const sb_words *words, const char *log, int lock_fd)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return sb_fail(SB_E_MEMORY, "%s: %s", words->item[0], strerror(error));
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_files(&files, log, lock_fd);
        if (!error) error = set_attributes(&attributes);
        if (!error) error = posix_spawnp(pid, words->item[0], &files, &attributes, words->item, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    if (error) return sb_fail(SB_E_IO, "%s: cannot be started: %s", words->item[0], strerror(error));
    return SB_OK;
}

bool sb_process_ended(pid_t pid, int *wait_status)
{
    return waitpid(pid, wait_status, WNOHANG) == pid;
}

void sb_process_rest(void)
{
    const struct timespec rest = {.tv_nsec = 10000000};
    nanosleep(&rest, NULL);
}

sb_status sb_process_run(int *wait_status, const sb_words *words)
{
    pid_t pid;
    SB_TRY(sb_process_start(&pid, words, NULL, -1));
    for (int passed_on = 0; !sb_process_ended(pid, wait_status); sb_process_rest()) {
        int wanted = sb_interrupt_signal();
        if (wanted && !passed_on) kill(pid, wanted);
        passed_on = wanted;
    }
    return SB_OK;
}

void sb_process_end_text(int wait_status, char *text, size_t size)
{
    if (WIFSIGNALED(wait_status))
        snprintf(text, size, "killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(text, size, "exit code %d", WEXITSTATUS(wait_status));
}
