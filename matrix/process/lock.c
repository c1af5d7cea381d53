#include "matrix/process/process.h"

#include "core/file.h"
#include "core/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sb_status fail_none(const char *path)
{
    return sb_fail(
        SB_E_IO,
        "%s: its file system has no locks (%s), and without them two processes could make the same file; use "
        "a folder elsewhere: --results DIR, --data DIR",
        path, strerror(errno));
}

sb_status sb_lock_take(int *fd, const char *path)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    sb_lock_answer answer = SB_LOCK_BUSY;
    /* A process that only looks whether it is held has it for a moment, too: that is no holder. */
    for (int attempt = 0; attempt < 5 && answer == SB_LOCK_BUSY; attempt++) {
        if (attempt) nanosleep(&moment, NULL);
        answer = sb_file_lock_open(fd, path, 0);
    }
    if (answer == SB_LOCK_FAILED) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    if (answer != SB_LOCK_NONE) return SB_OK;
    sb_status status = fail_none(path);
    sb_lock_release(*fd, path);
    *fd = -1;
    return status;
}

void sb_lock_release(int fd, const char *path)
{
    unlink(path);
    close(fd);
}

sb_status sb_lock_check(const char *folder)
{
    char path[SB_PATH_MAX];
    int fd;
    if (snprintf(path, sizeof path, "%s/locks.%ld", folder, (long)getpid()) >= SB_PATH_MAX)
        return sb_file_too_long(folder);
    SB_TRY(sb_lock_take(&fd, path));
    if (fd >= 0) sb_lock_release(fd, path);
    return SB_OK;
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
    bool held = sb_file_lock(fd, true) == SB_LOCK_BUSY;
    close(fd);
    return held;
}
