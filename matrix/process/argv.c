#include "matrix/process/process.h"

#include "core/text/shell.h"

#include <stdlib.h>
#include <string.h>

static void take(sb_argv *argv, char *word)
{
    if (word && argv->n < SB_ARGV_MAX) {
        argv->item[argv->n++] = word;
        return;
    }
    free(word);
    argv->lost = true;
}

void sb_argv_add(sb_argv *argv, const char *word)
{
    take(argv, strdup(word));
}

void sb_argv_add_pair(sb_argv *argv, const char *option, const char *value)
{
    sb_argv_add(argv, option);
    sb_argv_add(argv, value);
}

void sb_argv_add_split(sb_argv *argv, const char *text)
{
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        take(argv, strndup(text, length));
        text += length;
    }
}

sb_status sb_argv_check(const sb_argv *argv)
{
    if (argv->lost) return sb_fail(SB_E_MEMORY, "a command line has more than %d words", SB_ARGV_MAX);
    return SB_OK;
}

char *sb_argv_text(const sb_argv *argv)
{
    size_t size = 1;
    for (int i = 0; i < argv->n; i++) size += strlen(argv->item[i]) + 1;
    char *text = malloc(size), *end = text;
    for (int i = 0; text && i < argv->n; i++) {
        if (i) *end++ = ' ';
        size_t length = strlen(argv->item[i]);
        memcpy(end, argv->item[i], length);
        end += length;
    }
    if (text) *end = 0;
    return text;
}

void sb_argv_write(sb_writer *shell, const sb_argv *argv)
{
    for (int i = 0; i < argv->n; i++) sb_write(shell, i ? " %s" : "%s", argv->item[i]);
}

sb_status sb_argv_line(const sb_argv *argv, char **line)
{
    *line = NULL;
    SB_TRY(sb_argv_check(argv));
    sb_writer *shell = sb_writer_open(&sb_shell);
    sb_argv_write(shell, argv);
    return sb_writer_close(shell, argv->n ? argv->item[0] : "a command", line, NULL);
}

void sb_argv_free(sb_argv *argv)
{
    for (int i = 0; i < argv->n; i++) free(argv->item[i]);
    *argv = (sb_argv){0};
}

#define MPIEXEC "mpiexec.hydra"

long sb_launcher_ranks(const char *const value[SB_N_SETTINGS])
{
    return value[SB_SETTING_RANKS] ? strtol(value[SB_SETTING_RANKS], NULL, 10) : 1;
}

static bool is_in_job(void)
{
    return getenv("SLURM_JOB_ID") != NULL;
}

void sb_launcher_add(sb_argv *argv, const char *const value[SB_N_SETTINGS])
{
    const char *threads = value[SB_SETTING_THREADS];
    if (sb_launcher_ranks(value) == 1) return;
    if (!is_in_job()) {
        sb_argv_add(argv, MPIEXEC);
        sb_argv_add_pair(argv, "-n", value[SB_SETTING_RANKS]);
        return;
    }
    sb_argv_add_split(argv, "srun --mpi=pmi2 --kill-on-bad-exit=1");
    sb_argv_add_pair(argv, "--ntasks", value[SB_SETTING_RANKS]);
    sb_argv_add_pair(argv, "--cpus-per-task", threads ? threads : "1");
}

const char *sb_launcher_absent(const char *const value[SB_N_SETTINGS], char name[SB_PATH_MAX])
{
    if (sb_launcher_ranks(value) == 1) return NULL;
    return sb_process_absent(is_in_job() ? "srun samebits-mpi" : MPIEXEC " samebits-mpi", name);
}
