/* The journal beside a run file: one fixed-size record with a checksum per update, appended while the run goes on. A
 * run that was killed leaves it behind; going on, the updates since the last checkpoint are computed again and must
 * give what the journal says. While it is open it is locked, so that two processes never train one run. */
#ifndef SB_IO_JOURNAL_H
#define SB_IO_JOURNAL_H

#include "core/hash.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_record {
    int64_t update;
    double loss_last, loss_mean, grad_norm, seconds;
    int64_t has_link; /* 1: the hashes below are set */
    sb_hash batch, weights, optimiser, gradient;
} sb_record;

typedef struct sb_journal sb_journal;

/* Open the journal at path, made if it is absent, and lock it. SB_E_USAGE if another process holds it. */
sb_status sb_journal_open(sb_journal **journal, const char *path);

/* All whole records that earlier sittings left, in order; what follows a damaged or cut one does not count and is cut
 * off. *records from malloc, the caller's. */
sb_status sb_journal_read(sb_journal *journal, sb_record **records, size_t *n);

sb_status sb_journal_add(sb_journal *journal, const sb_record *record);

/* NULL is fine. The file goes when the run is done with it, and when it is empty. */
void sb_journal_close(sb_journal *journal, bool done);

#endif
