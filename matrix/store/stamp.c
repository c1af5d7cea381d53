#define _POSIX_C_SOURCE 200809L
#include "matrix/store/stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct identity { /* of the file a stamp was made for */
    int64_t n_bytes, modified_ns, changed_ns, inode;
} identity;

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool identify(const char *run, identity *file)
{
    struct stat info;
    if (stat(run, &info) != 0) return false;
    *file = (identity){info.st_size, nanoseconds(info.st_mtim), nanoseconds(info.st_ctim), (int64_t)info.st_ino};
    return true;
}

enum { LINE = 512, DIGITS = 16 };

static void digest_of(const char *text, char digest[DIGITS + 1])
{
    char sha256[SB_SHA256_TEXT];
    sb_sha256_bytes(text, strlen(text), sha256);
    snprintf(digest, DIGITS + 1, "%.*s", DIGITS, sha256);
}

/* The line behind its digest, without its end; NULL if the digest does not hold. */
static const char *read_line(const char *path, char line[LINE])
{
    char digest[DIGITS + 1];
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    const char *end = fgets(line, LINE, in) ? strchr(line, '\n') : NULL;
    const bool whole = end && end - line > DIGITS && fgetc(in) == EOF;
    fclose(in);
    if (!whole) return NULL;
    line[end - line] = 0;
    digest_of(line + DIGITS + 1, digest);
    return line[DIGITS] == ' ' && strncmp(line, digest, DIGITS) == 0 ? line + DIGITS + 1 : NULL;
}

bool sb_stamp_read(sb_stamp *stamp, const char *path, const char *run)
{
    identity file, noted;
    char line[LINE];
    int cpu = 0;
    *stamp = (sb_stamp){0};
    const char *text = read_line(path, line);
    if (!text || !identify(run, &file)) return false;
    int n = sscanf(text, "%64s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %lf %n", stamp->hash,
                   &noted.n_bytes, &noted.modified_ns, &noted.changed_ns, &noted.inode, &stamp->updates,
                   &stamp->seconds, &cpu);
    stamp->n_bytes = noted.n_bytes;
    if (n != 7 || memcmp(&file, &noted, sizeof file) != 0) return false;
    snprintf(stamp->cpu, sizeof stamp->cpu, "%s", text + cpu);
    return true;
}

void sb_stamp_write(sb_stamp *stamp, const char *path, const char *run)
{
    identity file;
    char text[LINE], digest[DIGITS + 1];
    if (!identify(run, &file)) return;
    stamp->n_bytes = file.n_bytes;
    snprintf(text, sizeof text, "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %.9g %s", stamp->hash,
             file.n_bytes, file.modified_ns, file.changed_ns, file.inode, stamp->updates, stamp->seconds, stamp->cpu);
    digest_of(text, digest);
    FILE *out = fopen(path, "w");
    if (!out) return;
    bool written = fprintf(out, "%s %s\n", digest, text) > 0;
    if (fclose(out) != 0 || !written) unlink(path);
}
