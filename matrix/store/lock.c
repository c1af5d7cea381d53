#define _DEFAULT_SOURCE /* flock: unlike a POSIX record lock it is inherited */
#include "matrix/store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The holder before us may have removed the file between our open and our lock. */
static bool is_still(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

/* Whoever only looks whether it is held has it for a moment, too: that is no holder. */
static bool take_without_waiting(int fd)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    for (int attempt = 0; attempt < 5; attempt++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK) return false;
        nanosleep(&moment, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

sb_status sb_lock_take(int *fd, const char *path)
{
    for (;;) {
        *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (*fd < 0) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
        if (!take_without_waiting(*fd)) {
            int error = errno;
            close(*fd);
            *fd = -1;
            return error == EWOULDBLOCK ? SB_OK : sb_fail(SB_E_IO, "%s: %s", path, strerror(error));
        }
        if (is_still(*fd, path)) return SB_OK;
        close(*fd);
    }
}

void sb_lock_release(int fd, const char *path)
{
    unlink(path);
    close(fd);
}

bool sb_lock_sweep(const char *path)
{
    int fd;
    if (access(path, F_OK) != 0 || sb_lock_take(&fd, path) != SB_OK) return false;
    if (fd < 0) return true;
    sb_lock_release(fd, path);
    return false;
}

bool sb_lock_is_held(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return false;
    bool held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}
