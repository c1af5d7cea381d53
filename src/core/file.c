#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

sb_status sb_file_too_long(const char *path)
{
    return sb_fail(SB_E_USAGE, "%.80s...: this path is too long", path);
}

void sb_file_part(const char *path, char part[SB_PATH_MAX])
{
    snprintf(part, SB_PATH_MAX, "%s.part", path);
}

static const char *kind_text(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

sb_status sb_file_check_output(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode)) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: %s, not a regular file; name another output", path, kind_text(about.st_mode));
}

sb_status sb_file_check_input(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return sb_fail(SB_E_USAGE, "%s: %s", path, strerror(errno));
    if (S_ISREG(about.st_mode)) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: %s, not a regular file; name a file", path, kind_text(about.st_mode));
}

sb_status sb_file_check_apart(const char *path, const char *source)
{
    struct stat output, input;
    if (stat(path, &output) != 0 || stat(source, &input) != 0) return SB_OK;
    if (output.st_dev != input.st_dev || output.st_ino != input.st_ino) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: the same file as the input %s; name another output", path, source);
}

/* A file system that cannot flush one file (EINVAL, ENOSYS, EOPNOTSUPP) has lost nothing. */
static bool flush(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

static sb_status flush_and_rename(const char *part, const char *path)
{
    int fd = open(part, O_RDONLY);
    bool flushed = fd >= 0 && flush(fd);
    int error = errno;
    if (fd >= 0) close(fd);
    if (flushed && rename(part, path) == 0) return SB_OK;
    if (flushed) error = errno;
    return sb_fail(SB_E_IO, "%s: %s", path, strerror(error));
}

sb_status sb_file_commit(const char *path)
{
    char part[SB_PATH_MAX];
    sb_file_part(path, part);
    sb_status status = sb_file_check_output(path);
    if (status == SB_OK) status = flush_and_rename(part, path);
    if (status != SB_OK) unlink(part);
    return status;
}

void sb_file_beside(const char *path, const char *named, char beside[SB_PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const int folder = *named == '/' || !slash ? 0 : (int)(slash - path) + 1;
    snprintf(beside, SB_PATH_MAX, "%.*s%s", folder, path, named);
}

bool sb_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

sb_status sb_file_read(const char *path, char **content, size_t *n_bytes)
{
    *content = NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return sb_fail(errno == ENOENT ? SB_E_USAGE : SB_E_IO, "%s: %s", path, strerror(errno));
    sb_status status = SB_OK;
    size_t size = 0, capacity = 1 << 16;
    char *text = malloc(capacity + 1);
    while (text) {
        size_t n = fread(text + size, 1, capacity - size, file);
        size += n;
        if (n == 0) break;
        if (size < capacity) continue;
        char *grown = realloc(text, 2 * capacity + 1);
        if (!grown) free(text);
        text = grown;
        capacity *= 2;
    }
    if (!text)
        status = sb_fail(SB_E_MEMORY, "%s: not enough memory to read it", path);
    else if (ferror(file))
        status = sb_fail(errno == EISDIR ? SB_E_USAGE : SB_E_IO, "%s: %s", path, strerror(errno));
    fclose(file);
    if (status != SB_OK) {
        free(text);
        return status;
    }
    text[size] = 0;
    *content = text;
    if (n_bytes) *n_bytes = size;
    return SB_OK;
}

sb_status sb_file_stage(const char *path, const void *content, size_t n_bytes)
{
    char part[SB_PATH_MAX];
    SB_TRY(sb_file_check_output(path));
    sb_file_part(path, part);
    FILE *file = fopen(part, "wb");
    if (!file) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    bool written = fwrite(content, 1, n_bytes, file) == n_bytes;
    written = fclose(file) == 0 && written;
    if (!written) {
        int error = errno;
        unlink(part);
        return sb_fail(SB_E_IO, "%s: %s", path, strerror(error));
    }
    return SB_OK;
}

sb_status sb_file_write(const char *path, const void *content, size_t n_bytes)
{
    SB_TRY(sb_file_stage(path, content, n_bytes));
    return sb_file_commit(path);
}

sb_status sb_folder_make(const char *path)
{
    char prefix[SB_PATH_MAX];
    snprintf(prefix, sizeof prefix, "%s", path);
    for (char *slash = prefix + 1;; slash++) {
        if (*slash && *slash != '/') continue;
        char kept = *slash;
        *slash = 0;
        if (mkdir(prefix, 0777) != 0 && errno != EEXIST) return sb_fail(SB_E_IO, "%s: %s", prefix, strerror(errno));
        *slash = kept;
        if (!kept) return SB_OK;
    }
}

static int discard(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

sb_status sb_folder_temporary(char *folder, size_t size)
{
    const char *parent = getenv("TMPDIR");
    const int n = snprintf(folder, size, "%s/samebits-XXXXXX", parent && *parent ? parent : "/tmp");
    const bool fits = (size_t)n < size;
    if (fits && mkdtemp(folder)) return SB_OK;
    const sb_status status = sb_fail(SB_E_IO, "%s: %s", folder, strerror(fits ? errno : ENAMETOOLONG));
    *folder = 0;
    return status;
}

void sb_folder_remove(const char *path)
{
    (void)nftw(path, discard, 16, FTW_DEPTH | FTW_PHYS);
}
