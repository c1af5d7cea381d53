/* Small helpers around files that must be there whole or not at all. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_PATH_MAX = 4096 };

/* The name under which a file is written until it is whole: "PATH.part". */
void sb_file_part(const char *path, char part[SB_PATH_MAX]);

/* SB_E_USAGE with the one sentence for a path that, with what has to go after it, is longer than SB_PATH_MAX. */
sb_status sb_file_too_long(const char *path);

/* SB_E_USAGE if a file of this name cannot take the place of what is there: a folder, a device, a pipe, a socket, or a
 * link to one of these. To be called before the work begins. */
sb_status sb_file_check_output(const char *path);

/* SB_E_USAGE if this input is absent, or no regular file: a pipe would never answer, and a device never end. To be
 * called before it is opened. */
sb_status sb_file_check_input(const char *path);

/* SB_E_USAGE if `path`, which is to be written, is the input `source` under this or another name. */
sb_status sb_file_check_apart(const char *path, const char *source);

/* Flush PATH.part to the disk and give it its name. On failure, also where sb_file_check_output refuses the name, the
 * part is removed. */
sb_status sb_file_commit(const char *path);

bool sb_file_exists(const char *path);

/* The path of a file that another one names: next to that one unless it begins at the root. */
void sb_file_beside(const char *path, const char *named, char beside[SB_PATH_MAX]);

/* The whole file with a NUL after it, from malloc; *n_bytes without that NUL (may be NULL). Caller frees. */
sb_status sb_file_read(const char *path, char **content, size_t *n_bytes);

/* Write the content as PATH.part; sb_file_commit gives it its name. For files that belong together: write all, then
 * commit all. On failure nothing is left. */
sb_status sb_file_stage(const char *path, const void *content, size_t n_bytes);

/* Write all or nothing: stage and commit. */
sb_status sb_file_write(const char *path, const void *content, size_t n_bytes);

/* Like mkdir -p. */
sb_status sb_folder_make(const char *path);

/* Make an empty folder for temporary files, in that of the environment variable TMPDIR or in /tmp; the caller removes it.
 * On failure (SB_E_IO) folder [size] is "". */
sb_status sb_folder_temporary(char *folder, size_t size);

/* Remove a folder with all that is in it; links are removed, not followed. Nothing there is fine. */
void sb_folder_remove(const char *path);
