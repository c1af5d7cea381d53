/* Cells: what a matrix file multiplies out to. One cell is one training run.
 *
 *     sb_cells *cells;
 *     SB_TRY(sb_cells_load(&cells, "matrix/demo.yaml", &host));
 *     for (size_t i = 0; i < cells->n; i++) puts(cells->item[i].name);
 *     sb_cells_free(cells);
 *
 * A cell's record is the sorted, compact JSON of all its settings; its hash is the SHA-256 of the record; its
 * name is study/data/backend/hardware/target/seed, the backend with its cudnn_version ("cudnn-8.9") and the seed with
 * the ulp after it where those are set ("s003u02"); command.h has the name of a cell of commands. Both depend on the
 * cell alone, so that a value more on an axis changes no name and no hash. */
#pragma once

#include "core/file.h"
#include "core/hash.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "io/run/runfile.h"
#include "io/yaml/claim_file.h"
#include "matrix/hardware/hardware.h"
#include "matrix/schema/matrix_schema.h"

#include <stddef.h>

/* Networks of one's own that a matrix file names: the values of the setting `layers` that are files. They are read as the
 * matrix file is, and from there on a cell has the network itself, in one line: so its record and hash have it, too,
 * and a run somewhere else wants no file.
 *
 *     SB_TRY(sb_layer_files_read(&files, matrix, path));       the values in the matrix have changed
 *     ...
 *     sb_layer_files_free(&files);
 */

typedef struct sb_layer_files { /* {0}: none */
    size_t n;
    char **name; /* as the matrix file has them, each once */
} sb_layer_files;

/* Read them next to the matrix file of that path. SB_E_USAGE with file and line: one is not there, or is no network.
 * What was read is in `files`, also then. */
sb_status sb_layer_files_read(sb_layer_files *files, sb_matrix *matrix, const char *path);
void sb_layer_files_free(sb_layer_files *files);

enum { SB_CELLS_MAX = 1000000, SB_CELL_HASH_SHOWN = 8 };

typedef struct sb_cell {
    const char *value[SB_N_VALUES]; /* the matrix's; NULL where the setting is not set */
    char *name;                     /* "prednet/walk/openblas/i5-4590/copy/s003" */
    char *record;
    char hash[SB_SHA256_TEXT];
    const sb_matrix *matrix;
    const sb_study *study;                     /* with a command: of another program, command.h */
    const char (*file_digest)[SB_SHA256_TEXT]; /* of each file of its study's command */
    const sb_data_source *data;                /* NULL: of a command that reads none */
    const char *claims;    /* what its run registers (io/yaml/claim_file.h), of a command their SHA-256; "": none */
    const sb_stack *stack; /* of its image; NULL for a command, and where no stack has its cuDNN: evidence is absent */
    bool wants_gpu;        /* of a command: its hardware or its study names one */
    const char *emulator;  /* the arguments that train it below an emulator of its CPU; NULL: none */
    const char *reason;    /* why it is excluded; NULL for a cell that counts */
    sb_evidence evidence;  /* on this host */
    char why[SB_WHY];      /* when absent: what is missing */
} sb_cell;

typedef struct sb_cells {
    char *path; /* of the matrix file */
    sb_matrix *matrix;
    sb_hardware_table hardware;
    char (*replicate)[8]; /* "1", "2", ...: the values of ulp and draw that `replicates` of a study stands for */
    char *claims;         /* what every run registers; NULL where the file names none */
    char (**file_digest)[SB_SHA256_TEXT]; /* [studies]: of the files of its command */
    sb_layer_files layer_files;           /* of users' own networks, that the file names */
    sb_cell *item; /* in the order of studies, zip rows, axes, seeds, replicates; then the included ones */
    size_t n;
    sb_cell *excluded;
    size_t n_excluded;
    char digest[SB_SHA256_TEXT]; /* of these files as they were read */
} sb_cells;

/* The path of a file that the matrix file names: relative to the matrix file's folder unless absolute. */
void sb_cells_beside(const sb_cells *cells, const char *file, char path[SB_PATH_MAX]);

/* Read a matrix file, the hardware file and the claims it names, check everything, expand. SB_E_USAGE: "PATH:LINE:
 * ...". */
sb_status sb_cells_load(sb_cells **cells, const char *path, const sb_host *host);
/* Were the files changed since? Also when they are gone. */
bool sb_cells_edited(const sb_cells *cells);

void sb_cells_free(sb_cells *cells);   /* NULL is fine */
void sb_cells_leave(sb_cells **cells); /* the same, for SB_OWNED */

/* The canonical record of a cell: {"backend":"native","data":"walk","data_make":"synth walk --seed 1",...,"seed":3}.
 * Keys sorted, no blanks, numbers as JSON numbers, only the settings that are set: a cell that does not set a setting
 * keeps its hash when that setting is added. */

enum { SB_RECORD_BYTES = SB_RUN_TEXT }; /* room for a record, which is in the run file */

/* *record is the caller's to free. data_make: the command line that makes the data set; runs of blanks count as one. */
sb_status sb_record_make(char **record, const char *const value[SB_N_SETTINGS], const char *data_make);

/* Called for each key whose value differs, in the order of names; NULL: the record does not have it. */
typedef void sb_record_change(void *context, const char *key, const char *before, const char *after);

/* What is another value in the second record. SB_E_INTEGRITY: one of them is no record. */
sb_status sb_record_compare(const char *before, const char *after, sb_record_change *change, void *context);

/* The claims that a matrix file names, and what every run registers of them. */

/* *file is the caller's; NULL where the matrix file names none, or is of commands. SB_E_USAGE: "PATH:LINE: ..." */
sb_status sb_cells_load_claims(const sb_cells *cells, sb_claim_file **file);

/* The digests of the rules, and of the cells that they speak of: into each cell that counts. */
sb_status sb_cells_register_claims(sb_cells *cells, const sb_claim_file *file);

/* Of a file of commands: the SHA-256 of its claims into each cell. They may have any form; a file whose name ends with .yaml
 * is checked as claims about its axes and metrics (docs/claims.md). */
sb_status sb_cells_digest_claims(sb_cells *cells);

/* Does the matrix file name claims that reports judge? */
bool sb_cells_has_judged_claims(const sb_cells *cells);
