/* What the schema cannot say about a matrix file: values in range, each setting set in one place of a study, names that
 * exist. */
#pragma once

#include "core/status.h"
#include "matrix/hardware/hardware.h"
#include "matrix/schema/matrix_schema.h"

/* SB_E_USAGE: "PATH:LINE: ...", where path is the matrix file's. */
sb_status sb_matrix_check(const char *path, const sb_matrix *matrix);

/* The row's names of data sets and hardware are known (place: of the row). */
sb_status sb_matrix_check_names(const char *path, const char *place, const sb_matrix *matrix,
                                const sb_hardware_table *table, const char *const value[SB_N_SETTINGS]);

/* All settings that a cell cannot do without are set. */
sb_status sb_matrix_check_complete(const char *path, const char *place, const char *const value[SB_N_SETTINGS]);
