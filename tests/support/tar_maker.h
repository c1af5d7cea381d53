/* Tar archives as no tar program writes them: any name, type, mode and claimed size. */
#pragma once

#include <stdio.h>
#include <string.h>

enum { TAR_BLOCK = 512 };

/* The types of entries: POSIX.1-1988 (ustar), and GNU's sparse file. */
enum { TAR_FILE = '0', TAR_HARD_LINK = '1', TAR_LINK = '2', TAR_DEVICE = '3', TAR_FOLDER = '5', TAR_FIFO = '6' };
enum { TAR_SPARSE = 'S' };

typedef struct tar_entry {
    const char *name;
    char type;                  /* 0: TAR_FILE */
    unsigned mode;              /* 0: 0644 */
    const char *target;         /* of a link */
    const char *content;        /* NULL: none */
    unsigned long long claimed; /* its size, where it is not the content's */
} tar_entry;

static inline void tar_number(char *field, int digits, unsigned long long value)
{
    char text[24];
    snprintf(text, sizeof text, "%0*llo", digits, value);
    memcpy(field, text, (size_t)digits + 1);
}

static inline void tar_put(FILE *out, const tar_entry *entry)
{
    char head[TAR_BLOCK] = {0}, fill[TAR_BLOCK] = {0};
    const char *content = entry->content ? entry->content : "";
    size_t n = strlen(content), name = strlen(entry->name);
    memcpy(head, entry->name, name < 100 ? name : 100);
    tar_number(head + 100, 7, entry->mode ? entry->mode : 0644);
    tar_number(head + 108, 7, 0);
    tar_number(head + 116, 7, 0);
    tar_number(head + 124, 11, entry->claimed ? entry->claimed : n);
    tar_number(head + 136, 11, 0);
    head[156] = entry->type ? entry->type : TAR_FILE;
    if (entry->target) memcpy(head + 157, entry->target, strlen(entry->target));
    memcpy(head + 257, "ustar\00000", 8);
    if (entry->type == TAR_SPARSE) { /* GNU's form: one stretch of n bytes at 0, the rest of `claimed` is a hole */
        memcpy(head + 257, "ustar  ", 8);
        tar_number(head + 124, 11, n);
        tar_number(head + 386, 11, 0);
        tar_number(head + 398, 11, n);
        tar_number(head + 483, 11, entry->claimed);
    }
    unsigned sum = 8 * ' ';
    for (int i = 0; i < TAR_BLOCK; i++) sum += (unsigned char)head[i];
    tar_number(head + 148, 6, sum);
    head[155] = ' ';
    fwrite(head, 1, sizeof head, out);
    fwrite(content, 1, n, out);
    fwrite(fill, 1, (TAR_BLOCK - n % TAR_BLOCK) % TAR_BLOCK, out);
}

/* The two empty blocks that end an archive. */
static inline void tar_end(FILE *out)
{
    char fill[2 * TAR_BLOCK] = {0};
    fwrite(fill, 1, sizeof fill, out);
}
