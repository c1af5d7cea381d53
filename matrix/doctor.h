/* What this machine can run of a matrix, and what is missing: for people, in groups. */
#ifndef SB_MATRIX_DOCTOR_H
#define SB_MATRIX_DOCTOR_H

#include "filter.h"

#include "core/status.h"

#include <stdio.h>

typedef struct sb_doctor_settings {
    const char *results, *data, *mirror; /* folders, and where sources may be copied from (NULL: nowhere) */
} sb_doctor_settings;

/* Prints tools, engines, machine, disk, data sets and cells. SB_OK: at least one of the cells can run here, or has run.
 * SB_E_MISSING: none can; the sentence says what to do first. */
sb_status sb_doctor_examine(const sb_cells *cells, const sb_selection *selection, const sb_doctor_settings *settings,
                            FILE *out);

#endif
