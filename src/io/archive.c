#include "io/archive.h"

#include "core/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, NAME_MAX_BYTES = 255, BELOW_MAX = 1024 };

typedef struct reading {
    const char *path, *what; /* what it should be, for messages */
    struct archive *in;
    int fd;
} reading;

/* A FIFO would never answer, and a device never end. */
static sb_status open_regular(reading *r, const char *path, const char *what)
{
    struct stat about;
    *r = (reading){.path = path, .what = what, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (r->fd < 0 && errno == ENOENT) return sb_fail(SB_E_USAGE, "%s: no such file", path);
    if (r->fd < 0) return sb_fail(SB_E_USAGE, "%s: %s", path, strerror(errno));
    if (fstat(r->fd, &about) == 0 && S_ISREG(about.st_mode)) return SB_OK;
    close(r->fd);
    return sb_fail(SB_E_USAGE, "%s: no regular file", path);
}

static sb_status fail_damaged(const reading *r)
{
    const char *why = archive_error_string(r->in);
    return sb_fail(SB_E_INTEGRITY, "%s: no %s, or cut short: %s", r->path, r->what, why ? why : "it ends too early");
}

static void close_reading(reading *r)
{
    archive_read_free(r->in);
    close(r->fd);
}

static sb_status open_reading(reading *r, const char *path, const char *what, bool may_be_gzipped)
{
    SB_TRY(open_regular(r, path, what));
    r->in = archive_read_new();
    sb_status status = r->in ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (r->in && may_be_gzipped) archive_read_support_filter_gzip(r->in);
    if (r->in) archive_read_support_format_tar(r->in);
    if (r->in && archive_read_open_fd(r->in, r->fd, BLOCK) != ARCHIVE_OK) status = fail_damaged(r);
    if (status != SB_OK) close_reading(r);
    return status;
}

typedef sb_status visitor(const reading *r, struct archive_entry *entry, void *to);

/* Each entry to its end; the first failure is returned. */
static sb_status visit_entries(const reading *r, visitor *visit, void *to)
{
    struct archive_entry *entry;
    int code;
    while ((code = archive_read_next_header(r->in, &entry)) == ARCHIVE_OK) SB_TRY(visit(r, entry, to));
    return code == ARCHIVE_EOF ? SB_OK : fail_damaged(r);
}

static sb_status visit_tar(const char *path, bool may_be_gzipped, visitor *visit, void *to)
{
    reading r;
    SB_TRY(open_reading(&r, path, "tar archive", may_be_gzipped));
    sb_status status = visit_entries(&r, visit, to);
    close_reading(&r);
    return status;
}

/* ---- names ---- */

/* One part of a name: not empty, hidden, "." or "..", and printable. */
static bool is_good_part(const char *part, size_t length)
{
    if (length == 0 || length > NAME_MAX_BYTES || *part == '.') return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)part[i] < ' ' || part[i] == 127) return false;
    return true;
}

/* The name below TOP, "" for TOP itself; NULL: it is not below, or no good name. A folder's may end in a slash. */
static const char *name_below(const char *name, const char *top, bool is_folder)
{
    size_t length = strlen(top);
    if (!name || strncmp(name, top, length) != 0 || strlen(name) >= BELOW_MAX) return NULL;
    const char *below = name + length;
    if (!*below || strcmp(below, "/") == 0) return is_folder ? "" : NULL;
    if (*below++ != '/') return NULL;
    for (const char *part = below; *part;) {
        size_t n = strcspn(part, "/");
        if (!is_good_part(part, n)) return NULL;
        part += n;
        if (!*part) break;
        if (!*++part && !is_folder) return NULL;
    }
    return below;
}

/* As above, of an entry that may be unpacked: plain files, and folders in a tree. */
static const char *name_of(struct archive_entry *entry, const sb_archive_rules *rules)
{
    bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (!is_folder && archive_entry_filetype(entry) != AE_IFREG) return NULL;
    if (archive_entry_hardlink(entry) || archive_entry_symlink(entry) || archive_entry_sparse_count(entry)) return NULL;
    const char *below = name_below(archive_entry_pathname(entry), rules->top, is_folder);
    if (!below || rules->is_tree || !*below) return below;
    return is_folder || strchr(below, '/') ? NULL : below;
}

/* ---- unpacking ---- */

typedef struct unpacking {
    reading from;
    const sb_archive_rules *rules;
    char part[SB_PATH_MAX]; /* the folder so far */
    size_t n_entries;
    uint64_t n_bytes;
} unpacking;

static sb_status fail_entry(const unpacking *u, struct archive_entry *entry, const char *why)
{
    const char *name = archive_entry_pathname(entry);
    return sb_fail(SB_E_INTEGRITY, "%s: holds '%.200s', which is %s; nothing was unpacked", u->from.path,
                   name ? name : "?", why);
}

static sb_status fail_kind(const unpacking *u, struct archive_entry *entry)
{
    char why[128];
    snprintf(why, sizeof why, "no plain file%s of %.64s", u->rules->is_tree ? " or folder" : "", u->rules->top);
    return fail_entry(u, entry, why);
}

/* The entry's bytes to fd, of which the archive must hold every one: what it leaves out would become zeros without end.
 */
static sb_status copy_bytes(unpacking *u, int fd, const char *path)
{
    const void *block;
    size_t n;
    la_int64_t at, written = 0;
    int code;
    while ((code = archive_read_data_block(u->from.in, &block, &n, &at)) == ARCHIVE_OK) {
        if (at != written) return fail_damaged(&u->from);
        for (size_t done = 0; done < n;) {
            ssize_t now = write(fd, (const char *)block + done, n - done);
            if (now < 0 && errno != EINTR) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
            if (now > 0) done += (size_t)now;
        }
        written += (la_int64_t)n;
    }
    return code == ARCHIVE_EOF ? SB_OK : fail_damaged(&u->from);
}

static sb_status unpack_file(unpacking *u, struct archive_entry *entry, const char *path)
{
    bool is_program = u->rules->is_tree && (archive_entry_perm(entry) & S_IXUSR);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, is_program ? 0755 : 0644);
    if (fd < 0 && (errno == EEXIST || errno == ENOTDIR)) return fail_entry(u, entry, "there twice");
    if (fd < 0) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    sb_status status = copy_bytes(u, fd, path);
    bool closed = close(fd) == 0;
    return status == SB_OK && !closed ? sb_fail(SB_E_IO, "%s: %s", path, strerror(errno)) : status;
}

/* Every folder on the way to path, which may end in a slash. */
static sb_status make_folders(const unpacking *u, struct archive_entry *entry, char *path)
{
    for (char *slash = path + strlen(u->part) + 1; (slash = strchr(slash, '/')); slash++) {
        struct stat about;
        *slash = 0;
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        int error = errno;
        bool is_folder = made && lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
        if (!made) return sb_fail(SB_E_IO, "%s: %s", path, strerror(error));
        if (!is_folder) return fail_entry(u, entry, "there twice");
        *slash = '/';
    }
    return SB_OK;
}

static sb_status unpack_entry(const reading *r, struct archive_entry *entry, void *to)
{
    unpacking *u = to;
    (void)r; /* u->from */
    const sb_archive_rules *rules = u->rules;
    char path[SB_PATH_MAX + BELOW_MAX + 8];
    const char *below = name_of(entry, rules);
    la_int64_t size = archive_entry_size(entry);
    bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (!below) return fail_kind(u, entry);
    if (rules->kind == SB_SEAL_BUNDLE && u->n_entries == 0 && strcmp(below, SB_SEAL_MEMBER) == 0) return SB_OK;
    if (++u->n_entries > rules->n_entries_max) return fail_entry(u, entry, "one too many");
    if (is_folder) size = 0;
    if (size < 0 || (uint64_t)size > rules->n_bytes_max - u->n_bytes) return fail_entry(u, entry, "too large");
    u->n_bytes += (uint64_t)size;
    snprintf(path, sizeof path, "%s/%s%s", u->part, below, is_folder ? "/" : "");
    SB_TRY(make_folders(u, entry, path));
    return is_folder ? SB_OK : unpack_file(u, entry, path);
}

static sb_status unpack_checked(unpacking *u)
{
    SB_TRY(sb_folder_make(u->part));
    SB_TRY(visit_entries(&u->from, unpack_entry, u));
    sb_status status = u->rules->check(u->part);
    return status == SB_OK ? SB_OK : sb_fail(status, "%s: %s", u->from.path, sb_message());
}

sb_status sb_archive_unpack(const char *path, const sb_archive_rules *rules, const char *folder)
{
    unpacking u = {.rules = rules};
    struct stat about;
    if (strlen(folder) >= SB_PATH_MAX - BELOW_MAX - 16) return sb_file_too_long(folder);
    if (lstat(folder, &about) == 0) return sb_fail(SB_E_USAGE, "%s: is there already; -o wants a new folder", folder);
    if (rules->kind != SB_SEAL_FOREIGN) SB_TRY(sb_seal_check(path, rules->kind, NULL));
    SB_TRY(open_reading(&u.from, path, rules->what, rules->may_be_gzipped));
    sb_file_part(folder, u.part);
    sb_folder_remove(u.part);
    sb_status status = unpack_checked(&u);
    if (status == SB_OK && rename(u.part, folder) != 0) status = sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    if (status != SB_OK) sb_folder_remove(u.part);
    close_reading(&u.from);
    return status;
}

/* ---- one member ---- */

typedef struct member {
    const char *name;
    size_t n_bytes_max;
    char *text; /* NULL: not found yet */
} member;

static sb_status read_member(const reading *r, struct archive_entry *entry, void *to)
{
    member *m = to;
    const char *name = archive_entry_pathname(entry);
    la_int64_t size = archive_entry_size(entry);
    if (!name || strcmp(name, m->name) != 0) return SB_OK;
    if (m->text) return sb_fail(SB_E_INTEGRITY, "%s: holds '%s' twice", r->path, name);
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) || size < 0 ||
        (uint64_t)size > m->n_bytes_max)
        return sb_fail(SB_E_INTEGRITY, "%s: its '%s' is no plain file, or too large", r->path, name);
    m->text = malloc((size_t)size + 1);
    if (!m->text) return sb_fail(SB_E_MEMORY, "%s: not enough memory for '%s'", r->path, name);
    m->text[size] = 0;
    return archive_read_data(r->in, m->text, (size_t)size) == (la_ssize_t)size ? SB_OK : fail_damaged(r);
}

sb_status sb_archive_member(char **text, const char *path, const char *name, size_t n_bytes_max)
{
    member m = {name, n_bytes_max, NULL};
    *text = NULL;
    sb_status status = visit_tar(path, false, read_member, &m);
    if (status == SB_OK && !m.text) status = sb_fail(SB_E_INTEGRITY, "%s: holds no '%s'", path, name);
    if (status == SB_OK)
        *text = m.text;
    else
        free(m.text);
    return status;
}

/* ---- several members ---- */

typedef struct wants {
    sb_archive_want *want;
    size_t n;
} wants;

static sb_archive_want *find_wanted(const wants *w, const char *name)
{
    for (size_t i = 0; name && i < w->n; i++)
        if (strcmp(w->want[i].name, name) == 0) return &w->want[i];
    return NULL;
}

static sb_status read_wanted(const reading *r, struct archive_entry *entry, void *to)
{
    const la_int64_t size = archive_entry_size(entry);
    sb_archive_want *want = find_wanted(to, archive_entry_pathname(entry));
    if (!want) return SB_OK;
    if (want->is_found) return sb_fail(SB_E_INTEGRITY, "%s: holds '%s' twice", r->path, want->name);
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) || size < 0)
        return sb_fail(SB_E_INTEGRITY, "%s: its '%s' is no plain file", r->path, want->name);
    want->is_found = true;
    want->n_there = (uint64_t)size;
    if (want->n_there < want->n_bytes)
        return sb_fail(SB_E_INTEGRITY, "%s: its '%s' has %lld bytes, %zu expected", r->path, want->name,
                       (long long)size, want->n_bytes);
    if (archive_read_data(r->in, want->to, want->n_bytes) == (la_ssize_t)want->n_bytes) return SB_OK;
    return fail_damaged(r);
}

sb_status sb_archive_read(const char *path, sb_archive_want *want, size_t n)
{
    wants w = {want, n};
    SB_TRY(visit_tar(path, true, read_wanted, &w));
    for (size_t i = 0; i < n; i++)
        if (!want[i].is_found) return sb_fail(SB_E_INTEGRITY, "%s: holds no '%s'", path, want[i].name);
    return SB_OK;
}
