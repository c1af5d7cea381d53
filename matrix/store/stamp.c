#include "matrix/store/stamp.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
