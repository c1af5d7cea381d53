/* Which claims stood when a run began: registrations.csv, which the column `registration` of cells.csv points into.
 *
 *     SB_TRY(sb_registrations_read(&registrations, folder));
 *     if (sb_registrations_hold(&registrations, cell->registration, digest)) ...
 */
#ifndef SB_PAPER_RESULTS_REGISTRATION_H
#define SB_PAPER_RESULTS_REGISTRATION_H

#include "core/status.h"
#include "io/table.h"

#include <stdbool.h>

typedef struct sb_registrations { /* {0}: nothing was registered */
    sb_table table;
    size_t id, digest; /* columns */
} sb_registrations;

/* A folder without the table has none. SB_E_INTEGRITY: it makes no sense, or a set is not the one that its id says. A
 * failed call leaves nothing to free. */
sb_status sb_registrations_read(sb_registrations *registrations, const char *folder);
void sb_registrations_free(sb_registrations *registrations);

/* Did a claim of that digest stand in the registration of that id ("": no registration)? */
bool sb_registrations_hold(const sb_registrations *registrations, const char *id, const char *digest);

#endif
