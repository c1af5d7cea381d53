#include "inspect/child.h"

#include "core/machine/self.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static sb_status start(char *const argv[], pid_t *child)
{
    sb_self self;
    posix_spawn_file_actions_t actions;
    SB_TRY(sb_self_find(&self, argv));
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (!error) error = posix_spawn(child, self.path, &actions, NULL, self.argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    sb_self_free(&self);
    return error ? sb_fail(SB_E_IO, "cannot start '%s %s': %s", argv[0], argv[1], strerror(error)) : SB_OK;
}

sb_status sb_child_run(char *const argv[], int *code, double *peak_bytes)
{
    struct rusage usage;
    pid_t child, got;
    int ended;
    SB_TRY(start(argv, &child));
    do got = wait4(child, &ended, 0, &usage);
    while (got < 0 && errno == EINTR);
    if (got < 0) return sb_fail(SB_E_IO, "%s %s: %s", argv[0], argv[1], strerror(errno));
    *code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    if (peak_bytes) *peak_bytes = (double)usage.ru_maxrss * 1024;
    return SB_OK;
}
