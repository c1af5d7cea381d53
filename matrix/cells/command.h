/* A cell of another program: what its command becomes, and what its output is.
 *
 *     python3 train.py --seed {seed} --csv {csv}    ->    python3 train.py --seed 3 --csv /.../s003/1a2b3c4d.csv
 *
 * Places are the names of axes, `seed`, `ulp` (0 where a cell has none), `threads`, `hardware`; `data`, the file of the
 * data set; `folder`, a folder of the cell's own that is kept; and one of `run`, `csv` and `jsonl`: the file that the
 * program promises to write. */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/process/process.h"

typedef enum sb_output_kind { SB_OUTPUT_RUN, SB_OUTPUT_CSV, SB_OUTPUT_JSONL, SB_N_OUTPUTS } sb_output_kind;

/* The name of its place, and what a program writes there: "csv", "a table". */
const char *sb_output_name(sb_output_kind output);
const char *sb_output_text(sb_output_kind output);

/* Does command or environment have that place? */
bool sb_command_has(const sb_study *study, const char *slot);

/* What the command promises; of a study that was checked (matrix_check.h). */
sb_output_kind sb_command_output(const sb_study *study);

typedef struct sb_command_paths { /* from the root */
    const char *data;             /* NULL: the cell has no data set */
    const char *output, *folder;
} sb_command_paths;

/* The arguments of the command, and its environment, "NAME=value". A value with blanks is one word. */
void sb_command_argv(sb_argv *argv, const sb_cell *cell, const sb_command_paths *paths);
void sb_command_environment(sb_argv *argv, const sb_cell *cell, const sb_command_paths *paths);

/* The folder of the matrix file from the root: there a command runs. */
sb_status sb_command_folder(char folder[SB_PATH_MAX], const char *matrix);

/* The program that the command starts, where it is looked for on this machine; NULL: it is here, or in an image. Else its
 * name, the study's. */
const char *sb_command_absent(const sb_study *study, const char *matrix, char name[SB_PATH_MAX]);

/* "study/hardware/rate=0.1/s003": the cell's name. A value that makes no part of a path is replaced by its digest. */
void sb_command_name(const sb_cell *cell, char *name, size_t size);

/* The record: command, environment, image, digests of its files, and the values. *record is the caller's to free. */
sb_status sb_command_record(char **record, const sb_cell *cell);

/* -- the columns that the tables of a file of commands have: the values of its cells and the metrics of its studies. The file
 * as a whole decides; a filter does not change the columns -- */

typedef struct sb_command_columns {
    bool has_value[SB_N_VALUES];               /* some cell has one; sb_schema_key names them */
    const sb_measure *metric[SB_MEASURES_MAX]; /* of all studies, each name once; they belong to the matrix file */
    size_t n_metrics;
} sb_command_columns;

/* SB_E_USAGE: the studies have more than SB_MEASURES_MAX metrics together. */
sb_status sb_command_columns_find(sb_command_columns *columns, const sb_cells *cells);

/* Places for values in a text: "--seed {seed}" becomes "--seed 3". Braces around anything but a name are text, so that JSON
 * in a command stays what it is. */

enum { SB_SLOT_NAME = 40 };

/* The first place in the text, and its name; NULL: there is none. Its length is the name's plus two braces. */
const char *sb_slot_find(const char *text, char name[SB_SLOT_NAME]);

/* The value of a name; NULL: it has none, and its place stays as it is. */
typedef const char *sb_slot_value(void *context, const char *name);

/* The text with its values, from malloc; NULL: no memory. */
char *sb_slot_fill(const char *text, sb_slot_value *value, void *context);
