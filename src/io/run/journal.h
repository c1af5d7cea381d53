/* The journal next to a run file: a head that says which experiment it is of, then one fixed-size record with a
 * checksum per update, appended while the run goes on. A run that was killed leaves it; going on, the updates since the
 * last checkpoint are computed again and must give what the journal says. While it is open it is locked, so that two
 * processes never train one run. */
#pragma once

#include "core/hash.h"
#include "core/rows/metrics.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_record {
    int64_t update;
    SB_METRIC_FIELDS
    double seconds;
    int64_t has_link; /* 1: the hashes below are set */
    sb_hash batch, weights, optimizer, gradient;
} sb_record;

typedef struct sb_journal sb_journal;

/* Open the journal at path, made if it is absent, and lock it. SB_E_USAGE if another process holds it. */
sb_status sb_journal_open(sb_journal **journal, const char *path);

/* All whole records that earlier sessions of this experiment left, in order; what follows a damaged or cut one does not
 * count and is cut off. The journal of another experiment is moved to PATH.old, and *set_aside says so: it has nothing
 * to do with this run. *records from malloc, the caller's. From now on records may be added. */
sb_status sb_journal_read(sb_journal *journal, sb_hash experiment, sb_record **records, size_t *n, bool *set_aside);

sb_status sb_journal_add(sb_journal *journal, const sb_record *record);

/* The last whole record of a journal that another process may be writing; nothing is locked or changed. False: there is
 * none. */
bool sb_journal_last(const char *path, sb_record *record);

/* Is that a journal, by its first bytes? */
bool sb_journal_is(const char *path);

/* SB_OK: every record is whole. SB_E_INTEGRITY: one is not; bytes after the last record, fewer than one, are what a
 * kill leaves, and no damage. *n is the number of records. Nothing is locked or changed. */
sb_status sb_journal_check(const char *path, size_t *n);

/* Of such a journal, records spread evenly over it, the last one among them; at most `most` of them. Returns how many.
 */
size_t sb_journal_sample(const char *path, size_t most, sb_record *records);

/* NULL is fine. The file goes when the run is done with it, and when it is empty. */
void sb_journal_close(sb_journal *journal, bool done);
