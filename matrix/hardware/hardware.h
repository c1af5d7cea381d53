/* Hardware rows: which of them this machine is, and on what evidence a cell's numbers would stand.
 *
 * A cell of an absent CPU can be emulated (OpenBLAS computes with the kernel and the thread count of that CPU; native
 * kernels give the same bits everywhere); a cell of an absent GPU cannot. A cell whose arithmetic imitates a GPU is
 * imitated wherever it runs. Evidence of different classes is never mixed.
 */
#pragma once

#include "core/rows/evidence.h"
#include "core/status.h"
#include "matrix/image/image.h"
#include "matrix/schema/matrix_schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* This machine as a matrix sees it: what hardware rows are recognised by and requirements are compared with. */

enum { SB_HOST_GPUS = 16 };

typedef struct sb_host {
    char cpu[128];    /* model name, or what facts.h has in its place; "" if unknown */
    char flags[4096]; /* instruction sets, " avx avx2 ... " with a space on both ends */
    char gpu[SB_HOST_GPUS][128];
    int n_gpus;
    long driver;      /* major version of the GPU driver, 0 without one */
    char foreign[64]; /* the variable that gives openblas without a kernel type other kernels than this CPU's; or "" */
} sb_host;

/* The variables with which OpenBLAS computes as on another CPU: its kernel type first, then its blocks. NULL ends them. */
extern const char *const sb_host_variables[];

/* This machine: from the kernel's tables; where they show no GPU, as in some containers and sandboxes, from nvidia-smi.
 */
void sb_host_here(sb_host *host);

/* Read the kernel's tables, the folder proc ("/proc"). What is not there stays empty. */
void sb_host_read(sb_host *host, const char *proc);

/* Add the GPUs that nvidia-smi lists, a line "NAME, DRIVER" each. */
void sb_host_add_gpus(sb_host *host, char *lines);

bool sb_host_has_flag(const sb_host *host, const char *flag);

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

/* Why cells cannot run, counted: a machine without a GPU lacks it for hundreds of cells alike. */

enum { SB_REASONS_MAX = 32 };

typedef struct sb_reasons { /* start with {0} */
    char text[SB_REASONS_MAX][SB_WHY];
    size_t count[SB_REASONS_MAX];
    int n;
} sb_reasons;

/* Reasons beyond the last place but one count together, and are cut to SB_WHY. */
void sb_reasons_add(sb_reasons *reasons, const char *why);

/* "hardware missing for 40 cells: no GPU here", a line each; what: the words before "for". */
void sb_reasons_print(const sb_reasons *reasons, const char *what, FILE *out);
