#include "paper/files/child_program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Start it; what it says goes to `said`. In the plain C locale gnuplot complains that it cannot write degree signs. */
static int spawn(const char *folder, char *const argv[], int said, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, said, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
    if (!error && setenv("LC_ALL", "C.UTF-8", 1) != 0) error = errno;
    if (!error) error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Read until the other end is closed; keep the beginning, which holds the first complaint, as one line. */
static void listen_to(int from, char *text, size_t size)
{
    size_t used = 0;
    char piece[512];
    for (ssize_t n; (n = read(from, piece, sizeof piece)) != 0;) {
        if (n < 0 && errno != EINTR) break;
        for (ssize_t i = 0; i < n; i++) {
            char c = piece[i] < ' ' ? ' ' : piece[i];
            bool doubled = c == ' ' && (used == 0 || text[used - 1] == ' ');
            if (!doubled && used + 1 < size) text[used++] = c;
        }
    }
    text[used] = 0;
}

sb_status sb_child_program_begin(sb_child_program *program, const char *folder, const char *const argv[],
                                 const char *package)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return sb_fail(SB_E_IO, "%s: %s", argv[0], strerror(errno));
    *program = (sb_child_program){.name = argv[0], .said = ends[0]};
    int error = spawn(folder, (char *const *)argv, ends[1], &program->process);
    close(ends[1]);
    if (!error) return SB_OK;
    close(ends[0]);
    if (error == ENOENT) return sb_fail(SB_E_MISSING, "%s: not found; apt-get install %s", argv[0], package);
    return sb_fail(SB_E_IO, "%s: %s", argv[0], strerror(error));
}

sb_status sb_child_program_end(sb_child_program *program, char *said, size_t size, int *code)
{
    int state;
    listen_to(program->said, said, size);
    close(program->said);
    while (waitpid(program->process, &state, 0) < 0)
        if (errno != EINTR) return sb_fail(SB_E_IO, "%s: %s", program->name, strerror(errno));
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return SB_OK;
}

sb_status sb_child_program_run(const char *folder, const char *const argv[], const char *package, char *said,
                               size_t size, int *code)
{
    sb_child_program program;
    *said = 0;
    SB_TRY(sb_child_program_begin(&program, folder, argv, package));
    return sb_child_program_end(&program, said, size, code);
}
