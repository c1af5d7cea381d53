/* The facts of the machines that ran the cells: /env of their run files, each value with how many runs have it. */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"
#include "paper/results/condition.h"
#include "paper/results/results.h"

#include <stddef.h>

typedef struct sb_machine_fact {
    char *name, *value; /* of an attribute of /env */
    size_t n_cells;     /* that have this value */
} sb_machine_fact;

typedef struct sb_machine_facts { /* {0} holds none */
    size_t n;
    sb_machine_fact *fact; /* names in the order of the first run file, the values of a name together */
    size_t n_runs;         /* run files that were there */
} sb_machine_facts;

/* /env of every run file that is there, which sb_audit_cells has read and checked; how many are absent is a note. Where none is, what an environment.csv in FOLDER
 * says: results that came as a bundle have one. */
sb_status sb_run_facts(sb_machine_facts *facts, const sb_results *results, const char *folder, sb_notes *notes);

/* The facts as a table: name, value, runs. In it, a value's lines are joined by " | ". */
#define SB_ENVIRONMENT_FILE "environment.csv"
sb_status sb_machine_facts_write(sb_writer *csv, const sb_machine_facts *facts);
void sb_machine_facts_free(sb_machine_facts *facts);
