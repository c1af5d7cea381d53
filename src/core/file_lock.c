#include "core/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

sb_lock_answer sb_file_lock(int fd, bool is_shared)
{
    while (flock(fd, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return SB_LOCK_BUSY;
        if (errno != EINTR) return SB_LOCK_NONE;
    }
    return SB_LOCK_TAKEN;
}

/* The holder before us may have renamed or removed the file between our open and our lock. */
static bool has_name(int fd, const char *path)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static void close_quietly(int fd)
{
    const int error = errno;
    close(fd);
    errno = error;
}

sb_lock_answer sb_file_lock_open(int *fd, const char *path, int flags)
{
    for (;;) {
        *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);
        if (*fd < 0) return SB_LOCK_FAILED;
        const sb_lock_answer answer = sb_file_lock(*fd, false);
        if (answer == SB_LOCK_NONE || (answer == SB_LOCK_TAKEN && has_name(*fd, path))) return answer;
        close_quietly(*fd);
        *fd = -1;
        if (answer == SB_LOCK_BUSY) return answer;
    }
}

void sb_file_lock_close(int fd)
{
    if (fd < 0) return;
    flock(fd, LOCK_UN);
    close(fd);
}

void sb_file_lock_note(const char *path, const char *advice)
{
    static bool is_said;
    const int error = errno;
    if (is_said) return;
    is_said = true;
    const size_t n = strlen(path), part = n > 5 && strcmp(path + n - 5, ".part") == 0 ? 5 : 0; /* no one typed that */
    fprintf(stderr, "%.*s: its file system has no locks (%s); %s\n", (int)(n - part), path, strerror(error), advice);
}
