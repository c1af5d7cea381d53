#include "matrix/store/stamps.h"

#include "core/file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool sb_stamp_identify(sb_file_identity *file, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) return false;
    *file =
        (sb_file_identity){info.st_size, nanoseconds(info.st_mtim), nanoseconds(info.st_ctim), (int64_t)info.st_ino};
    return true;
}

bool sb_stamp_is_of(const sb_stamp *stamp, const sb_file_identity *file)
{
    return memcmp(&stamp->file, file, sizeof *file) == 0;
}

enum { DIGITS = 16 };

static void digest_of(const char *text, char digest[DIGITS + 1])
{
    char sha256[SB_SHA256_TEXT];
    sb_sha256_bytes(text, strlen(text), sha256);
    snprintf(digest, DIGITS + 1, "%.*s", DIGITS, sha256);
}

void sb_stamp_print(const sb_stamp *stamp, char line[SB_STAMP_LINE])
{
    const sb_file_identity *file = &stamp->file;
    char text[SB_STAMP_LINE - DIGITS - 1], digest[DIGITS + 1];
    snprintf(text, sizeof text, "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "%s %.9g %s", stamp->hash,
             file->n_bytes, file->modified_ns, file->changed_ns, file->inode, stamp->updates,
             stamp->diverged ? "!" : "", stamp->seconds, stamp->cpu);
    digest_of(text, digest);
    snprintf(line, SB_STAMP_LINE, "%s %s", digest, text);
}

bool sb_stamp_parse(sb_stamp *stamp, const char *line)
{
    char digest[DIGITS + 1];
    sb_file_identity *file = &stamp->file;
    int rest = 0, cpu = 0;
    *stamp = (sb_stamp){0};
    if (strlen(line) <= DIGITS || line[DIGITS] != ' ') return false;
    const char *text = line + DIGITS + 1;
    digest_of(text, digest);
    if (strncmp(line, digest, DIGITS) != 0) return false;
    int n = sscanf(text, "%64s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 "%n", stamp->hash,
                   &file->n_bytes, &file->modified_ns, &file->changed_ns, &file->inode, &stamp->updates, &rest);
    if (n != 6) return false;
    stamp->diverged = text[rest] == '!';
    text += rest + stamp->diverged;
    if (sscanf(text, "%lf %n", &stamp->seconds, &cpu) != 1) return false;
    snprintf(stamp->cpu, sizeof stamp->cpu, "%s", text + cpu);
    return true;
}

/* Three calls of the system: a stream would ask for the file's size, too, and read once more for its end. */
bool sb_stamp_read(sb_stamp *stamp, const char *path)
{
    char line[SB_STAMP_LINE + 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, line, sizeof line);
    close(fd);
    char *end = n > 0 ? memchr(line, '\n', (size_t)n) : NULL;
    if (!end || end + 1 != line + n) return false; /* cut short, or followed by other text */
    *end = 0;
    return sb_stamp_parse(stamp, line);
}

void sb_stamp_write(const sb_stamp *stamp, const char *path)
{
    char line[SB_STAMP_LINE];
    sb_stamp_print(stamp, line);
    FILE *out = fopen(path, "w");
    if (!out) return;
    bool written = fprintf(out, "%s\n", line) > 0;
    if (fclose(out) != 0 || !written) unlink(path);
}
