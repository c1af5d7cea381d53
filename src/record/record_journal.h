/* The journal of a recording, PATH.journal: a head, then records of variable length, each with its number, its length
 * and a checksum. What follows a cut or damaged record does not count. The file PATH says how many records are in it
 * already, so that a journal that a kill left is never applied twice. While it is open it is locked. */
#ifndef SB_RECORD_RECORD_JOURNAL_H
#define SB_RECORD_RECORD_JOURNAL_H

#include "core/status.h"
#include "record/external.h"

typedef struct sb_record_journal sb_record_journal;

/* Made if it is absent, and locked. SB_E_USAGE: another process records there, or it is a journal of `samebits train`.
 * *was_there: it held records. */
sb_status sb_record_journal_open(sb_record_journal **journal, const char *path, bool *was_there);

/* Apply all whole records whose number is at least e->n_records, and cut off what follows the last whole one. */
sb_status sb_record_journal_replay(sb_record_journal *journal, sb_external *e);

/* Append a record with that number; in the file when it returns. After a failure the record is not there. */
sb_status sb_record_journal_add(sb_record_journal *journal, int64_t number, sb_change change, const void *bytes,
                                size_t n);

/* Take the record that was added last away again. */
sb_status sb_record_journal_undo(sb_record_journal *journal);

/* Begin anew, because all records are in the file. */
sb_status sb_record_journal_clear(sb_record_journal *journal);

/* NULL is fine. The file goes if `done`. */
void sb_record_journal_close(sb_record_journal *journal, bool done);

/* Apply the journal next to a recording that is read, if there is one; nothing is locked or changed. */
sb_status sb_record_journal_read(const char *path, sb_external *e);

/* Is that such a journal, by its first bytes? */
bool sb_record_journal_is(const char *path);

/* SB_E_INTEGRITY: a record is damaged; a cut one at the end is what a kill leaves. *n: whole records. */
sb_status sb_record_journal_check(const char *path, size_t *n);

#endif
