#include "io/run/journal.h"

#include "core/file.h"
#include "core/file_lock.h"
#include "core/little_endian.h"
#include "core/machine/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the file all numbers have their least significant byte first. */
typedef struct entry {
    char mark[8];
    sb_record record;
    uint32_t size;
    uint32_t crc; /* of all bytes of the file's entry before it */
} entry;

enum { RECORD_NUMBERS = offsetof(sb_record, batch) / 8 }; /* of eight bytes each; hashes follow them */

/* The first entry is the head: its record is empty but for the hash `batch`, which names the experiment. */
static const char head_mark[8] = {'s', 'b', 'j', 'h', 'e', 'a', 'd', '1'};
static const char mark[8] = {'s', 'b', 'j', 'o', 'u', 'r', 'n', '1'};

struct sb_journal {
    FILE *file;
    double flushed;
    sb_hash experiment;
    bool has_head;
    char path[SB_PATH_MAX];
};

static uint32_t crc_of(const entry *e)
{
    return sb_crc32(e, offsetof(entry, crc));
}

/* Messages name the run, which the user knows, not its journal. */
static const char *run_of(const char *path, char run[SB_PATH_MAX])
{
    static const char ending[] = ".journal";
    const size_t n = strlen(path), n_ending = sizeof ending - 1;
    const bool ends_so = n > n_ending && strcmp(path + n - n_ending, ending) == 0;
    snprintf(run, SB_PATH_MAX, "%.*s", (int)(ends_so ? n - n_ending : n), path);
    return run;
}

static sb_status fail_write(const sb_journal *journal)
{
    char run[SB_PATH_MAX];
    const int error = errno;
    return sb_fail(SB_E_IO, "%s: cannot write its journal: %s", run_of(journal->path, run), strerror(error));
}

static sb_status open_locked(const char *path, int *fd)
{
    char run[SB_PATH_MAX];
    switch (sb_file_lock_open(fd, path, O_APPEND)) {
    case SB_LOCK_BUSY:
        return sb_fail(SB_E_USAGE, "%s: locked: another process is training this run", run_of(path, run));
    case SB_LOCK_FAILED:
        return sb_fail(SB_E_IO, "%s: %s", run_of(path, run), strerror(errno));
    case SB_LOCK_NONE:
        sb_file_lock_note(run_of(path, run), "do not train this run by two processes at a time");
        break;
    case SB_LOCK_TAKEN:
        break;
    }
    return SB_OK;
}

sb_status sb_journal_open(sb_journal **journal, const char *path)
{
    int fd;
    *journal = NULL;
    SB_TRY(open_locked(path, &fd));
    sb_journal *j = calloc(1, sizeof *j);
    if (j) j->file = fdopen(fd, "a");
    if (!j || !j->file) {
        close(fd);
        free(j);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    }
    snprintf(j->path, sizeof j->path, "%s", path);
    *journal = j;
    return SB_OK;
}

/* The numbers before the checksum, from the file's order to this machine's or back. */
static void turn(entry *e)
{
    sb_little_endian_turn(&e->record, RECORD_NUMBERS, 8);
    sb_little_endian_turn(&e->size, 1, sizeof e->size);
}

/* An entry out of the bytes of a file; false: it is not one with that mark, or not whole. */
static bool take(const void *bytes, const char wanted[8], entry *e)
{
    memcpy(e, bytes, sizeof *e);
    const uint32_t crc = crc_of(e);
    turn(e);
    sb_little_endian_turn(&e->crc, 1, sizeof e->crc);
    return memcmp(e->mark, wanted, sizeof e->mark) == 0 && e->size == sizeof *e && e->crc == crc;
}

/* Copy the entries after the head. Returns the number of whole entries. */
static size_t copy_records(sb_record *list, const char *content, size_t size)
{
    size_t n = 0;
    for (size_t at = sizeof(entry); at + sizeof(entry) <= size; at += sizeof(entry)) {
        entry e;
        if (!take(content + at, mark, &e)) break;
        list[n++] = e.record;
    }
    return n;
}

static sb_status keep_old(const sb_journal *journal, const char *content, size_t size)
{
    char old[SB_PATH_MAX + 8];
    snprintf(old, sizeof old, "%s.old", journal->path);
    return sb_file_write(old, content, size);
}

sb_status sb_journal_read(sb_journal *journal, sb_hash experiment, sb_record **records, size_t *n, bool *set_aside)
{
    *records = NULL;
    *n = 0;
    *set_aside = false;
    journal->experiment = experiment;
    char *content;
    size_t size;
    entry head = {0};
    SB_TRY(sb_file_read(journal->path, &content, &size));
    sb_status status = SB_OK;
    sb_record *list = malloc(size / sizeof(entry) * sizeof *list + 1);
    if (!list) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", journal->path);
    journal->has_head = size >= sizeof head && take(content, head_mark, &head);
    if (journal->has_head && !sb_hash_equal(head.record.batch, experiment)) {
        if (status == SB_OK) status = keep_old(journal, content, size);
        *set_aside = status == SB_OK;
        journal->has_head = false;
    }
    if (status == SB_OK && journal->has_head) *n = copy_records(list, content, size);
    free(content);
    off_t whole = (off_t)((journal->has_head + *n) * sizeof(entry));
    if (status == SB_OK && ftruncate(fileno(journal->file), whole) != 0)
        status = fail_write(journal);
    if (status == SB_OK)
        *records = list;
    else
        free(list);
    return status;
}

static bool write_entry(sb_journal *journal, const char kind[8], const sb_record *record)
{
    entry e = {.record = *record, .size = sizeof(entry)};
    memcpy(e.mark, kind, sizeof e.mark);
    turn(&e);
    e.crc = crc_of(&e);
    sb_little_endian_turn(&e.crc, 1, sizeof e.crc);
    return fwrite(&e, sizeof e, 1, journal->file) == 1;
}

sb_status sb_journal_add(sb_journal *journal, const sb_record *record)
{
    const sb_record head = {.batch = journal->experiment};
    bool written = journal->has_head || write_entry(journal, head_mark, &head);
    journal->has_head = true;
    written = write_entry(journal, mark, record) && written;
    double now = sb_clock_seconds();
    if (now - journal->flushed > 0.2) { /* thousands of small updates a second need not reach the kernel one by one */
        written = fflush(journal->file) == 0 && written;
        journal->flushed = now;
    }
    return written ? SB_OK : fail_write(journal);
}

bool sb_journal_last(const char *path, sb_record *record)
{
    struct stat info;
    char bytes[sizeof(entry)];
    entry e;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    off_t n = fstat(fileno(file), &info) == 0 ? info.st_size / (off_t)sizeof e : 0;
    bool whole = n > 1 && fseeko(file, (n - 1) * (off_t)sizeof e, SEEK_SET) == 0 &&
                 fread(bytes, sizeof bytes, 1, file) == 1 && take(bytes, mark, &e);
    fclose(file);
    if (whole) *record = e.record;
    return whole;
}

size_t sb_journal_sample(const char *path, size_t most, sb_record *records)
{
    struct stat info;
    char bytes[sizeof(entry)];
    entry e;
    size_t n = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    const size_t entries = fstat(fileno(file), &info) == 0 ? (size_t)info.st_size / sizeof e : 0;
    const size_t there = entries ? entries - 1 : 0, taken = there < most ? there : most;
    for (size_t i = 0; i < taken; i++) {
        const size_t at = taken == there ? i + 1 : 1 + (size_t)((double)i * (double)(there - 1) / (double)(taken - 1));
        if (fseeko(file, (off_t)(at * sizeof e), SEEK_SET) != 0 || fread(bytes, sizeof bytes, 1, file) != 1) break;
        if (take(bytes, mark, &e)) records[n++] = e.record;
    }
    fclose(file);
    return n;
}

bool sb_journal_is(const char *path)
{
    char first[sizeof head_mark] = "";
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(first, sizeof first, 1, file) == 1;
    if (file) fclose(file);
    return read && memcmp(first, head_mark, sizeof first) == 0;
}

sb_status sb_journal_check(const char *path, size_t *n)
{
    char *content;
    size_t size;
    SB_TRY(sb_file_read(path, &content, &size));
    const size_t n_entries = size / sizeof(entry);
    size_t whole = 0;
    for (; whole < n_entries; whole++) {
        entry e;
        if (!take(content + whole * sizeof e, whole ? mark : head_mark, &e)) break;
    }
    free(content);
    *n = whole ? whole - 1 : 0;
    if (whole == n_entries) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: damaged in record %zu of %zu; the same training command computes from there again",
                   path, whole, n_entries - 1);
}

void sb_journal_close(sb_journal *journal, bool done)
{
    if (!journal) return;
    struct stat file;
    fflush(journal->file);
    if (done || (fstat(fileno(journal->file), &file) == 0 && file.st_size == 0)) unlink(journal->path);
    fclose(journal->file);
    free(journal);
}
