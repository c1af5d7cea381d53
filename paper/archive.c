#define _POSIX_C_SOURCE 200809L
#include "paper/archive.h"

#include "core/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* -- writing -- */

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

sb_status sb_archive_write(const sb_archive *archive, const char *path, const char *top)
{
    char part[SB_PATH_MAX];
    sb_file_part(path, part);
    struct archive *out = archive_write_new();
    if (!out) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    bool written = archive_write_set_format_ustar(out) == ARCHIVE_OK &&
                   archive_write_add_filter_gzip(out) == ARCHIVE_OK &&
                   archive_write_set_options(out, "gzip:!timestamp") == ARCHIVE_OK &&
                   archive_write_open_filename(out, part) == ARCHIVE_OK;
    for (size_t i = 0; written && i < archive->n; i++) written = write_entry(out, &archive->file[i], top);
    written = written && archive_write_close(out) == ARCHIVE_OK;
    sb_status status = SB_OK;
    if (!written) status = sb_fail(SB_E_IO, "%s: %s", path, archive_error_string(out));
    archive_write_free(out);
    if (status == SB_OK) return sb_file_commit(path);
    remove(part);
    return status;
}

/* -- reading -- */

/* The folder itself, which some tars store. */
static bool is_top(struct archive_entry *entry, const char *top)
{
    const char *path = archive_entry_pathname(entry);
    size_t length = strlen(top);
    return path && archive_entry_filetype(entry) == AE_IFDIR && strncmp(path, top, length) == 0 &&
           (!path[length] || strcmp(path + length, "/") == 0);
}

/* The name below TOP, NULL if the entry is not a plain file there. */
static const char *name_of(struct archive_entry *entry, const char *top)
{
    const char *path = archive_entry_pathname(entry);
    size_t length = strlen(top);
    if (!path || archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) return NULL;
    if (strncmp(path, top, length) != 0 || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    return *name && *name != '.' && !strchr(name, '/') ? name : NULL;
}

static sb_status fail_damaged(struct archive *in, const char *path)
{
    const char *why = archive_error_string(in);
    return sb_fail(SB_E_INTEGRITY, "%s: no bundle of results, or cut short: %s", path, why ? why : "it ends too early");
}

static sb_status read_entry(sb_archive *archive, struct archive *in, struct archive_entry *entry, const char *path,
                            const char *top)
{
    const char *name = name_of(entry, top);
    if (!name)
        return sb_fail(SB_E_INTEGRITY, "%s: holds '%.200s', which is no plain file of %s; nothing was unpacked", path,
                       archive_entry_pathname(entry) ? archive_entry_pathname(entry) : "?", top);
    if (sb_archive_find(archive, name)) return sb_fail(SB_E_INTEGRITY, "%s: holds '%s' twice", path, name);
    la_int64_t size = archive_entry_size(entry);
    if (size < 0 || size > SB_ARCHIVE_BYTES)
        return sb_fail(SB_E_INTEGRITY, "%s: '%s' is too large for a table", path, name);
    char *content = malloc((size_t)size + 1);
    if (!content) return sb_fail(SB_E_MEMORY, "%s: not enough memory for '%s'", path, name);
    content[size] = 0;
    if (archive_read_data(in, content, (size_t)size) != (la_ssize_t)size) {
        free(content);
        return fail_damaged(in, path);
    }
    return sb_archive_add(archive, name, content, (size_t)size);
}

static sb_status read_entries(sb_archive *archive, struct archive *in, const char *path, const char *top)
{
    struct archive_entry *entry;
    int code;
    while ((code = archive_read_next_header(in, &entry)) == ARCHIVE_OK)
        if (!is_top(entry, top)) SB_TRY(read_entry(archive, in, entry, path, top));
    return code == ARCHIVE_EOF ? SB_OK : fail_damaged(in, path);
}

sb_status sb_archive_read(sb_archive *archive, const char *path, const char *top)
{
    *archive = (sb_archive){0};
    if (!sb_file_exists(path)) return sb_fail(SB_E_USAGE, "%s: no such file", path);
    struct archive *in = archive_read_new();
    if (!in) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    archive_read_support_filter_gzip(in);
    archive_read_support_format_tar(in);
    sb_status status = archive_read_open_filename(in, path, 1 << 16) == ARCHIVE_OK
                           ? read_entries(archive, in, path, top)
                           : fail_damaged(in, path);
    archive_read_free(in);
    if (status != SB_OK) sb_archive_free(archive);
    return status;
}
