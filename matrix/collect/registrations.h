/* registrations.csv: each set of claims that some of the collected runs registered, once; a row for each claim in it.
 * The column `registration` of cells.csv says which set a run has. */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"
#include "io/run/registration.h"

#include <stdbool.h>

typedef struct sb_registration_sheet { /* {0} holds none */
    size_t n;
    char (*id)[SB_REGISTRATION_ID]; /* [n], those that are written */
} sb_registration_sheet;

/* Write the set that a run of this path registered ("": none) unless it is written already, and say its id.
 * SB_E_INTEGRITY: the text is no registration. */
sb_status sb_registration_sheet_add(sb_registration_sheet *written, sb_writer *csv, const char *path,
                                    const char *claims, char id[SB_REGISTRATION_ID]);

/* The same for a set whose rows the caller writes. *is_new: they are still to be written. */
sb_status sb_registration_sheet_note(sb_registration_sheet *written, const char *id, bool *is_new);
void sb_registration_sheet_free(sb_registration_sheet *written);
