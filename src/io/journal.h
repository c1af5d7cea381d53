/* The journal beside a run file: one fixed-size record with a checksum per update, appended while the run goes on. A
 * run that was killed leaves it behind; going on, the updates since the last checkpoint are computed again and must
 * give what the journal says. */
#ifndef SB_IO_JOURNAL_H
#define SB_IO_JOURNAL_H

#include "core/hash.h"
#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sb_record {
    int64_t update;
    double loss_last, loss_mean, grad_norm, seconds;
    int64_t has_link; /* 1: the hashes below are set */
    sb_hash batch, weights, optimiser, gradient;
} sb_record;

typedef struct sb_journal sb_journal;

/* Start an empty journal at path, or go on behind the whole records of an existing one (append). */
sb_status sb_journal_open(sb_journal **journal, const char *path, int append);
sb_status sb_journal_add(sb_journal *journal, const sb_record *record);
void sb_journal_close(sb_journal *journal); /* NULL is fine */

/* All whole records in order; what follows a damaged or cut one does not count. *records from malloc, the caller's. An
 * absent journal has none. */
sb_status sb_journal_read(const char *path, sb_record **records, size_t *n);

#endif
