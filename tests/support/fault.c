/* Runs a command and lets one of its system calls fail: the N-th that changes a file below a folder.
 *
 *     fault --below $PWD/out --log calls -- samebits train ... -o out/run.h5
 *         every such call of the command and its children, a line each: "7 pwrite64 /.../out/run.h5.part"
 *     fault --below $PWD/out --log calls --at 7 --error EIO -- ...
 *         the seventh does nothing and returns EIO; the log ends there with "7 pwrite64 /.../out/run.h5.part failed"
 *     --error FULL     the disk is full from there on: that call, if it needs room, and every later one that does
 *     --error KILL     the process that makes the call is killed instead
 *     fault --below $PWD/out --log calls --looks yes -- ...
 *         also every call that opens a file for reading or asks about one by its path: what a file system is asked that
 *         many machines share. None of them fails.
 *     fault --below $PWD/out --log calls --reads yes [--at ...] -- ...
 *         also every pread() of such a file, which can fail, too
 *     fault --below $PWD/out --log calls --locks ENOLCK -- ...
 *         every flock() fails so, on whatever file: a file system without locks
 *
 * The kernel hands the calls over (seccomp's user notification), so that it makes no difference whether a program is
 * static or dynamic, and which library calls. Ends when the last process has, with the command's exit code, or 128 and
 * the signal that killed it. 77: the kernel offers no such thing. A call of close() that fails leaves the file open.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096, UNABLE = 77 };
enum { NONE = -1 };

typedef struct call {
    int number;
    const char *name;
    int descriptor, path,
        flags;       /* which argument is the file (or the folder of a relative path), its path, its flags */
    bool needs_room; /* fails where the disk is full */
    bool looks;      /* changes nothing: handed over with --looks alone */
    bool locks;      /* handed over with --locks alone */
    bool reads;      /* handed over with --reads alone */
} call;

static const call calls[] = {
#ifdef SYS_open
    {SYS_open, "open", NONE, 0, 1, true},
    {SYS_creat, "creat", NONE, 0, NONE, true},
    {SYS_mkdir, "mkdir", NONE, 0, NONE, true},
    {SYS_rename, "rename", NONE, 1, NONE, false},
    {SYS_link, "link", NONE, 1, NONE, true},
    {SYS_symlink, "symlink", NONE, 1, NONE, true},
    {SYS_unlink, "unlink", NONE, 0, NONE, false},
    {SYS_rmdir, "rmdir", NONE, 0, NONE, false},
#endif
    {SYS_openat, "openat", 0, 1, 2, true},
    {SYS_mkdirat, "mkdirat", 0, 1, NONE, true},
    {SYS_renameat2, "renameat2", 2, 3, NONE, false},
#ifdef SYS_renameat
    {SYS_renameat, "renameat", 2, 3, NONE, false},
#endif
    {SYS_linkat, "linkat", 2, 3, NONE, true},
    {SYS_symlinkat, "symlinkat", 1, 2, NONE, true},
    {SYS_unlinkat, "unlinkat", 0, 1, NONE, false},
    {SYS_write, "write", 0, NONE, NONE, true},
    {SYS_pwrite64, "pwrite64", 0, NONE, NONE, true},
    {SYS_writev, "writev", 0, NONE, NONE, true},
    {SYS_pwritev, "pwritev", 0, NONE, NONE, true},
    {SYS_sendfile, "sendfile", 0, NONE, NONE, true},
    {SYS_copy_file_range, "copy_file_range", 2, NONE, NONE, true},
    {SYS_fallocate, "fallocate", 0, NONE, NONE, true},
    {SYS_ftruncate, "ftruncate", 0, NONE, NONE, false},
    {SYS_truncate, "truncate", NONE, 0, NONE, false},
    {SYS_fsync, "fsync", 0, NONE, NONE, false},
    {SYS_fdatasync, "fdatasync", 0, NONE, NONE, false},
    {SYS_close, "close", 0, NONE, NONE, false},
    {SYS_flock, "flock", 0, NONE, NONE, .locks = true},
    {SYS_pread64, "pread64", 0, NONE, NONE, .reads = true},
#ifdef SYS_stat
    {SYS_stat, "stat", NONE, 0, NONE, .looks = true},
    {SYS_lstat, "lstat", NONE, 0, NONE, .looks = true},
    {SYS_access, "access", NONE, 0, NONE, .looks = true},
    {SYS_readlink, "readlink", NONE, 0, NONE, .looks = true},
#endif
#ifdef SYS_newfstatat
    {SYS_newfstatat, "newfstatat", 0, 1, NONE, .looks = true},
#endif
    {SYS_statx, "statx", 0, 1, NONE, .looks = true},
    {SYS_faccessat, "faccessat", 0, 1, NONE, .looks = true},
    {SYS_faccessat2, "faccessat2", 0, 1, NONE, .looks = true},
};
enum { N_CALLS = sizeof calls / sizeof *calls };

static const struct error {
    const char *name;
    int number; /* 0: the process is killed */
} errors[] = {{"EIO", EIO},     {"ENOSPC", ENOSPC}, {"FULL", ENOSPC},           {"EDQUOT", EDQUOT}, {"EACCES", EACCES},
              {"EROFS", EROFS}, {"ENOLCK", ENOLCK}, {"EOPNOTSUPP", EOPNOTSUPP}, {"ENOSYS", ENOSYS}, {"KILL", 0}};

typedef struct fault {
    const char *below, *log;
    long at;
    const struct error *error, *locks;
    bool looks, reads;
    char **command;
} fault;

static bool stop(const char *what)
{
    fprintf(stderr, "fault: %s: %s\n", what, strerror(errno));
    return false;
}

/* -- the command's side -- */

static void send_listener(int to, int listener)
{
    char room[CMSG_SPACE(sizeof listener)] = {0}, byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    *part = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof listener)};
    memcpy(CMSG_DATA(part), &listener, sizeof listener);
    if (sendmsg(to, &message, 0) != 1) _exit(UNABLE);
}

static int install_filter(const fault *task)
{
    struct sock_filter program[2 * N_CALLS + 2];
    unsigned short n = 0;
    program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < N_CALLS; i++) {
        if ((calls[i].looks && !task->looks) || (calls[i].locks && !task->locks) || (calls[i].reads && !task->reads))
            continue;
        program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1);
        program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {n, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

static void be_command(int to, const fault *task)
{
    int listener = install_filter(task);
    if (listener < 0) _exit(UNABLE);
    send_listener(to, listener);
    fcntl(listener, F_SETFD, FD_CLOEXEC);
    fcntl(to, F_SETFD, FD_CLOEXEC);
    execvp(task->command[0], task->command);
    _exit(127);
}

static int receive_listener(int from)
{
    int listener = -1;
    char room[CMSG_SPACE(sizeof listener)], byte;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
    memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    return listener;
}

/* -- the file of a call -- */

/* What /proc/PID/fd/N points to; of AT_FDCWD the working folder. */
static bool read_link(char path[PATH], pid_t pid, int fd)
{
    char link[64];
    if (fd == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
    else
        snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, fd);
    ssize_t n = readlink(link, path, PATH - 1);
    path[n < 0 ? 0 : n] = 0;
    return n > 0;
}

static bool read_text(char text[PATH], pid_t pid, unsigned long long address)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", (int)pid);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? pread(fd, text, PATH - 1, (off_t)address) : -1;
    if (fd >= 0) close(fd);
    text[n < 0 ? 0 : n] = 0;
    return n > 0;
}

static bool is_for_writing(pid_t pid, int fd)
{
    char name[64];
    unsigned flags = 0;
    snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", (int)pid, fd);
    FILE *info = fopen(name, "re");
    bool known = info && fscanf(info, "pos: %*d flags: %o", &flags) == 1;
    if (info) fclose(info);
    return known && (flags & O_ACCMODE) != O_RDONLY;
}

/* The absolute path of the file that the call would change, or with `looks` look at; false: there is none. */
static bool path_of(char path[PATH], const call *c, const struct seccomp_notif *asked, bool looks)
{
    const pid_t pid = (pid_t)asked->pid;
    char text[PATH], folder[PATH];
    if (c->path == NONE) {
        const int fd = (int)asked->data.args[c->descriptor];
        if (c->number == SYS_close && !is_for_writing(pid, fd)) return false;
        return read_link(path, pid, fd);
    }
    const int flags = c->flags == NONE ? O_CREAT : (int)asked->data.args[c->flags];
    if (!looks && !(flags & (O_CREAT | O_TRUNC)) && (flags & O_ACCMODE) == O_RDONLY) return false;
    if (!read_text(text, pid, asked->data.args[c->path]) || !*text) return false; /* "": an open file is asked about */
    if (*text == '/') return strcpy(path, text);
    const int base = c->descriptor == NONE ? AT_FDCWD : (int)asked->data.args[c->descriptor];
    if (!read_link(folder, pid, base)) return false;
    const size_t n = strlen(folder);
    if (n + strlen(text) + 2 > PATH) return false;
    memcpy(path, folder, n);
    path[n] = '/';
    strcpy(path + n + 1, text);
    return true;
}

static const call *call_of(int number)
{
    for (int i = 0; i < N_CALLS; i++)
        if (calls[i].number == number) return &calls[i];
    return NULL;
}

/* -- the watcher's side -- */

static bool fails(const fault *task, const call *c, long n)
{
    if (!task->error || n < task->at) return false;
    return strcmp(task->error->name, "FULL") == 0 ? c->needs_room : n == task->at;
}

static void answer(struct seccomp_notif_resp *response, const struct seccomp_notif *asked, const fault *task, FILE *log)
{
    static long n;
    char path[PATH];
    const call *c = call_of(asked->data.nr);
    const size_t length = strlen(task->below);
    if (c && c->locks) {
        response->error = -task->locks->number;
        return;
    }
    response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (!c || !path_of(path, c, asked, task->looks) || strncmp(path, task->below, length) != 0 || path[length] != '/')
        return;
    const bool failing = fails(task, c, ++n);
    fprintf(log, "%ld %s %s%s\n", n, c->name, path, failing ? " failed" : "");
    fflush(log);
    if (!failing) return;
    response->flags = 0;
    response->error = -task->error->number;
    if (!task->error->number) kill((pid_t)asked->pid, SIGKILL);
}

/* Until no process with the filter is left. */
static void watch(int listener, const fault *task, FILE *log)
{
    struct pollfd poller = {.fd = listener, .events = POLLIN};
    while (poll(&poller, 1, -1) >= 0 || errno == EINTR) {
        struct seccomp_notif asked = {0};
        struct seccomp_notif_resp response = {0};
        if (!(poller.revents & POLLIN)) break;
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue; /* it was killed meanwhile */
        response.id = asked.id;
        answer(&response, &asked, task, log);
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
    }
}

static int run(const fault *task)
{
    int pair[2], status = 0;
    FILE *log = fopen(task->log, "we");
    if (!log) return stop(task->log), 2;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0) return stop("socketpair"), UNABLE;
    pid_t pid = fork();
    if (pid < 0) return stop("fork"), UNABLE;
    if (pid == 0) be_command(pair[1], task);
    close(pair[1]);
    int listener = receive_listener(pair[0]);
    if (listener < 0)
        fprintf(stderr, "fault: this kernel hands no system calls over\n");
    else
        watch(listener, task, log);
    fclose(log);
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const struct error *error_of(const char *name)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(name, errors[i].name) == 0) return &errors[i];
    return NULL;
}

static bool parse(fault *task, char **word)
{
    for (; word[0] && word[1] && strcmp(word[0], "--") != 0; word += 2) {
        if (strcmp(word[0], "--below") == 0) task->below = word[1];
        if (strcmp(word[0], "--log") == 0) task->log = word[1];
        if (strcmp(word[0], "--looks") == 0) task->looks = true;
        if (strcmp(word[0], "--reads") == 0) task->reads = true;
        if (strcmp(word[0], "--at") == 0) task->at = strtol(word[1], NULL, 10);
        if (strcmp(word[0], "--error") == 0) task->error = error_of(word[1]);
        if (strcmp(word[0], "--locks") == 0) task->locks = error_of(word[1]);
    }
    task->command = word + 1;
    return word[0] && word[1] && task->below && task->log && (task->at > 0) == !!task->error &&
           !(task->looks && task->error);
}

int main(int argc, char **argv)
{
    fault task = {0};
    (void)argc;
    if (parse(&task, argv + 1)) return run(&task);
    fprintf(stderr, "fault: wants --below FOLDER --log FILE [--reads yes] [--at N --error NAME | --looks yes |"
                    " --locks NAME] -- COMMAND...\n");
    return 2;
}
