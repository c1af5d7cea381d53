#include "io/archive.h"

#include "core/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

sb_status sb_archive_add(sb_archive *archive, const char *name, char *content, size_t n_bytes)
{
    size_t total = n_bytes;
    for (size_t i = 0; i < archive->n; i++) total += archive->file[i].n_bytes;
    char *copy = archive->n < SB_ARCHIVE_FILES && total <= SB_ARCHIVE_BYTES ? strdup(name) : NULL;
    if (copy) {
        archive->file[archive->n++] = (sb_archive_file){copy, content, n_bytes};
        return SB_OK;
    }
    free(content);
    return sb_fail(SB_E_INTEGRITY, "%s: too large for a bundle of results, or one file too many", name);
}

const sb_archive_file *sb_archive_find(const sb_archive *archive, const char *name)
{
    for (size_t i = 0; i < archive->n; i++)
        if (strcmp(archive->file[i].name, name) == 0) return &archive->file[i];
    return NULL;
}

void sb_archive_free(sb_archive *archive)
{
    for (size_t i = 0; i < archive->n; i++) {
        free(archive->file[i].name);
        free(archive->file[i].content);
    }
    *archive = (sb_archive){0};
}

static bool write_entry(struct archive *out, const sb_archive_file *file, const char *top)
{
    char path[SB_PATH_MAX];
    struct archive_entry *entry = archive_entry_new();
    if (!entry) return false;
    snprintf(path, sizeof path, "%s/%s", top, file->name);
    archive_entry_set_pathname(entry, path);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)file->n_bytes);
    archive_entry_set_mtime(entry, 0, 0);
    bool written = archive_write_header(out, entry) == ARCHIVE_OK &&
                   archive_write_data(out, file->content, file->n_bytes) == (la_ssize_t)file->n_bytes;
    archive_entry_free(entry);
    return written;
}

/* The file begins with its seal; the gzip member of the tar follows. */
static bool begin_file(int fd)
{
    uint8_t frame[SB_SEAL_FRAME_MAX];
    const size_t n = sb_seal_frame(SB_SEAL_RESULTS, frame);
    if (fd < 0) return false;
    errno = ENOSPC; /* what a write that stops short means */
    return write(fd, frame, n) == (ssize_t)n;
}

/* The library's own words leave out why a write failed. */
static sb_status fail_written(struct archive *out, const char *path, int error)
{
    const char *words = archive_error_string(out);
    return sb_fail(SB_E_IO, "%s: %s", path, error > 0 ? strerror(error) : words ? words : "cannot be written");
}

sb_status sb_archive_write(const sb_archive *archive, const char *path, const char *top)
{
    char part[SB_PATH_MAX];
    SB_TRY(sb_file_check_output(path));
    sb_file_part(path, part);
    struct archive *out = archive_write_new();
    if (!out) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    const int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const bool begun = begin_file(fd);
    const int error = errno;
    bool written = begun && archive_write_set_format_ustar(out) == ARCHIVE_OK &&
                   archive_write_add_filter_gzip(out) == ARCHIVE_OK &&
                   archive_write_set_options(out, "gzip:!timestamp") == ARCHIVE_OK &&
                   archive_write_open_fd(out, fd) == ARCHIVE_OK;
    for (size_t i = 0; written && i < archive->n; i++) written = write_entry(out, &archive->file[i], top);
    written = written && archive_write_close(out) == ARCHIVE_OK;
    sb_status status = written ? SB_OK : fail_written(out, path, begun ? archive_errno(out) : error);
    archive_write_free(out);
    if (fd >= 0 && close(fd) != 0 && status == SB_OK) status = sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    if (status == SB_OK) status = sb_seal_write(part, SB_SEAL_RESULTS);
    if (status == SB_OK) return sb_file_commit(path);
    remove(part);
    return status;
}
