#define _DEFAULT_SOURCE /* flock */
#include "io/journal.h"

#include "core/clock.h"
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    char mark[8];
    sb_record record;
    uint32_t size;
    uint32_t crc; /* of all bytes before it */
} entry;

static const char mark[8] = {'s', 'b', 'j', 'o', 'u', 'r', 'n', '1'};

struct sb_journal {
    FILE *file;
    double flushed;
    char path[SB_PATH_MAX];
};

static uint32_t crc_of(const entry *e)
{
    return sb_crc32(e, offsetof(entry, crc));
}

/* Whoever finished the run just now removed its journal: then fd is a file without a name, and its lock means nothing.
 */
static bool has_name(int fd, const char *path)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static sb_status open_locked(const char *path, int *fd)
{
    for (;;) {
        *fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (*fd < 0) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
        bool busy = flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; /* some file systems have no locks */
        if (!busy && has_name(*fd, path)) return SB_OK;
        close(*fd);
        if (busy) return sb_fail(SB_E_USAGE, "%s: locked: another process is training this run", path);
    }
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

sb_status sb_journal_read(sb_journal *journal, sb_record **records, size_t *n)
{
    *records = NULL;
    *n = 0;
    char *content;
    size_t size;
    SB_TRY(sb_file_read(journal->path, &content, &size));
    sb_record *list = malloc(size / sizeof(entry) * sizeof *list + 1);
    if (!list) {
        free(content);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", journal->path);
    }
    for (size_t at = 0; at + sizeof(entry) <= size; at += sizeof(entry)) {
        entry e;
        memcpy(&e, content + at, sizeof e);
        if (memcmp(e.mark, mark, sizeof mark) != 0 || e.size != sizeof(entry) || e.crc != crc_of(&e)) break;
        list[(*n)++] = e.record;
    }
    free(content);
    *records = list;
    if (ftruncate(fileno(journal->file), (off_t)(*n * sizeof(entry))) == 0) return SB_OK;
    free(list);
    *records = NULL;
    return sb_fail(SB_E_IO, "%s: %s", journal->path, strerror(errno));
}

sb_status sb_journal_add(sb_journal *journal, const sb_record *record)
{
    entry e = {.record = *record, .size = sizeof(entry)};
    memcpy(e.mark, mark, sizeof mark);
    e.crc = crc_of(&e);
    bool written = fwrite(&e, sizeof e, 1, journal->file) == 1;
    double now = sb_clock_seconds();
    if (now - journal->flushed > 0.2) { /* thousands of small updates a second need not reach the kernel one by one */
        written = fflush(journal->file) == 0 && written;
        journal->flushed = now;
    }
    return written ? SB_OK : sb_fail(SB_E_IO, "%s: %s", journal->path, strerror(errno));
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
