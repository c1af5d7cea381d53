/* Networks of one's own that a matrix file names: the values of the setting `layers` that are files. They are read as the
 * matrix file is, and from there on a cell has the network itself, in one line: so its record and hash have it, too,
 * and a run somewhere else wants no file.
 *
 *     SB_TRY(sb_layer_files_read(&files, matrix, path));       the values in the matrix have changed
 *     ...
 *     sb_layer_files_free(&files);
 */
#pragma once

#include "matrix/schema/matrix_schema.h"

typedef struct sb_layer_files { /* {0}: none */
    size_t n;
    char **name; /* as the matrix file has them, each once */
} sb_layer_files;

/* Read them next to the matrix file of that path. SB_E_USAGE with file and line: one is not there, or is no network.
 * What was read is in `files`, also then. */
sb_status sb_layer_files_read(sb_layer_files *files, sb_matrix *matrix, const char *path);
void sb_layer_files_free(sb_layer_files *files);
