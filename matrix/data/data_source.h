/* The data sets of a matrix: where their files lie, and how missing ones are made with samebits-data. */
#pragma once

#include "matrix/process/process.h"
#include "matrix/schema/matrix_schema.h"

#include "core/file.h"
#include "core/status.h"

#include <stdio.h>

/* FOLDER/walk-1a2b3c4d.h5. The digits are of the command line that makes it, so that another walk is another file. */
sb_status sb_data_source_path(char path[SB_PATH_MAX], const sb_data_source *source, const char *folder);

/* The arguments of `samebits-data fetch ...` (n = 0 where there is nothing to fetch) and of the command that makes path.
 * The caller frees both, also after a failure. */
sb_status sb_data_source_argv(sb_argv *fetch, sb_argv *make, const sb_data_source *source, const char *path,
                              const char *mirror);

typedef enum sb_data_source_state {
    SB_DATA_SOURCE_HERE,
    SB_DATA_SOURCE_MAKEABLE,  /* by arithmetic, or from sources that are here */
    SB_DATA_SOURCE_FETCHABLE, /* from the net, or from the mirror */
    SB_DATA_SOURCE_WANTED,    /* a person has to bring something */
} sb_data_source_state;

/* What is needed until the file is there; text says it, with the path or the hint. Nothing is fetched or made. */
sb_data_source_state sb_data_source_find(const sb_data_source *source, const char *folder, const char *mirror,
                                         char text[SB_PATH_MAX + 64]);

/* Make the file unless it is there; waits while another process makes it. SB_E_MISSING with what a person can do.
 * SB_E_INTEGRITY: it is there, and was made of other files than those that lie where its command names them. */
sb_status sb_data_source_ensure(const sb_data_source *source, const char *folder, const char *mirror, FILE *talk);
