#include "rank/launch.h"

#include "core/file.h"
#include "core/machine/interrupt.h"
#include "core/machine/self.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "samebits-mpi"

/* ---- the environment ---- */

/* A variable that is a whole number; -1: it is not there. */
static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text && *text ? (int)strtol(text, NULL, 10) : -1;
}

sb_status sb_launch_read(sb_launch *launch)
{
    *launch = (sb_launch){0, 1};
    const int size = number_of("PMI_SIZE"), rank = number_of("PMI_RANK");
    if (size > 1 && rank >= 0) {
        *launch = (sb_launch){rank, size};
        return SB_OK;
    }
    if (number_of("OMPI_COMM_WORLD_SIZE") > 1)
        return sb_fail(SB_E_USAGE, "started by the mpirun of Open MPI, whose ranks this program cannot join: start it "
                                   "with MPICH's, mpiexec.hydra");
    if (size < 0 && number_of("SLURM_STEP_NUM_TASKS") > 1)
        return sb_fail(SB_E_USAGE, "started by srun as one of several tasks that do not know of each other: "
                                   "'srun --mpi=pmi2 --kill-on-bad-exit=1' makes ranks of them");
    return SB_OK;
}

bool sb_launch_speaks(void)
{
    const int rank = number_of("PMI_RANK"), task = number_of("SLURM_PROCID");
    return rank >= 0 ? rank == 0 : number_of("OMPI_COMM_WORLD_RANK") <= 0 && task <= 0;
}

/* ---- the program with MPI ---- */

static sb_status find_program(char path[SB_PATH_MAX], const sb_launch *launch)
{
    if (sb_self_neighbor(PROGRAM, path)) return SB_OK;
    return sb_fail(SB_E_MISSING,
                   "started as %d ranks, and %s is not here: it is built next to this program where Debian's "
                   "packages libmpich-dev and libucx-dev are",
                   launch->size, path);
}

static volatile sig_atomic_t child;

static void pass_on(int signal_number)
{
    const int before = errno;
    if (child > 0) kill((pid_t)child, signal_number);
    errno = before;
}

/* The child is in a group of its own, so that what is sent to the group of this process reaches it once. */
static void pass_signals_on(void)
{
    static const int passed[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, before;
    sigset_t all;
    sigemptyset(&action.sa_mask);
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        const bool is_ignored = sigaction(passed[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (passed[i] != SIGHUP || !is_ignored) sigaction(passed[i], &action, NULL);
        sigaddset(&all, passed[i]);
    }
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}

/* Of the libraries below MPI: no handlers of crashes, no patched functions; and no writes into the memory of another host
 * over TCP, for whose answers the end of MPI waits for ever in UCX 1.13. What the user has set stays. MPICH's message of
 * an abort is not suppressed here: the launcher of MPICH 4.2 cannot read the empty one and loses the exit code. */
static void calm_libraries(const sb_launch *launch)
{
    /* Where all are on one host no network is looked at, whose devices come and go. */
    if (number_of("MPI_LOCALNRANKS") == launch->size || number_of("SLURM_STEP_NUM_NODES") == 1)
        setenv("UCX_TLS", "sm,self", 0);
    setenv("UCX_HANDLE_ERRORS", "none", 0);
    setenv("UCX_MEM_EVENTS", "no", 0);
    setenv("UCX_WARN_UNUSED_ENV_VARS", "no", 0);
    setenv("UCX_TCP_PUT_ENABLE", "no", 0);
}

static void become(const char *path, char *const argv[], pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) execv(path, argv);
    _exit(127);
}

static sb_status wait_for(pid_t pid, int *wait_status)
{
    while (waitpid(pid, wait_status, 0) < 0)
        if (errno != EINTR) return sb_fail(SB_E_IO, PROGRAM ": %s", strerror(errno));
    return SB_OK;
}

static sb_status status_of(int code)
{
    if (code > 128) sb_interrupt_adopt(code - 128);
    return sb_status_of_exit(code, code > 128 ? SB_E_INTERRUPTED : SB_E_IO);
}

/* The launcher is asked to end all ranks, in the words of its protocol, PMI 1.1, and to exit with that code. Without
 * being asked it would end them too, and exit with the signal that it sends them. */
static void ask_for_end(int code)
{
    enum { PATIENCE_S = 5 };
    const int launcher = number_of("PMI_FD");
    sleep(SB_LAUNCH_PASSES_ON_S);
    if (launcher >= 0 && dprintf(launcher, "cmd=abort exitcode=%d\n", code) > 0) sleep(PATIENCE_S);
}

sb_status sb_launch_hand_over(const sb_launch *launch, char *const argv[])
{
    char path[SB_PATH_MAX];
    int end = 0;
    SB_TRY(find_program(path, launch));
    calm_libraries(launch);
    fflush(stdout);
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) return sb_fail(SB_E_MEMORY, "%s: %s", path, strerror(errno));
    if (pid == 0) become(path, argv, parent);
    child = (sig_atomic_t)pid;
    pass_signals_on();
    SB_TRY(wait_for(pid, &end));
    child = 0;
    if (WIFEXITED(end)) return sb_fail(status_of(WEXITSTATUS(end)), "%s", "");
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    fprintf(stderr,
            "rank %d of %d (process %ld on %s) was killed by signal %d (%s), and training has ended on all; the "
            "same command continues from the last checkpoint\n",
            launch->rank, launch->size, (long)pid, host, WTERMSIG(end), strsignal(WTERMSIG(end)));
    ask_for_end(sb_exit_code(SB_E_IO));
    return sb_fail(SB_E_IO, "%s", "");
}
