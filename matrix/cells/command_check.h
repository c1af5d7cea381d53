/* What the schema cannot say about a study with a command: each place has a value, each value a place, the output is
 * promised, and the files are there. */
#pragma once

#include "core/hash.h"
#include "core/status.h"
#include "matrix/schema/matrix_schema.h"

/* SB_E_USAGE: "PATH:LINE: ..."; place: of the study. */
sb_status sb_command_check(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study);

/* Every place in the command has a value in a cell of these values; SB_E_USAGE as above. */
sb_status sb_command_check_values(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study,
                                  const char *const value[SB_N_VALUES]);

/* The SHA-256 of each of the study's files, next to the matrix file of that path; *digest is the caller's to free. */
sb_status sb_command_digest_files(char (**digest)[SB_SHA256_TEXT], const char *path, const char *place,
                                  const sb_study *study);
