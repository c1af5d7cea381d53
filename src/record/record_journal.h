/* The journal of a recording, PATH.journal: a head, then records of variable length, each with its number, its length
 * and a checksum. Bytes after a cut or damaged record are ignored. The file PATH contains the number of records applied
 * to it, so a journal that a killed process left is never applied twice. An open journal is locked. */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "record/external.h"

typedef struct sb_record_journal sb_record_journal;

/* The path of the journal of a run file. SB_E_USAGE: it is too long. */
sb_status sb_record_journal_path(const char *run, char path[SB_PATH_MAX]);

/* Open and lock the journal of a run file; create it if it does not exist. SB_E_USAGE: another process records there, or
 * it is a journal of `samebits train`. *was_there: it contained records. Messages name the run file. */
sb_status sb_record_journal_open(sb_record_journal **journal, const char *run, bool *was_there);

/* Apply all whole records whose number is at least e->n_records, and remove the bytes after the last whole one. */
sb_status sb_record_journal_replay(sb_record_journal *journal, sb_external *e);

/* Append a record with that number; on return it is in the file. After a failure it is not. */
sb_status sb_record_journal_add(sb_record_journal *journal, int64_t number, sb_change change, const void *bytes,
                                size_t n);

/* Remove the record that was added last. */
sb_status sb_record_journal_undo(sb_record_journal *journal);

/* Remove all records, because the recording's file contains them. */
sb_status sb_record_journal_clear(sb_record_journal *journal);

/* Close the journal and, if `done`, remove its file. NULL does nothing. */
void sb_record_journal_close(sb_record_journal *journal, bool done);

/* Apply the journal of a run file that is only read, if there is one. Locks and changes no file. */
sb_status sb_record_journal_read(const char *run, sb_external *e);

/* Is this file such a journal, by its first bytes? */
bool sb_record_journal_is(const char *path);

/* Check a journal. *n: number of whole records. SB_E_INTEGRITY: a record is damaged. A cut record at the end is no
 * failure, because a killed process leaves one. */
sb_status sb_record_journal_check(const char *path, size_t *n);
