#include "record/record_journal.h"

#include "core/file.h"
#include "core/file_lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[16] = "samebits record\n";

struct sb_record_journal {
    int fd;
    off_t end, before; /* of the last whole record, and of the one before it */
    char run[SB_PATH_MAX], path[SB_PATH_MAX];
};

/* A record: number, length of its bytes, change; the bytes; a checksum of all before it. */
enum { BEFORE = 3 * 8, AFTER = 8 };

/* The bytes of the record that t begins with, and what it says; NULL: it is not whole. */
static const uint8_t *next(sb_taken *t, int64_t *number, int64_t *change, size_t *n)
{
    const uint8_t *const first = t->at;
    sb_taken look = *t;
    *number = sb_take_integer(&look);
    const int64_t length = sb_take_integer(&look);
    *change = sb_take_integer(&look);
    if (look.failed || length < 0 || look.n < AFTER || (uint64_t)length > look.n - AFTER) return NULL;
    const uint8_t *bytes = look.at;
    look.at += length;
    look.n -= (size_t)length;
    if (sb_take_integer(&look) != (int64_t)sb_crc32(first, BEFORE + (size_t)length)) return NULL;
    *n = (size_t)length;
    *t = look;
    return bytes;
}

/* Apply the records of a journal's content; how many of its bytes are whole. */
static size_t replay(const char *content, size_t size, sb_external *e)
{
    sb_taken t = {(const uint8_t *)content, size, false};
    if (size < sizeof head || memcmp(content, head, sizeof head) != 0) return 0;
    t.at += sizeof head;
    t.n -= sizeof head;
    for (;;) {
        int64_t number, change;
        size_t n;
        const size_t whole = size - t.n;
        const uint8_t *bytes = next(&t, &number, &change, &n);
        if (!bytes) return whole;
        if (number < e->n_records) continue;
        if (number > e->n_records || !sb_external_apply(e, (sb_change)change, bytes, n)) return whole;
        e->n_records++;
    }
}

sb_status sb_record_journal_path(const char *run, char path[SB_PATH_MAX])
{
    return snprintf(path, SB_PATH_MAX, "%s.journal", run) < SB_PATH_MAX ? SB_OK : sb_file_too_long(run);
}

static sb_status read_whole(const char *run, const char *path, char **content, size_t *size)
{
    char why[SB_PATH_MAX + 128];
    const sb_status status = sb_file_read(path, content, size);
    snprintf(why, sizeof why, "%s", sb_message());
    return status == SB_OK ? SB_OK : sb_fail(status, "%s: its journal cannot be read: %s", run, why);
}

/* ---- the one that is written ---- */

/* Messages name the run, which the user has named, and the journal's path where the user has to do something about it. */
static sb_status fail_io(const sb_record_journal *journal)
{
    return sb_fail(SB_E_IO, "%s: cannot use its journal: %s", journal->run, strerror(errno));
}

/* Where the file system has no locks, nothing keeps another recording away. */
static sb_status open_locked(sb_record_journal *journal)
{
    switch (sb_file_lock_open(&journal->fd, journal->path, 0)) {
    case SB_LOCK_BUSY:
        return sb_fail(SB_E_USAGE, "%s: another recording writes to this path; choose another path", journal->run);
    case SB_LOCK_FAILED:
        return fail_io(journal);
    default:
        return SB_OK;
    }
}

static bool write_all(int fd, const uint8_t *at, size_t n)
{
    while (n) {
        const ssize_t done = write(fd, at, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

/* SB_E_USAGE: there is something that is no journal of a recording; it is not touched. */
static sb_status check_head(sb_record_journal *journal, bool *was_there)
{
    char first[sizeof head];
    struct stat file;
    if (fstat(journal->fd, &file) != 0) return fail_io(journal);
    const ssize_t n = pread(journal->fd, first, sizeof first, 0);
    if (n < 0) return fail_io(journal);
    *was_there = file.st_size > (off_t)sizeof head;
    if (n > 0 && memcmp(first, head, (size_t)n) != 0)
        return sb_fail(SB_E_USAGE, "%s: %s is not the journal of a recording; choose another path", journal->run,
                       journal->path);
    return n < (ssize_t)sizeof head ? sb_record_journal_clear(journal) : SB_OK;
}

sb_status sb_record_journal_open(sb_record_journal **journal, const char *run, bool *was_there)
{
    *journal = NULL;
    sb_record_journal *j = calloc(1, sizeof *j);
    if (!j) return sb_fail(SB_E_MEMORY, "%s: not enough memory", run);
    j->fd = -1;
    j->end = sizeof head;
    sb_status status = sb_record_journal_path(run, j->path);
    snprintf(j->run, sizeof j->run, "%s", run);
    if (status == SB_OK) status = open_locked(j);
    if (status == SB_OK) status = check_head(j, was_there);
    if (status == SB_OK)
        *journal = j;
    else
        sb_record_journal_close(j, false);
    return status;
}

sb_status sb_record_journal_replay(sb_record_journal *journal, sb_external *e)
{
    char *content;
    size_t size;
    SB_TRY(read_whole(journal->run, journal->path, &content, &size));
    const size_t whole = replay(content, size, e);
    free(content);
    if (whole < sizeof head) return sb_record_journal_clear(journal);
    journal->end = (off_t)whole;
    if (ftruncate(journal->fd, journal->end) != 0) return fail_io(journal);
    return SB_OK;
}

sb_status sb_record_journal_add(sb_record_journal *journal, int64_t number, sb_change change, const void *bytes,
                                size_t n)
{
    SB_OWNED(sb_bytes_free) sb_bytes b = {0};
    sb_bytes_add_integer(&b, number);
    sb_bytes_add_integer(&b, (int64_t)n);
    sb_bytes_add_integer(&b, change);
    sb_bytes_add(&b, bytes, n);
    if (!b.failed) sb_bytes_add_integer(&b, (int64_t)sb_crc32(b.at, b.n));
    SB_TRY(b.failed ? sb_fail(SB_E_MEMORY, "%s: not enough memory", journal->run) : SB_OK);
    const bool placed = lseek(journal->fd, journal->end, SEEK_SET) == journal->end;
    if (!(placed && write_all(journal->fd, b.at, b.n))) {
        const sb_status status = fail_io(journal);
        if (ftruncate(journal->fd, journal->end) != 0) errno = 0; /* a reader drops what is cut */
        return status;
    }
    journal->before = journal->end;
    journal->end += (off_t)b.n;
    return SB_OK;
}

sb_status sb_record_journal_undo(sb_record_journal *journal)
{
    journal->end = journal->before;
    return ftruncate(journal->fd, journal->end) == 0 ? SB_OK : fail_io(journal);
}

sb_status sb_record_journal_clear(sb_record_journal *journal)
{
    journal->end = sizeof head;
    if (lseek(journal->fd, 0, SEEK_SET) != 0 || !write_all(journal->fd, (const uint8_t *)head, sizeof head) ||
        ftruncate(journal->fd, journal->end) != 0)
        return fail_io(journal);
    return SB_OK;
}

void sb_record_journal_close(sb_record_journal *journal, bool done)
{
    if (!journal) return;
    if (done) unlink(journal->path);
    sb_file_lock_close(journal->fd);
    free(journal);
}

/* ---- one that is read ---- */

bool sb_record_journal_is(const char *path)
{
    char first[sizeof head] = "";
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(first, sizeof first, 1, file) == 1;
    if (file) fclose(file);
    return read && memcmp(first, head, sizeof first) == 0;
}

sb_status sb_record_journal_read(const char *run, sb_external *e)
{
    char path[SB_PATH_MAX], *content;
    size_t size;
    if (sb_record_journal_path(run, path) != SB_OK || !sb_record_journal_is(path)) return SB_OK;
    SB_TRY(read_whole(run, path, &content, &size));
    replay(content, size, e);
    free(content);
    return SB_OK;
}

sb_status sb_record_journal_check(const char *path, size_t *n)
{
    char *content;
    size_t size, bytes;
    int64_t number, change;
    SB_TRY(sb_file_read(path, &content, &size));
    sb_taken t = {(const uint8_t *)content + sizeof head, size < sizeof head ? 0 : size - sizeof head, false};
    *n = 0;
    while (next(&t, &number, &change, &bytes)) ++*n;
    sb_taken look = t;
    (void)sb_take_integer(&look);
    const int64_t length = sb_take_integer(&look);
    (void)sb_take_integer(&look);
    const bool is_cut = look.failed || (length >= 0 && (look.n < AFTER || (uint64_t)length > look.n - AFTER));
    free(content);
    if (t.n == 0 || is_cut) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: damaged in record %zu; a recording that goes on drops it and what follows", path,
                   *n);
}
