/* One runner per cell: a lock file whose lock the kernel lets go when its holders are dead.
 *
 * The program that is started for the cell inherits the lock, so that a runner killed alone does not free a cell whose
 * training still goes on.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

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
