/* The data sets of a matrix: where their files lie, and how missing ones are made with samebits-data. */
#ifndef SB_MATRIX_SUPPLY_H
#define SB_MATRIX_SUPPLY_H

#include "schema.h"
#include "words.h"

#include "core/file.h"
#include "core/status.h"

#include <stdio.h>

/* FOLDER/walk-1a2b3c4d.h5. The digits are of the command line that makes it, so that another walk is another file. */
sb_status sb_supply_path(char path[SB_PATH_MAX], const sb_supply *supply, const char *folder);

/* The words of `samebits-data fetch ...` (n = 0 where there is nothing to fetch) and of the command that makes path.
 * The caller frees both, also after a failure. */
sb_status sb_supply_words(sb_words *fetch, sb_words *make, const sb_supply *supply, const char *path,
                          const char *mirror);

/* Make the file unless it is there; waits while another process makes it. SB_E_MISSING with what a person can do. */
sb_status sb_supply_ensure(const sb_supply *supply, const char *folder, const char *mirror, FILE *talk);

#endif
