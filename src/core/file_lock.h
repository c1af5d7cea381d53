/* Locks on whole files (flock), and file systems that have none.
 *
 *     int fd;
 *     switch (sb_file_lock_open(&fd, path, 0)) {
 *     case SB_LOCK_TAKEN: ...            it is ours until sb_file_lock_close(fd)
 *     case SB_LOCK_NONE: ...             it is open, but nothing keeps another process away
 *     case SB_LOCK_BUSY: ...             another process has it; fd is -1
 *     case SB_LOCK_FAILED: ...           it cannot be opened: errno says why; fd is -1
 *     }
 *
 * Some network file systems refuse every lock (ENOLCK, EOPNOTSUPP, ENOSYS). That says nothing about the file: it can be
 * read and written all the same.
 */
#pragma once

#include <stdbool.h>

typedef enum sb_lock_answer { SB_LOCK_TAKEN, SB_LOCK_NONE, SB_LOCK_BUSY, SB_LOCK_FAILED } sb_lock_answer;

/* Lock an open file without waiting; is_shared: with other readers. Never SB_LOCK_FAILED. SB_LOCK_NONE leaves the reason
 * in errno. */
sb_lock_answer sb_file_lock(int fd, bool is_shared);

/* Open a file for reading and writing, make it where it is missing, and lock it for this process alone, without waiting.
 * flags: further ones of open(2). The file has the name `path` when it is locked: one that was renamed or removed
 * meanwhile is not taken. */
sb_lock_answer sb_file_lock_open(int *fd, const char *path, int flags);

/* Release and close, also where a child process has a copy of the descriptor. -1 is fine. */
void sb_file_lock_close(int fd);

/* Say on stderr that the file system of `path` has no locks and why (errno), then `advice`. Once in a process. */
void sb_file_lock_note(const char *path, const char *advice);
