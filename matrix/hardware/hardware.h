/* Hardware rows: which of them this machine is, and on what evidence a cell's numbers would stand.
 *
 * A cell of an absent CPU can be emulated (OpenBLAS computes with the kernel and the thread count of that CPU; native
 * kernels give the same bits everywhere); a cell of an absent GPU cannot. A cell whose arithmetic imitates a GPU is
 * imitated wherever it runs. Evidence of different classes is never mixed.
 */
#pragma once

#include "core/rows/evidence.h"
#include "core/status.h"
#include "matrix/hardware/host.h"
#include "matrix/image/image.h"
#include "matrix/schema/matrix_schema.h"

#include <stdbool.h>

typedef struct sb_hardware_table {
    sb_hardware_file *file;
    sb_host host;
    bool *here; /* for each row: this machine has that CPU or GPU */
    long sm;    /* compute capability times ten of the best GPU here that a row knows; 0: none */
} sb_hardware_table;

enum { SB_WHY = 192 };

/* Read, check (names, expressions, requirements) and recognise the rows that host is. SB_E_USAGE: "PATH:LINE: ...". */
sb_status sb_hardware_load(sb_hardware_table *table, const char *path, const sb_host *host);
void sb_hardware_free(sb_hardware_table *table);

/* The row of that name or NULL. */
const sb_hardware *sb_hardware_find(const sb_hardware_table *table, const char *name);

/* The compute capability (times ten) of the GPU that a cell with these settings computes on: of its row; of this host,
 * for a GPU backend on any machine; 0 on a CPU. */
long sb_hardware_sm(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS]);

/* The stack of software whose image the cell runs in; NULL where none has the cuDNN that it names for its card: why says
 * so. */
const sb_stack *sb_hardware_stack(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS],
                                  char why[SB_WHY]);

/* Is the text a requirement ("gpu", "sm>=75", "driver<=580")? */
bool sb_hardware_is_requirement(const char *text);

/* The arguments that train a cell with these settings in place of "samebits" alone, below an emulator of the CPU of its row:
 * where this CPU has not the instructions of its kernel type. NULL: it needs none. */
const char *sb_hardware_emulator(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS]);

/* How a cell with these settings would stand on this host. When absent, why says what is missing. */
sb_evidence sb_hardware_evidence(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS],
                                 const sb_value_list *require, char why[SB_WHY]);

/* The same of a cell of another program: measured where its row, if it names one, is this machine; else absent. */
sb_evidence sb_hardware_evidence_of_command(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS],
                                            const sb_value_list *require, char why[SB_WHY]);

/* Does a variable of this environment have such a cell computed by other kernels than this CPU's own? */
bool sb_hardware_is_foreign(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS]);

/* How a run stands that was made elsewhere: with the arithmetic, on the CPU and GPU that its file names; is_foreign: by
 * kernels that a variable chose and that are not this CPU's own. */
sb_evidence sb_hardware_evidence_of_run(const sb_hardware *row, const char *arithmetic, const char *cpu,
                                        const char *gpu, bool is_foreign);
