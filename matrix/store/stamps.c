#include "matrix/store/stamps.h"

#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sb_stamps {
    char path[SB_PATH_MAX], part[SB_PATH_MAX];
    sb_stamp *item; /* [n] */
    size_t n;
    size_t *slot; /* [n_slots], a power of two above 2 n: 1 + the place of an item, 0: none */
    size_t n_slots;
    bool changed;
};

/* The slot of that record, or the empty one where it belongs. */
static size_t *slot_of(const sb_stamps *stamps, const char *hash)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */
    for (const char *c = hash; *c; c++) h = (h ^ (unsigned char)*c) * 0x100000001b3;
    size_t i = h & (stamps->n_slots - 1);
    while (stamps->slot[i] && strcmp(stamps->item[stamps->slot[i] - 1].hash, hash) != 0)
        i = (i + 1) & (stamps->n_slots - 1);
    return &stamps->slot[i];
}

static void fill_slots(sb_stamps *stamps)
{
    memset(stamps->slot, 0, stamps->n_slots * sizeof *stamps->slot);
    for (size_t i = 0; i < stamps->n; i++) *slot_of(stamps, stamps->item[i].hash) = i + 1;
}

/* Room for twice as many. */
static bool grow(sb_stamps *stamps)
{
    const size_t n_slots = stamps->n_slots ? 2 * stamps->n_slots : 128;
    sb_stamp *item = realloc(stamps->item, n_slots / 2 * sizeof *item);
    if (item) stamps->item = item;
    size_t *slot = item ? realloc(stamps->slot, n_slots * sizeof *slot) : NULL;
    if (!slot) return false;
    stamps->slot = slot;
    stamps->n_slots = n_slots;
    fill_slots(stamps);
    return true;
}

static sb_stamp *find(const sb_stamps *stamps, const char *hash)
{
    const size_t *slot = stamps && stamps->n ? slot_of(stamps, hash) : NULL;
    return slot && *slot ? &stamps->item[*slot - 1] : NULL;
}

/* In place of another of its record. */
static bool put(sb_stamps *stamps, const sb_stamp *stamp)
{
    sb_stamp *known = find(stamps, stamp->hash);
    if (known) return *known = *stamp, true;
    if (2 * (stamps->n + 1) > stamps->n_slots && !grow(stamps)) return false;
    stamps->item[stamps->n++] = *stamp;
    *slot_of(stamps, stamp->hash) = stamps->n;
    return true;
}

static void read_lines(sb_stamps *stamps, FILE *in)
{
    char line[SB_STAMP_LINE + 1];
    sb_stamp stamp;
    while (fgets(line, sizeof line, in)) {
        char *end = strchr(line, '\n');
        if (end) *end = 0; /* without one it is a part of something, and its digest says so */
        if (sb_stamp_parse(&stamp, line) && !put(stamps, &stamp)) return;
    }
}

sb_stamps *sb_stamps_open(const char *results)
{
    sb_stamps *stamps = calloc(1, sizeof *stamps);
    if (!stamps) return NULL;
    const int n = snprintf(stamps->path, sizeof stamps->path, "%s/runs/stamps.ok", results);
    if (n + sizeof ".part" > SB_PATH_MAX) return free(stamps), NULL;
    sb_file_part(stamps->path, stamps->part);
    FILE *in = fopen(stamps->path, "re");
    if (!in) return stamps;
    read_lines(stamps, in);
    fclose(in);
    return stamps;
}

const sb_stamp *sb_stamps_find(const sb_stamps *stamps, const char *hash)
{
    return find(stamps, hash);
}

void sb_stamps_keep(sb_stamps *stamps, const sb_stamp *stamp)
{
    if (stamps && put(stamps, stamp)) stamps->changed = true;
}

void sb_stamps_drop(sb_stamps *stamps, const char *hash)
{
    sb_stamp *known = find(stamps, hash);
    if (!known) return;
    *known = stamps->item[--stamps->n];
    fill_slots(stamps);
    stamps->changed = true;
    unlink(stamps->path);
}

static int by_hash(const void *a, const void *b)
{
    return strcmp(((const sb_stamp *)a)->hash, ((const sb_stamp *)b)->hash);
}

/* It is not flushed to the disk: what a crash of the machine leaves of it has lines whose digests hold, or none. */
static bool write_lines(sb_stamps *stamps)
{
    char line[SB_STAMP_LINE];
    FILE *out = fopen(stamps->part, "we");
    if (!out) return false;
    bool written = true;
    qsort(stamps->item, stamps->n, sizeof *stamps->item, by_hash);
    for (size_t i = 0; written && i < stamps->n; i++) {
        sb_stamp_print(&stamps->item[i], line);
        written = fprintf(out, "%s\n", line) > 0;
    }
    return fclose(out) == 0 && written;
}

void sb_stamps_close(sb_stamps *stamps)
{
    if (!stamps) return;
    if (stamps->changed && stamps->n && !(write_lines(stamps) && rename(stamps->part, stamps->path) == 0))
        unlink(stamps->part);
    free(stamps->slot);
    free(stamps->item);
    free(stamps);
}
