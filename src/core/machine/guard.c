#include "core/machine/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct answer { /* before the bytes of the result */
    sb_status status;
    char sentence[1024];
} answer;

static bool is_child;

bool sb_guard_is_child(void)
{
    return is_child;
}

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t put = write(fd, (const char *)bytes + done, n - done);
        if (put < 0 && errno != EINTR) return false;
        if (put > 0) done += (size_t)put;
    }
    return true;
}

static bool read_all(int fd, void *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = read(fd, (char *)bytes + done, n - done);
        if (got == 0 || (got < 0 && errno != EINTR)) return false;
        if (got > 0) done += (size_t)got;
    }
    return true;
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};

/* A crash must end the child, whatever handler the program has. */
static _Noreturn void be_child(int fd, sb_guarded *call, void *context, void *result, size_t n_bytes)
{
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    is_child = true;
    answer a = {.status = call(context, result)};
    snprintf(a.sentence, sizeof a.sentence, "%s", sb_message());
    const bool told = write_all(fd, &a, sizeof a) && write_all(fd, result, n_bytes);
    _exit(told ? EXIT_SUCCESS : EXIT_FAILURE); /* what the parent has in its buffers is the parent's to write */
}

/* A process that was ended from outside says nothing about what it read. */
static sb_status fail_ended(const char *subject, int end)
{
    const int number = WIFSIGNALED(end) ? WTERMSIG(end) : WEXITSTATUS(end);
    bool crashed = !WIFSIGNALED(end);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) crashed |= number == crashes[i];
    if (crashed)
        return sb_fail(SB_E_INTEGRITY,
                       "%s: a process that read it crashed (%s %d): its form is none that samebits writes", subject,
                       WIFSIGNALED(end) ? "signal" : "exit code", number);
    return sb_fail(SB_E_MEMORY, "%s: the process that read it was killed (signal %d)", subject, number);
}

sb_status sb_guard_end(const sb_guard *guard, const char *subject, void *result, size_t n_bytes)
{
    int end = 0;
    answer a;
    char *bytes = malloc(n_bytes + 1);
    const bool told = bytes && read_all(guard->fd, &a, sizeof a) && read_all(guard->fd, bytes, n_bytes);
    close(guard->fd);
    while (waitpid(guard->child, &end, 0) < 0 && errno == EINTR) continue;
    if (told) memcpy(result, bytes, n_bytes);
    const bool room = bytes != NULL;
    free(bytes);
    if (!room) return sb_fail(SB_E_MEMORY, "%s: not enough memory", subject);
    if (!told) return fail_ended(subject, end);
    return a.status == SB_OK ? SB_OK : sb_fail(a.status, "%s", a.sentence);
}

sb_status sb_guard_start(sb_guard *guard, sb_guarded *call, void *context, const char *subject, void *result,
                         size_t n_bytes)
{
    int ends[2];
    if (pipe(ends) != 0) return sb_fail(SB_E_MEMORY, "%s: no pipe: %s", subject, strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(ends[1], call, context, result, n_bytes);
    }
    const int error = errno;
    close(ends[1]);
    *guard = (sb_guard){child, ends[0]};
    if (child > 0) return SB_OK;
    close(ends[0]);
    return sb_fail(SB_E_MEMORY, "%s: no process to read it: %s", subject, strerror(error));
}

sb_status sb_guard_call(sb_guarded *call, void *context, const char *subject, void *result, size_t n_bytes)
{
    sb_guard guard;
    SB_TRY(sb_guard_start(&guard, call, context, subject, result, n_bytes));
    return sb_guard_end(&guard, subject, result, n_bytes);
}
