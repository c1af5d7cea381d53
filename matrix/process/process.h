/* Child processes: started in groups of their own, looked at without waiting, and what their ending is called. */
#pragma once

#include "core/file.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "core/text/writer.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* A command line being put together: words for posix_spawn, or one text for people and records. */

enum { SB_ARGV_MAX = 96 };

typedef struct sb_argv { /* start with {0}; ends in a NULL, as argv does */
    char *item[SB_ARGV_MAX + 1];
    int n;
    bool lost; /* a word could not be added: too many, or no memory */
} sb_argv;

void sb_argv_add(sb_argv *argv, const char *word);
void sb_argv_add_pair(sb_argv *argv, const char *option, const char *value);

/* The arguments of a text between blanks and line ends; no quoting. */
void sb_argv_add_split(sb_argv *argv, const char *text);

/* SB_E_MEMORY if a word was lost on the way. */
sb_status sb_argv_check(const sb_argv *argv);

/* The arguments in one text with single blanks, for records. The caller frees; NULL: no memory. */
char *sb_argv_text(const sb_argv *argv);

/* The arguments as a shell needs them, into a document of sb_shell (core/text/shell.h), or as one line from malloc.
 * SB_E_USAGE: one of them holds a line end or another control character. */
void sb_argv_write(sb_writer *shell, const sb_argv *argv);
sb_status sb_argv_line(const sb_argv *argv, char **line);

void sb_argv_free(sb_argv *argv);

/* The program of that name next to this one, else its bare name, which a start looks for on PATH. */
void sb_process_program(const char *name, char path[SB_PATH_MAX]);

/* The arguments that start a program of ours: its name, or an emulator's arguments followed by the name; the name as
 * sb_process_program has it. */
void sb_process_add_program(sb_argv *argv, const char *text);

/* A path that can be started, or a name that is found on PATH. */
bool sb_process_is_here(const char *name);

/* Can the first of these words, and a program of ours that is the last, be started? Then NULL, else the one that is not
 * here, in `name`. */
const char *sb_process_absent(const char *text, char name[SB_PATH_MAX]);

/* Start a process in a group of its own (a Ctrl-C reaches it only through us, once). Its output goes to the end of the
 * file log, or to our stderr when log is NULL; it reads nothing; it inherits lock_fd unless that is -1. SB_E_MISSING:
 * there is no such program. */
sb_status sb_process_start(pid_t *pid, const sb_argv *argv, const char *log, int lock_fd);

/* Has it ended? Then *wait_status is what waitpid says. Never waits. */
bool sb_process_ended(pid_t pid, int *wait_status);

/* A request to stop (SIGINT, SIGTERM), passed on to one child; begin with {0}. */
typedef struct sb_process_stop {
    int signal;   /* passed on, 0: none yet */
    double since; /* when, sb_clock_seconds */
    bool killed;
} sb_process_stop;

#define SB_PROCESS_GRACE 120 /* seconds: a training stops after its update, which may take a while */

/* How long a child that was asked to stop may take, before it is killed; until it is set, SB_PROCESS_GRACE seconds. */
void sb_process_set_grace(long seconds);
long sb_process_grace(void);

/* To be called again and again while the child runs: hands it our signal, once. true: it was asked, its time is over,
 * and it was not killed yet. */
bool sb_process_is_overdue(sb_process_stop *stop, pid_t pid);

/* Ask a trainer for a checkpoint after its update; it goes on. */
void sb_process_ask_checkpoint(pid_t pid);

/* SIGKILL for the child and all of its group. */
void sb_process_kill(sb_process_stop *stop, pid_t pid);

/* Wait for the child's end; a request to stop is passed on, and kept after its time. */
void sb_process_wait(pid_t pid, int *wait_status);

/* A short rest between two looks at running processes; a signal ends it early. */
void sb_process_rest(void);

/* Start a process that writes to our descriptor out, and talks to our stderr, and wait for it, as sb_process_wait does. */
sb_status sb_process_run(int *wait_status, const sb_argv *argv, int out);

/* The same after a line on talk with the command as a shell needs it; what it writes goes to our stderr. SB_E_USAGE: an
 * argument holds a line end or another control character. */
sb_status sb_process_run_shown(int *wait_status, const sb_argv *argv, FILE *talk);

/* Run a process, free its arguments and take what it writes to stdout, without blanks at the end; the caller frees it.
 * SB_E_MISSING: there is no such program; SB_E_DIFFERS: it failed, and the sentence holds what it complained of on
 * stderr. The answer is then NULL. */
sb_status sb_process_ask(char **answer, sb_argv *argv);

/* The same of the words of a text, and of one more where it is not NULL. */
sb_status sb_process_ask_words(char **answer, const char *text, const char *last);

/* How a finished process ended, as text: "exit code 1", "killed by signal 9". */
void sb_process_end_text(int wait_status, char *text, size_t size);

/* The status with which a program of ours ended (sb_status_of_exit). Killed by a signal or with another exit code:
 * SB_E_INTERRUPTED where this process was asked to stop, too, else SB_E_IO. */
sb_status sb_process_status(int wait_status);

/* One runner per cell: a lock file whose lock the kernel lets go when its holders are dead.
 *
 * The program that is started for the cell inherits the lock, so that a runner killed alone does not free a cell whose
 * training still goes on.
 */

/* Take the lock; waits ten milliseconds at most, for those who only look. Its folder must exist. *fd: what to release,
 * -1 if another process holds it. SB_E_IO: it cannot be opened, or its file system has no locks. */
sb_status sb_lock_take(int *fd, const char *path);

/* Remove the file and let go. */
void sb_lock_release(int fd, const char *path);

/* Can locks be taken in that folder? SB_E_IO as above. */
sb_status sb_lock_check(const char *folder);

/* Remove a lock file that no process holds, because its owner was killed. True: it is held. False: it was removed, or
 * there is none. */
bool sb_lock_sweep(const char *path);

bool sb_lock_is_held(const char *path);

/* How the ranks of a cell are started: by MPICH's mpiexec on this machine, in a job of Slurm by its srun, which reaches
 * all of the job's nodes. */

/* The number of processes that train a cell with these settings. */
long sb_launcher_ranks(const char *const value[SB_N_SETTINGS]);

/* The arguments before the program's name; none of a cell of one process. */
void sb_launcher_add(sb_argv *argv, const char *const value[SB_N_SETTINGS]);

/* What is not here of the programs that start the ranks, in `name`; NULL: nothing is lacking, or nothing is wanted. */
const char *sb_launcher_absent(const char *const value[SB_N_SETTINGS], char name[SB_PATH_MAX]);
