/* From images and data sets to the lock that names them; and locked images into archives, for another machine. */
#pragma once

#include "matrix/engine/container.h"
#include "matrix/image/image_lock.h"

#include "core/status.h"

/* A lock being put together starts with {0} and ends with sb_image_lock_drop.
 *
 * Add the images of these n stacks, or, for n = 0, of all that are here. folder: of the archives. SB_E_MISSING: one
 * that was named, or all, are not here, or none can start. */
sb_status sb_image_lock_add_stacks(sb_image_lock *lock, const sb_container *container, const char *folder,
                                   const sb_stack *const *stack, int n);

/* Add the data sets of a matrix file that lie in the folder data. */
sb_status sb_image_lock_add_data(sb_image_lock *lock, const char *matrix, const char *data);
void sb_image_lock_drop(sb_image_lock *lock);

/* Write FOLDER/STACK.tar, whole or not at all; the folder is made. SB_E_INTEGRITY: the engine has another image than
 * the locked one; SB_E_MISSING: it has none, or keeps none. */
sb_status sb_image_save(const sb_container *container, const sb_locked_image *image, const char *folder);
