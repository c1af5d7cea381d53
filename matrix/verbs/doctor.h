/* What this machine can run of a matrix, and what is missing: for people, in groups. */
#pragma once

#include "matrix/hardware/reasons.h"
#include "matrix/verbs/matrix_session.h"

#include "core/file.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_doctor_fact {
    const char *section; /* tools, backends, engines, machine, disk, data */
    bool present;
    char name[SB_PATH_MAX], text[SB_PATH_MAX + 64];
} sb_doctor_fact;

typedef struct sb_doctor {
    sb_doctor_fact *fact; /* the facts of a section next to each other */
    size_t n, n_cells;
    bool can_train, is_short, is_commands;
    size_t count[SB_N_EVIDENCES_OF_CELLS]; /* cells by evidence; those without their data are absent */
    sb_reasons reasons;                    /* why they are */
} sb_doctor;

/* Looks at tools, backends, engines, machine, disk, data sets and cells. Whatever comes back, the caller frees. */
sb_status sb_doctor_examine(sb_doctor *doctor, const sb_matrix_session *w);
void sb_doctor_free(sb_doctor *doctor);

/* Cells that can run here, or have run. */
size_t sb_doctor_runnable(const sb_doctor *doctor);

/* SB_OK: one can. SB_E_MISSING: none; the sentence says what to do first. */
sb_status sb_doctor_judge(const sb_doctor *doctor, const char *matrix);

/* All of it, for people. */
void sb_doctor_print(const sb_doctor *doctor, FILE *out);
