/* Which claims stood when a run began: registrations.csv, which the column `registration` of cells.csv points into.
 *
 *     SB_TRY(sb_registrations_read(&registrations, folder));
 *     if (sb_registrations_find(&registrations, cell->registration, digest) != SB_NOT_REGISTERED) ...
 */
#ifndef SB_PAPER_RESULTS_REGISTRATION_H
#define SB_PAPER_RESULTS_REGISTRATION_H

#include "core/status.h"
#include "io/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_registrations { /* {0}: nothing was registered */
    sb_table table;
    size_t id, claim, digest; /* columns */
} sb_registrations;

/* A folder without the table has none. SB_E_INTEGRITY: it makes no sense, or a set is not the one that its id says. A
 * failed call leaves nothing to free. */
sb_status sb_registrations_read(sb_registrations *registrations, const char *folder);
void sb_registrations_free(sb_registrations *registrations);

/* The row of a claim of that digest in the registration of that id ("": no registration); SB_NOT_REGISTERED: it did not
 * are in it. */
#define SB_NOT_REGISTERED SIZE_MAX
size_t sb_registrations_find(const sb_registrations *registrations, const char *id, const char *digest);

/* The cells that the claim of this row spoke of when the registration was made: how many, and their digest
 * (io/yaml/claim_cells.h). false: an older registration, which does not say. */
bool sb_registrations_cells(const sb_registrations *registrations, size_t row, size_t *n, const char **cells);

#endif
