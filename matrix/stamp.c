#define _POSIX_C_SOURCE 200809L
#include "stamp.h"

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

bool sb_stamp_read(sb_stamp *stamp, const char *path, const char *run)
{
    identity file, noted;
    char line[512] = "";
    int cpu = 0;
    *stamp = (sb_stamp){0};
    FILE *in = fopen(path, "r");
    if (!in) return false;
    bool whole = fgets(line, sizeof line, in) && strchr(line, '\n');
    fclose(in);
    line[strcspn(line, "\n")] = 0;
    if (!whole || !identify(run, &file)) return false;
    int n = sscanf(line, "%64s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %lf %n", stamp->hash,
                   &noted.n_bytes, &noted.modified_ns, &noted.changed_ns, &noted.inode, &stamp->updates,
                   &stamp->seconds, &cpu);
    stamp->n_bytes = noted.n_bytes;
    if (n != 7 || memcmp(&file, &noted, sizeof file) != 0) return false;
    snprintf(stamp->cpu, sizeof stamp->cpu, "%s", line + cpu);
    return true;
}

void sb_stamp_write(sb_stamp *stamp, const char *path, const char *run)
{
    identity file;
    if (!identify(run, &file)) return;
    stamp->n_bytes = file.n_bytes;
    FILE *out = fopen(path, "w");
    if (!out) return;
    bool written = fprintf(out, "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %.9g %s\n", stamp->hash,
                           file.n_bytes, file.modified_ns, file.changed_ns, file.inode, stamp->updates, stamp->seconds,
                           stamp->cpu) > 0;
    if (fclose(out) != 0 || !written) unlink(path);
}
