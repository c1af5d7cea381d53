/* Locked images on their way to another machine: into archives and out of them, each compared with the lock. */
#ifndef SB_MATRIX_ENGINE_IMAGE_MOVE_H
#define SB_MATRIX_ENGINE_IMAGE_MOVE_H

#include "matrix/engine/container.h"
#include "matrix/image/image_lock.h"

#include "core/status.h"

/* Write FOLDER/STACK.tar, whole or not at all; the folder is made. SB_E_INTEGRITY: the engine has another image than
 * the locked one; SB_E_MISSING: it has none, or keeps none. */
sb_status sb_image_save(const sb_container *container, const sb_locked_image *image, const char *folder);

/* Give FOLDER/STACK.tar to the engine (apptainer runs it where it is), if it holds the locked image. SB_E_INTEGRITY: it
 * does not, or is damaged; SB_E_MISSING: there is no such archive. */
sb_status sb_image_load(const sb_container *container, const sb_locked_image *image, const char *folder);

#endif
