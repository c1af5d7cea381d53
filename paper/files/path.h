/* A file in a folder. */
#ifndef SB_PAPER_FILES_PATH_H
#define SB_PAPER_FILES_PATH_H

#include "core/file.h"
#include "core/status.h"

/* FOLDER/NAME, the name formatted. SB_E_USAGE if that is too long for a path with ".part" after it. */
sb_status sb_path_join(char path[SB_PATH_MAX], const char *folder, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

#endif
