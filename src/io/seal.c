#include "io/seal.h"

#include "core/file.h"
#include "core/hash.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_HDF5 = 0, IN_GZIP = 16, IN_TAR = 512, HEAD = IN_TAR + SB_SEAL_BYTES };

static const struct {
    sb_seal_kind kind;
    const char *name, *text;
    size_t place;        /* of the block in the file */
    const char *readers; /* what reads it */
    const char *older;   /* what to do with one of the first release, if its first bytes do not tell it; "": they do */
} kinds[] = {
    {SB_SEAL_RUN, "run", "finished run", IN_HDF5, "samebits eval, replay, diff and bisect read it", ""},
    {SB_SEAL_CHECKPOINT, "checkpoint", "checkpoint", IN_HDF5, "samebits train with the same options continues it", ""},
    {SB_SEAL_CHAIN, "chain", "run without its weights", IN_HDF5, "samebits diff and replay read it", ""},
    {SB_SEAL_DATA, "data", "data set", IN_HDF5, "samebits train --data reads it", ""},
    {SB_SEAL_TRACE, "trace", "trace", IN_HDF5, "samebits bisect compares two traces", ""},
    {SB_SEAL_RECORDING, "recording", "recording of another program", IN_HDF5,
     "samebits verify, found, diff and bisect read it", ""},
    {SB_SEAL_BUNDLE, "bundle", "bundle of a study", IN_TAR, "samebits-matrix unbundle unpacks it",
     "; one of an older release is unpacked by 'tar -xf', and checked by 'sha256sum -c MANIFEST' in it"},
    {SB_SEAL_RESULTS, "results", "archive of results", IN_GZIP, "samebits-report import unpacks it",
     "; one of an older release is unpacked by 'tar -xzf', and its folder is as good"},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const char magic[] = "samebits seal 1\nsha256 ";
enum { DIGITS = sizeof magic - 1, N_DIGITS = SB_SHA256_TEXT - 1 }; /* where in the block the digest stands */

static size_t row_of(sb_seal_kind kind)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (kinds[i].kind == kind) return i;
    return 0;
}

const char *sb_seal_kind_name(sb_seal_kind kind)
{
    return kinds[row_of(kind)].name;
}

const char *sb_seal_kind_text(sb_seal_kind kind)
{
    return kinds[row_of(kind)].text;
}

/* ---- the block ---- */

static void compose(const sb_seal *seal, char block[SB_SEAL_BYTES])
{
    memset(block, 0, SB_SEAL_BYTES);
    snprintf(block, SB_SEAL_BYTES,
             "%s%s\nkind %s\nbytes %" PRIu64 "\norigin %s\n"
             "The SHA-256 is that of all bytes of this file, these 512 included, its own 64 digits read as '0'.\n"
             "'samebits verify FILE' checks it.\n",
             magic, seal->sha256, sb_seal_kind_name(seal->kind), seal->n_bytes, seal->adopted ? "adopted" : "written");
}

/* The values of a block; false unless it is, to the byte, the one that is composed of them. */
static bool parse(const char block[SB_SEAL_BYTES], sb_seal *seal)
{
    char text[SB_SEAL_BYTES + 1] = "", again[SB_SEAL_BYTES], kind[16], origin[16];
    memcpy(text, block, SB_SEAL_BYTES);
    *seal = (sb_seal){0};
    if (sscanf(text, "samebits seal 1\nsha256 %64[0-9a-f]\nkind %15[a-z]\nbytes %" SCNu64 "\norigin %15[a-z]\n",
               seal->sha256, kind, &seal->n_bytes, origin) != 4)
        return false;
    for (int i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].name, kind) == 0) seal->kind = kinds[i].kind;
    if (!seal->kind) return false;
    seal->adopted = strcmp(origin, "adopted") == 0;
    compose(seal, again);
    return memcmp(block, again, SB_SEAL_BYTES) == 0;
}

/* ---- reading ---- */

static sb_status fail_read(const char *path)
{
    return sb_fail(errno == ENOENT || errno == EACCES || errno == ENOTDIR ? SB_E_USAGE : SB_E_IO, "%s: %s", path,
                   strerror(errno));
}

/* A pipe or a device would keep us waiting, or never end. */
static sb_status open_file(const char *path, int flags, int *fd, uint64_t *n_bytes)
{
    struct stat about;
    *n_bytes = 0;
    *fd = open(path, flags | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0) return fail_read(path);
    bool known = fstat(*fd, &about) == 0;
    if (known) *n_bytes = (uint64_t)about.st_size;
    if (known && S_ISREG(about.st_mode)) return SB_OK;
    sb_status status = known ? sb_fail(SB_E_USAGE, "%s: not a regular file", path) : fail_read(path);
    close(*fd);
    return status;
}

/* Up to n bytes from the file's place on; fewer only at its end. Negative: an error. */
static ssize_t read_at(int fd, void *bytes, size_t n, uint64_t place)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, (char *)bytes + done, n - done, (off_t)(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* The digest of all bytes of the file, with the bytes of `block` in place of the block at `place`. */
static sb_status digest(const char *path, int fd, size_t place, const char *block, char sha256[SB_SHA256_TEXT])
{
    enum { PIECE = 1 << 18 };
    SB_FREED char *bytes = malloc(PIECE);
    sb_sha256 *state = sb_sha256_begin();
    ssize_t n = 0;
    uint64_t at = 0;
    while (bytes && state && (n = read_at(fd, bytes, PIECE, at)) > 0) {
        if (at == 0 && (size_t)n >= place + SB_SEAL_BYTES) memcpy(bytes + place, block, SB_SEAL_BYTES);
        sb_sha256_add(state, bytes, (size_t)n);
        at += (uint64_t)n;
    }
    bool room = bytes && state;
    sb_status status = n < 0 ? fail_read(path) : SB_OK;
    if (state) sb_sha256_end(state, sha256);
    return room ? status : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
}

/* The digest that a file of these values has. */
static sb_status digest_of(const char *path, int fd, const sb_seal *seal, char sha256[SB_SHA256_TEXT])
{
    char block[SB_SEAL_BYTES];
    sb_seal unset = *seal;
    memset(unset.sha256, '0', N_DIGITS);
    unset.sha256[N_DIGITS] = 0;
    compose(&unset, block);
    return digest(path, fd, kinds[row_of(seal->kind)].place, block, sha256);
}

static const char hdf5_signature[] = "\211HDF\r\n\032\n";

typedef enum finding { SEALED, BROKEN, UNSEALED_HDF5, UNKNOWN } finding;

/* Has it more than half of the first bytes of a seal? */
static bool resembles_seal(const char *head, size_t n)
{
    static const size_t places[] = {IN_HDF5, IN_GZIP, IN_TAR};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t equal = 0;
        for (size_t k = 0; k < DIGITS && places[i] + k < n; k++) equal += head[places[i] + k] == magic[k];
        if (equal > DIGITS / 2) return true;
    }
    return false;
}

/* Or has it the bytes of a container around a seal, or HDF5 after a block of a seal's size? */
static bool resembles_sealed(const char *head, size_t n)
{
    if (resembles_seal(head, n)) return true;
    for (size_t i = 0; i < N_KINDS; i++) {
        uint8_t frame[SB_SEAL_FRAME_MAX];
        sb_seal_frame(kinds[i].kind, frame);
        if (kinds[i].place && n >= kinds[i].place && memcmp(head, frame, kinds[i].place) == 0) return true;
    }
    return n >= SB_SEAL_BYTES + 8 && memcmp(head + SB_SEAL_BYTES, hdf5_signature, 8) == 0;
}

/* What the first bytes say. BROKEN: there is a seal, but not as it was written. */
static finding look(const char *head, size_t n, sb_seal *seal)
{
    static const size_t places[] = {IN_HDF5, IN_GZIP, IN_TAR};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *block = head + places[i];
        if (n < places[i] + DIGITS || memcmp(block, magic, DIGITS) != 0) continue;
        bool whole = n >= places[i] + SB_SEAL_BYTES && parse(block, seal);
        return whole && kinds[row_of(seal->kind)].place == places[i] ? SEALED : BROKEN;
    }
    if (n >= 8 && memcmp(head, hdf5_signature, 8) == 0) return UNSEALED_HDF5;
    return resembles_sealed(head, n) ? BROKEN : UNKNOWN;
}

static finding look_at(const char *path, sb_seal *seal)
{
    int fd;
    uint64_t n_bytes;
    char head[HEAD];
    if (open_file(path, O_RDONLY, &fd, &n_bytes) != SB_OK) return UNKNOWN;
    ssize_t n = read_at(fd, head, sizeof head, 0);
    close(fd);
    return n < 0 ? UNKNOWN : look(head, (size_t)n, seal);
}

bool sb_seal_peek(const char *path, sb_seal *seal)
{
    return look_at(path, seal) == SEALED;
}

bool sb_seal_is_missing(const char *path)
{
    sb_seal seal;
    return look_at(path, &seal) == UNSEALED_HDF5;
}

bool sb_seal_is_broken(const char *path)
{
    sb_seal seal;
    return look_at(path, &seal) == BROKEN;
}

/* ---- checking ---- */

static sb_status fail_kind(const char *path, sb_seal_kind kind, unsigned wanted)
{
    char text[128] = "";
    for (size_t i = 0; i < N_KINDS; i++)
        if (wanted & kinds[i].kind)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " or " : "", kinds[i].text);
    /* the bytes are as they were written: the file is good, and another one was meant, except where no one named it */
    return sb_fail(wanted & SB_SEAL_OWN ? SB_E_INTEGRITY : SB_E_USAGE, "%s: is a %s, not a %s; %s", path,
                   sb_seal_kind_text(kind), text, kinds[row_of(kind)].readers);
}

static sb_status judge_head(const char *path, const char *head, size_t n, unsigned wanted, sb_seal *seal)
{
    switch (look(head, n, seal)) {
    case SEALED:
        return SB_OK;
    case BROKEN:
        if (!resembles_seal(head, n) && n >= SB_SEAL_BYTES + 8 && memcmp(head + SB_SEAL_BYTES, hdf5_signature, 8) == 0)
            return sb_fail(SB_E_INTEGRITY,
                           "%s: an HDF5 file without a seal, after a block of another program such as MATLAB; or a "
                           "file of samebits whose seal is damaged",
                           path);
        return sb_fail(SB_E_INTEGRITY, "%s: damaged in its first bytes: its seal is not as it was written", path);
    case UNSEALED_HDF5:
        return sb_fail(SB_E_INTEGRITY,
                       "%s: an HDF5 file without a seal, of an older release or of another program; 'samebits verify "
                       "--seal FILE' checks what can be checked in it and seals it",
                       path);
    case UNKNOWN:
        break;
    }
    return sb_fail(SB_E_INTEGRITY, "%s: not a sealed file of samebits, or damaged in its first bytes%s", path,
                   kinds[row_of(wanted & SB_SEAL_ANY)].older);
}

static sb_status check_head(const char *path, int fd, unsigned wanted, sb_seal *seal)
{
    char head[HEAD];
    ssize_t n = read_at(fd, head, sizeof head, 0);
    return n < 0 ? fail_read(path) : judge_head(path, head, (size_t)n, wanted, seal);
}

static sb_status check_size(const char *path, uint64_t n_bytes, const sb_seal *seal)
{
    if (n_bytes != seal->n_bytes)
        return sb_fail(SB_E_INTEGRITY, "%s: has %" PRIu64 " bytes, and its seal says %" PRIu64 ": %s", path, n_bytes,
                       seal->n_bytes, n_bytes < seal->n_bytes ? "cut short" : "something was added");
    return SB_OK;
}

static sb_status compare_digest(const char *path, const char *sha256, const sb_seal *seal)
{
    if (strcmp(sha256, seal->sha256) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: damaged: the SHA-256 of its bytes is %.16s..., and its seal says %.16s...",
                   path, sha256, seal->sha256);
}

static sb_status check_bytes(const char *path, int fd, const sb_seal *seal)
{
    char sha256[SB_SHA256_TEXT];
    SB_TRY(digest_of(path, fd, seal, sha256));
    return compare_digest(path, sha256, seal);
}

sb_status sb_seal_check(const char *path, unsigned wanted, sb_seal *seal)
{
    int fd;
    uint64_t n_bytes;
    sb_seal found;
    SB_TRY(open_file(path, O_RDONLY, &fd, &n_bytes));
    sb_status status = check_head(path, fd, wanted, &found);
    if (status == SB_OK) status = check_size(path, n_bytes, &found);
    if (status == SB_OK && !(wanted & SB_SEAL_CHECKED)) status = check_bytes(path, fd, &found);
    if (status == SB_OK && !(wanted & found.kind)) status = fail_kind(path, found.kind, wanted);
    close(fd);
    if (status == SB_OK && seal) *seal = found;
    return status;
}

/* ---- reading at once ---- */

/* The digest's own digits are '0' while it is computed. The block is the one that was composed of the seal, or it would
 * not have been read as one. */
static void digest_in_memory(char *bytes, const sb_seal *seal, char sha256[SB_SHA256_TEXT])
{
    char *digits = bytes + kinds[row_of(seal->kind)].place + DIGITS;
    memset(digits, '0', N_DIGITS);
    sb_sha256_bytes(bytes, (size_t)seal->n_bytes, sha256);
    memcpy(digits, seal->sha256, N_DIGITS);
}

/* In the order of sb_seal_check. */
static sb_status check_in_memory(const char *path, char *bytes, uint64_t n_bytes, unsigned wanted, sb_seal *seal)
{
    char sha256[SB_SHA256_TEXT];
    SB_TRY(judge_head(path, bytes, n_bytes < HEAD ? (size_t)n_bytes : HEAD, wanted, seal));
    SB_TRY(check_size(path, n_bytes, seal));
    if (!(wanted & SB_SEAL_CHECKED)) {
        digest_in_memory(bytes, seal, sha256);
        SB_TRY(compare_digest(path, sha256, seal));
    }
    return wanted & seal->kind ? SB_OK : fail_kind(path, seal->kind, wanted);
}

static sb_status read_whole(const char *path, int fd, uint64_t n_bytes, char **bytes)
{
    *bytes = malloc((size_t)n_bytes + 1);
    if (!*bytes) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    const ssize_t n = read_at(fd, *bytes, (size_t)n_bytes, 0);
    if (n < 0) return fail_read(path);
    return (uint64_t)n == n_bytes ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: is written to while it is read", path);
}

sb_status sb_seal_read(const char *path, unsigned wanted, uint64_t most, sb_seal *seal, char **bytes)
{
    int fd;
    *bytes = NULL;
    SB_TRY(open_file(path, O_RDONLY, &fd, &seal->n_bytes));
    const uint64_t n_bytes = seal->n_bytes;
    sb_status status = n_bytes <= most ? read_whole(path, fd, n_bytes, bytes) : SB_OK;
    close(fd);
    if (status == SB_OK && *bytes) status = check_in_memory(path, *bytes, n_bytes, wanted, seal);
    if (status == SB_OK) return SB_OK;
    free(*bytes);
    *bytes = NULL;
    return status;
}

/* ---- writing ---- */

static sb_status fill_in(const char *path, int fd, sb_seal *seal)
{
    char block[SB_SEAL_BYTES];
    SB_TRY(digest_of(path, fd, seal, seal->sha256));
    compose(seal, block);
    errno = 0;
    ssize_t n = pwrite(fd, block, sizeof block, (off_t)kinds[row_of(seal->kind)].place);
    if (n == (ssize_t)sizeof block) return SB_OK;
    return sb_fail(SB_E_IO, "%s: cannot be sealed: %s", path, strerror(errno ? errno : ENOSPC));
}

static sb_status write_seal(const char *path, sb_seal_kind kind, bool adopted)
{
    int fd;
    sb_seal seal = {.kind = kind, .adopted = adopted};
    SB_TRY(open_file(path, O_RDWR, &fd, &seal.n_bytes));
    assert(seal.n_bytes >= kinds[row_of(kind)].place + SB_SEAL_BYTES);
    sb_status status = fill_in(path, fd, &seal);
    if (close(fd) != 0 && status == SB_OK) status = sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    return status;
}

sb_status sb_seal_write(const char *path, sb_seal_kind kind)
{
    return write_seal(path, kind, false);
}

/* ---- adopting ---- */

static sb_status copy_behind_block(int from, int to, const char *path)
{
    static const char block[SB_SEAL_BYTES];
    char bytes[1 << 14];
    ssize_t n = 0;
    bool written = write(to, block, sizeof block) == (ssize_t)sizeof block;
    for (uint64_t at = 0; written && (n = read_at(from, bytes, sizeof bytes, at)) > 0; at += (uint64_t)n)
        written = write(to, bytes, (size_t)n) == n;
    return written && n == 0 ? SB_OK : sb_fail(SB_E_IO, "%s: cannot be copied: %s", path, strerror(errno));
}

static sb_status write_adopted(const char *path, const char *part, sb_seal_kind kind)
{
    int from;
    uint64_t n_bytes;
    struct stat about;
    SB_TRY(open_file(path, O_RDONLY, &from, &n_bytes));
    mode_t mode = fstat(from, &about) == 0 ? about.st_mode & 0777 : 0644;
    int to = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode | S_IWUSR);
    sb_status status = to >= 0 ? copy_behind_block(from, to, path) : sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    if (to >= 0 && close(to) != 0 && status == SB_OK) status = sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    close(from);
    return status == SB_OK ? write_seal(part, kind, true) : status;
}

sb_status sb_seal_adopt(const char *path, sb_seal_kind kind)
{
    char part[SB_PATH_MAX];
    if (strlen(path) + sizeof ".part" > SB_PATH_MAX) return sb_file_too_long(path);
    if (!sb_seal_is_missing(path))
        return sb_fail(SB_E_INTEGRITY, "%s: not an HDF5 file without a seal; nothing was changed", path);
    sb_file_part(path, part);
    sb_status status = write_adopted(path, part, kind);
    if (status == SB_OK) return sb_file_commit(path);
    unlink(part);
    return status;
}
