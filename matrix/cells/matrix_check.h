/* What the schema cannot say about a matrix file: values in range, each setting set in one place of a study, names that
 * exist. */
#pragma once

#include "core/hash.h"
#include "core/status.h"
#include "matrix/cells/cells.h"
#include "matrix/hardware/hardware.h"
#include "matrix/schema/matrix_schema.h"

/* SB_E_USAGE: "PATH:LINE: ...", where path is the matrix file's. */
sb_status sb_matrix_check(const char *path, const sb_matrix *matrix);

/* The row's names of data sets and hardware are known (place: of the row). */
sb_status sb_matrix_check_names(const char *path, const char *place, const sb_matrix *matrix,
                                const sb_hardware_table *table, const char *const value[SB_N_SETTINGS]);

/* All settings that a cell cannot do without are set. */
sb_status sb_matrix_check_complete(const char *path, const char *place, const char *const value[SB_N_SETTINGS]);

/* What a matrix file says and no run would do (core/rows/typed.h). A value of a study that a cell does not have is an
 * error. A value of `defaults` is for the cells that have it, and other cells train without it; it is an error where no
 * cell has it. The record of a cell holds the value in any case. */

typedef struct sb_typed_defaults { /* of each: does a cell take it, and does it hold in one? */
    bool taken[SB_N_SETTINGS], holds[SB_N_SETTINGS];
} sb_typed_defaults;

typedef struct sb_typed_place {
    const char *path, *place; /* of the study, or of an included row */
    const sb_matrix *matrix;
    const sb_study *study;
} sb_typed_place;

/* SB_E_USAGE with the line of a value of the study that does not hold in this cell; notes the cell's defaults. */
sb_status sb_matrix_check_typed(const sb_typed_place *at, sb_typed_defaults *defaults,
                                const char *const value[SB_N_SETTINGS]);

/* SB_E_USAGE with the line of a default that cells take, none of which has it. */
sb_status sb_matrix_check_defaults(const sb_cells *cells, const sb_typed_defaults *defaults);

/* What the schema cannot say about a study with a command: each place has a value, each value a place, the output is
 * promised, and the files are there. */

/* SB_E_USAGE: "PATH:LINE: ..."; place: of the study. */
sb_status sb_command_check(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study);

/* Every place in the command has a value in a cell of these values; SB_E_USAGE as above. */
sb_status sb_command_check_values(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study,
                                  const char *const value[SB_N_VALUES]);

/* The SHA-256 of each of the study's files, next to the matrix file of that path; *digest is the caller's to free. */
sb_status sb_command_digest_files(char (**digest)[SB_SHA256_TEXT], const char *path, const char *place,
                                  const sb_study *study);

/* A study multiplied out: its zip rows, axes, seeds and replicates, then the cells it includes. */

/* Add the cells of study `index` to the cells of the file. SB_E_USAGE: "PATH:LINE: ...". */
sb_status sb_expand_study(sb_cells *cells, uint32_t index, sb_typed_defaults *defaults);

/* The excludes of one study: rules that take cells out, each with its reason. */

typedef struct sb_excludes sb_excludes;

/* Compile the study's rules; path and place ("studies/0") are for the sentences. The study must outlive them.
 * SB_E_USAGE: a rule that is no regular expression, or names no setting. */
sb_status sb_exclude_compile(sb_excludes **excludes, const sb_study *study, const char *path, const char *place);
void sb_exclude_free(sb_excludes *excludes); /* NULL is fine */

/* The reason of the first rule all of whose settings match in full, NULL if none does. The study's. */
const char *sb_exclude_reason(sb_excludes *excludes, const char *const value[SB_N_VALUES]);

/* SB_E_USAGE for a rule that has not matched anything so far: it does not do what its writer thinks. */
sb_status sb_exclude_check_used(const sb_excludes *excludes);
