#define _POSIX_C_SOURCE 200809L
#include "io/journal.h"

#include "core/clock.h"
#include "core/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

sb_status sb_journal_open(sb_journal **journal, const char *path, int append)
{
    *journal = calloc(1, sizeof **journal);
    if (!*journal) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    snprintf((*journal)->path, sizeof(*journal)->path, "%s", path);
    (*journal)->file = fopen(path, append ? "ab" : "wb");
    if ((*journal)->file) return SB_OK;
    free(*journal);
    *journal = NULL;
    return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
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

void sb_journal_close(sb_journal *journal)
{
    if (!journal) return;
    fclose(journal->file);
    free(journal);
}

sb_status sb_journal_read(const char *path, sb_record **records, size_t *n)
{
    *records = NULL;
    *n = 0;
    if (!sb_file_exists(path)) return SB_OK;
    char *content;
    size_t size;
    SB_TRY(sb_file_read(path, &content, &size));
    sb_record *list = malloc(size / sizeof(entry) * sizeof *list + 1);
    if (!list) {
        free(content);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    }
    for (size_t at = 0; at + sizeof(entry) <= size; at += sizeof(entry)) {
        entry e;
        memcpy(&e, content + at, sizeof e);
        if (memcmp(e.mark, mark, sizeof mark) != 0 || e.size != sizeof(entry) || e.crc != crc_of(&e)) break;
        list[(*n)++] = e.record;
    }
    free(content);
    *records = list;
    return SB_OK;
}
