#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "paper/gnuplot.h"

#include "paper/path.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

sb_status sb_plot_begin(sb_plot *plot, const char *folder, const char *name, const sb_layout *layout)
{
    *plot = (sb_plot){0};
    snprintf(plot->folder, sizeof plot->folder, "%s", folder);
    snprintf(plot->name, sizeof plot->name, "%s", name);
    plot->script = open_memstream(&plot->text, &plot->n_text);
    if (!plot->script) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the script", name);
    sb_style_begin(plot->script, name, layout);
    return SB_OK;
}

/* Start gnuplot in `folder`; what it says goes to said[1]. In one locale on every machine: in the plain C one it
 * complains that it cannot write a degree sign. */
static int spawn(const char *folder, char *const argv[], int said[2], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, said[1], STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, said[1], STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclose(&actions, said[0]);
    if (!error) error = posix_spawn_file_actions_addclose(&actions, said[1]);
    if (!error && setenv("LC_ALL", "C.UTF-8", 1) != 0) error = errno;
    if (!error) error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Read until the other end is closed; keep the beginning, which holds gnuplot's first complaint, as one line. */
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

/* gnuplot -d -e ... NAME.gp, in the folder of the figure; -d: whatever the user set up for gnuplot stays out. */
static sb_status run_gnuplot(const sb_plot *plot, const char *setting)
{
    char script[sizeof plot->name + 8];
    snprintf(script, sizeof script, "%s.gp", plot->name);
    char *argv[] = {"gnuplot", "-d", "-e", (char *)setting, script, NULL};
    int said[2];
    if (pipe(said) != 0) return sb_fail(SB_E_IO, "gnuplot: %s", strerror(errno));
    pid_t child;
    int error = spawn(plot->folder, argv, said, &child);
    close(said[1]);
    char words[400] = "";
    if (!error) listen_to(said[0], words, sizeof words);
    close(said[0]);
    if (error == ENOENT)
        return sb_fail(SB_E_MISSING, "gnuplot: not found; figures are drawn with it: apt-get install gnuplot-nox");
    if (error) return sb_fail(SB_E_IO, "gnuplot: %s", strerror(error));
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return sb_fail(SB_E_IO, "gnuplot: %s", strerror(errno));
    /* It exits 0 after some complaints too; a figure it complained about is not one to print. */
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || *words)
        return sb_fail(SB_E_IO, "%s/%s: gnuplot says: %s", plot->folder, script,
                       *words ? words : "nothing, but failed");
    return SB_OK;
}

static sb_status draw(const sb_plot *plot, bool narrow)
{
    char picture[SB_PATH_MAX], part[SB_PATH_MAX], setting[sizeof plot->name + 64];
    const char *suffix = narrow ? "-narrow" : "";
    snprintf(setting, sizeof setting, "narrow=%d; output='%s%s.svg.part'", narrow, plot->name, suffix);
    SB_TRY(sb_path_join(picture, plot->folder, "%s%s.svg", plot->name, suffix));
    sb_status status = run_gnuplot(plot, setting);
    if (status == SB_OK) return sb_file_commit(picture);
    sb_file_part(picture, part);
    unlink(part);
    return status;
}

static sb_status write_script(const sb_plot *plot)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, plot->folder, "%s.gp", plot->name));
    return sb_file_write(path, plot->text, plot->n_text);
}

sb_status sb_plot_end(sb_plot *plot, sb_status status)
{
    fprintf(plot->script, "\nunset multiplot\n");
    bool whole = !ferror(plot->script);
    whole = fclose(plot->script) == 0 && whole;
    if (status == SB_OK && !whole) status = sb_fail(SB_E_MEMORY, "%s: not enough memory for the script", plot->name);
    if (status == SB_OK) status = write_script(plot);
    if (status == SB_OK) status = draw(plot, false);
    if (status == SB_OK) status = draw(plot, true);
    free(plot->text);
    *plot = (sb_plot){0};
    return status;
}
