/* A separate process that opens a file first: there the library may crash or hang.
 * It is started with the first file, tries one after the other, because starting it costs more than most files do, and
 * ends when it has had nothing to do for a while or when this process ends. */
#include "io/h5/h5_parts.h"

#include "core/machine/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, IDLE_MS = 200, STARTS_MOST = 3 };

typedef struct request {
    sb_h5_meet *meet; /* the function has the same address in the trial process */
    bool is_sealed;
    char path[SB_PATH_MAX];
} request;

typedef struct verdict {
    sb_status status;
    char message[1024];
} verdict;

/* ---- the trial process ---- */

static verdict try_file(const request *r)
{
    verdict v = {.status = r->meet(r->path, r->is_sealed)};
    strncpy(v.message, sb_message(), sizeof v.message - 1);
    return v;
}

/* Limit the CPU time to `seconds` more than used so far. */
static void limit_seconds(rlim_t seconds)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    struct rlimit limit;
    rlim_t so_far = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    if (getrlimit(RLIMIT_CPU, &limit) != 0) return;
    limit.rlim_cur = so_far + seconds < limit.rlim_max ? so_far + seconds : limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}

/* A signal by which a process ends that did something wrong. SIGXCPU: see limit_seconds. */
static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXCPU};

/* Release everything inherited from the parent: locks, pipes that another process waits for, core files, crash
 * handlers. Needs no additional descriptor, because the parent may already have the largest allowed number. */
static int leave_parent(int socket)
{
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (dup2(socket, STDERR_FILENO + 1) < 0) _exit(1);
    close_range(STDERR_FILENO + 2, ~0u, 0);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    sb_streams_fill();
    return STDERR_FILENO + 1;
}

static void serve(int socket)
{
    request r;
    for (;;) {
        struct pollfd wait = {socket, POLLIN, 0};
        int ready = poll(&wait, 1, IDLE_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0 || recv(socket, &r, sizeof r, 0) != (ssize_t)sizeof r) _exit(0);
        limit_seconds(SECONDS_MOST);
        verdict v = try_file(&r);
        bool sent = send(socket, &v, sizeof v, MSG_NOSIGNAL) == (ssize_t)sizeof v;
        if (!sent || v.status != SB_OK)
            _exit(0); /* a bad file may have left bad memory, which is none of the next one's */
    }
}

/* ---- here ---- */

static struct {
    pid_t child; /* 0: none */
    int socket;
    bool is_used; /* it has tried a file */
} beside;

static sb_status start(const char *path)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return sb_fail(SB_E_IO, "%s: no way to try it: %s", path, strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        sb_h5_turn_renew();
        serve(leave_parent(ends[1]));
    }
    close(ends[1]);
    if (child > 0) {
        beside.child = child, beside.socket = ends[0], beside.is_used = false;
        return SB_OK;
    }
    close(ends[0]);
    return sb_fail(SB_E_MEMORY, "%s: no process to try it in: %s", path, strerror(errno));
}

/* How the process ended; false: unknown. */
static bool end(int *state)
{
    pid_t child = beside.child, ended;
    close(beside.socket);
    beside.child = 0;
    while ((ended = waitpid(child, state, 0)) < 0 && errno == EINTR) {
    }
    return ended == child;
}

/* false: it ended instead. */
static bool ask(const request *r, verdict *v)
{
    ssize_t n;
    beside.is_used = true;
    if (send(beside.socket, r, sizeof *r, MSG_NOSIGNAL) != (ssize_t)sizeof *r) return false;
    while ((n = recv(beside.socket, v, sizeof *v, 0)) < 0 && errno == EINTR) {
    }
    return n == (ssize_t)sizeof *v;
}

/* A process that was ended from outside says nothing about the file. */
static sb_status fail_ended(const char *path, int state)
{
    bool is_broken = WIFEXITED(state);
    for (size_t i = 0; WIFSIGNALED(state) && i < sizeof deadly / sizeof *deadly; i++)
        is_broken |= WTERMSIG(state) == deadly[i];
    const char *how = WIFSIGNALED(state) ? strsignal(WTERMSIG(state)) : "it ended the process";
    if (!is_broken) return sb_fail(SB_E_MEMORY, "%s: the process that tried it was ended (%s)", path, how);
    return sb_fail(SB_E_INTEGRITY, "%s: the HDF5 library breaks down over it (%s): damaged, or made to do so", path,
                   how);
}

sb_status sb_h5_try_beside(const char *path, bool is_sealed, sb_h5_meet *meet)
{
    SB_H5_TURN;
    request r = {.meet = meet, .is_sealed = is_sealed};
    verdict v;
    int state = 0;
    if (strlen(path) >= sizeof r.path) return sb_file_too_long(path);
    strcpy(r.path, path);
    for (int i = 0; i < STARTS_MOST; i++) {
        if (!beside.child) SB_TRY(start(path));
        bool was_used = beside.is_used;
        if (ask(&r, &v)) return v.status == SB_OK ? SB_OK : sb_fail(v.status, "%.1023s", v.message);
        if (!end(&state)) return sb_fail(SB_E_IO, "%s: could not be tried: %s", path, strerror(errno));
        bool ended_itself = WIFEXITED(state) && WEXITSTATUS(state) == 0; /* it had nothing to do, or met a bad file */
        if (!ended_itself && !was_used) break;
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return sb_fail(SB_E_IO, "%s: could not be tried", path);
    return fail_ended(path, state);
}
