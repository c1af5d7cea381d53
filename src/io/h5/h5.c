#include "io/h5/h5_parts.h"

#include "core/file.h"
#include "core/file_lock.h"
#include "core/machine/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

sb_status sb_h5_room(const char *path)
{
    enum { ROOM = 8 << 20 };
    void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* no page is touched */
    if (room == MAP_FAILED) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    munmap(room, ROOM);
    return SB_OK;
}

/* ---- why a call fails ---- */

static int noted_error; /* errno of the library's last failure, as its sentence has it; 0: it names none */
static int outer_error; /* errno of a failed call whose cause is not the file; 0: none since the last file was opened */

static bool is_outer(int error)
{
    static const int causes[] = {EMFILE, ENFILE, ENOMEM, EIO, ESTALE, EACCES, ETIMEDOUT, ENOTCONN};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (error == causes[i]) return true;
    return false;
}

/* "file read failed: time = ..., errno = 5, error message = 'Input/output error', ..." */
static herr_t find_error(unsigned n, const H5E_error2_t *entry, void *context)
{
    static const char mark[] = "errno = ";
    const char *at = entry->desc ? strstr(entry->desc, mark) : NULL;
    const int error = at ? (int)strtol(at + strlen(mark), NULL, 10) : 0;
    (void)n;
    if (is_outer(error)) *(int *)context = error;
    if (error) noted_error = error;
    return 0;
}

/* Called by the library where one of its calls fails, in place of printing its stack: errors are our sentences. */
static herr_t note_cause(hid_t stack, void *context)
{
    (void)context;
    noted_error = 0;
    return H5Ewalk2(stack, H5E_WALK_DOWNWARD, find_error, &outer_error);
}

/* errno itself is no good after a failure: to put the time into its sentence the library looks for the time zone's file. */
int sb_h5_error(void)
{
    return noted_error ? noted_error : errno;
}

sb_status sb_h5_judge(const char *path, sb_status status)
{
    SB_H5_TURN;
    if (status != SB_E_INTEGRITY) return status;
    if (outer_error) return sb_fail(SB_E_IO, "%s: cannot be read: %s", path, strerror(outer_error));
    SB_TRY(sb_h5_room(path));
    return status;
}

/* ---- files ---- */

static sb_status new_handle(sb_h5 **file, const char *path, bool created)
{
    H5Eset_auto2(H5E_DEFAULT, note_cause, NULL);
    outer_error = 0;
    H5PLset_loading_state(0); /* a file must not name a program to be loaded */
    if (strlen(path) + sizeof ".part" > SB_PATH_MAX) return sb_file_too_long(path);
    *file = calloc(1, sizeof **file);
    if (!*file) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    (*file)->created = created;
    strcpy((*file)->path, path);
    return SB_OK;
}

static sb_status fail_busy(const char *path)
{
    return sb_fail(SB_E_USAGE, "%s: locked: another process is writing this file", path);
}

/* Before HDF5 cuts the file to nothing. O_NONBLOCK: a pipe of that name must not be waited for. */
static sb_status lock_part(sb_h5 *file, const char *part)
{
    switch (sb_file_lock_open(&file->lock, part, O_NONBLOCK)) {
    case SB_LOCK_BUSY:
        return fail_busy(file->path);
    case SB_LOCK_FAILED:
        return sb_fail(SB_E_IO, "%s: cannot be created: %s", file->path, strerror(errno));
    case SB_LOCK_NONE:
        /* libsamebits, which writes recordings and traces, prints nothing */
        if (file->seal.kind != SB_SEAL_RECORDING && file->seal.kind != SB_SEAL_TRACE)
            sb_file_lock_note(part, "do not write this file from two processes at a time");
        break;
    case SB_LOCK_TAKEN:
        break;
    }
    return SB_OK;
}

static sb_status create_part(sb_h5 *file, const char *part)
{
    SB_TRY(lock_part(file, part));
    hid_t access = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(access, false);
    if (file->seal.kind != SB_SEAL_FOREIGN) H5Pset_userblock(access, SB_SEAL_BYTES);
    errno = 0;
    file->id = H5Fcreate(part, H5F_ACC_TRUNC, access, H5P_DEFAULT);
    int error = errno;
    H5Pclose(access);
    if (file->id >= 0) return SB_OK;
    unlink(part); /* a full disk takes the name, but not the first bytes */
    sb_file_lock_close(file->lock);
    return sb_fail(SB_E_IO, "%s: cannot be created: %s", file->path, error ? strerror(error) : "HDF5 refuses");
}

sb_status sb_h5_create(sb_h5 **file, const char *path, sb_seal_kind kind)
{
    SB_H5_TURN;
    SB_TRY(sb_file_check_output(path));
    SB_TRY(sb_h5_room(path));
    SB_TRY(new_handle(file, path, true));
    (*file)->seal.kind = kind;
    char part[SB_PATH_MAX];
    sb_file_part(path, part);
    sb_status status = create_part(*file, part);
    if (status == SB_OK) return SB_OK;
    free(*file);
    *file = NULL;
    return status;
}

static bool close_created(const sb_h5 *file)
{
    SB_H5_TURN;
    errno = 0;
    return H5Fclose(file->id) >= 0;
}

static sb_status seal_and_commit(const char *path, const char *part, sb_seal_kind kind)
{
    sb_status status = kind == SB_SEAL_FOREIGN ? SB_OK : sb_seal_write(part, kind);
    if (status == SB_OK) return sb_file_commit(path);
    unlink(part);
    return status;
}

/* What sb_h5_finish does while the part is locked: afterwards it may be another process's. */
static sb_status end_part(sb_h5 *file, sb_status status)
{
    char part[SB_PATH_MAX];
    sb_file_part(file->path, part);
    if (status != SB_OK) unlink(part);
    const bool closed = close_created(file);
    const int error = errno;
    if (status != SB_OK) return status;
    if (closed) return seal_and_commit(file->path, part, file->seal.kind);
    unlink(part);
    return sb_fail(SB_E_IO, "%s: cannot be written: %s", file->path,
                   error ? strerror(error) : "HDF5 could not close it");
}

sb_status sb_h5_finish(sb_h5 *file, sb_status status)
{
    status = end_part(file, status);
    sb_file_lock_close(file->lock);
    free(file);
    return status;
}

static sb_status fail_open(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is_busy = fd >= 0 && sb_file_lock(fd, true) == SB_LOCK_BUSY;
    if (fd >= 0) close(fd);
    if (is_busy) return fail_busy(path);
    return sb_h5_judge(
        path, sb_fail(SB_E_INTEGRITY,
                      H5Fis_hdf5(path) > 0 ? "%s: damaged or truncated HDF5 file" : "%s: not an HDF5 file", path));
}

/* Keep those away who would change the file in place. Where the file system has no locks it is read without one. */
static sb_status lock_opened(const sb_h5 *file)
{
    void *fd;
    if (H5Fget_vfd_handle(file->id, H5P_DEFAULT, &fd) < 0 || sb_file_lock(*(const int *)fd, true) != SB_LOCK_BUSY)
        return SB_OK;
    return fail_busy(file->path);
}

static sb_status open_file(sb_h5 *file)
{
    file->id = H5Fopen(file->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file->id < 0) return fail_open(file->path);
    sb_status status = lock_opened(file);
    if (status != SB_OK) H5Fclose(file->id);
    return status;
}

/* As sb_h5_open, of a file that was tried. */
static sb_status open_tried(sb_h5 **file, const char *path, bool is_sealed)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(path));
    SB_TRY(new_handle(file, path, false));
    struct stat about;
    sb_h5 *f = *file;
    sb_status status = SB_OK;
    f->is_sealed = is_sealed;
    if (stat(path, &about) != 0 || access(path, R_OK) != 0)
        status = sb_fail(SB_E_USAGE, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = sb_fail(SB_E_USAGE, "%s: not a regular file", path);
    else
        status = open_file(f);
    f->n_bytes = status == SB_OK ? (uint64_t)about.st_size : 0;
    if (status == SB_OK) return SB_OK;
    free(f);
    *file = NULL;
    return status;
}

/* The library takes the bytes as a file of that name, which must not be there, and takes two files of one name for the
 * same one. */
static hid_t open_image(const char *bytes, size_t n_bytes)
{
    static unsigned long n_images;
    char name[64];
    snprintf(name, sizeof name, "/dev/null/image-%lu", n_images++);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), id = H5I_INVALID_HID;
    if (H5Pset_fapl_core(access, 1 << 16, false) >= 0 && H5Pset_file_image(access, (void *)bytes, n_bytes) >= 0)
        id = H5Fopen(name, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return id;
}

static sb_status open_bytes(sb_h5 **file, const char *path, const sb_seal *seal, const char *bytes)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(path));
    SB_TRY(new_handle(file, path, false));
    (*file)->is_sealed = true;
    (*file)->n_bytes = seal->n_bytes;
    (*file)->id = open_image(bytes, (size_t)seal->n_bytes);
    if ((*file)->id >= 0) return SB_OK;
    free(*file);
    *file = NULL;
    return sb_fail(SB_E_INTEGRITY, "%s: damaged or truncated HDF5 file", path);
}

static sb_status meet(const char *path, bool is_sealed)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(open_tried(&file, path, is_sealed));
    return sb_h5_judge(path, sb_h5_check_file(file));
}

sb_status sb_h5_try(const char *path, bool is_sealed)
{
    return sb_h5_try_beside(path, is_sealed, meet);
}

enum { AT_ONCE_MOST = 16 << 20 }; /* the library holds it twice for a moment */

/* Check the seal and open. */
static sb_status open_checked(sb_h5 **file, const char *path, unsigned kinds, bool is_tried, sb_seal *seal)
{
    const bool is_sealed = kinds != SB_SEAL_FOREIGN;
    SB_FREED char *bytes = NULL;
    if (kinds & SB_SEAL_AT_ONCE) SB_TRY(sb_seal_read(path, kinds, AT_ONCE_MOST, seal, &bytes));
    SB_TRY(is_sealed && !bytes ? sb_seal_check(path, kinds, seal) : SB_OK);
    if (!is_tried) SB_TRY(sb_h5_try(path, is_sealed));
    return bytes ? open_bytes(file, path, seal, bytes) : open_tried(file, path, is_sealed);
}

sb_status sb_h5_open(sb_h5 **file, const char *path, unsigned kinds)
{
    sb_seal seal = {0};
    const bool is_known = kinds & (SB_SEAL_CHECKED | SB_SEAL_MET), is_guarded = sb_guard_is_child();
    SB_TRY(open_checked(file, path, kinds, is_known || is_guarded, &seal));
    (*file)->seal = seal;
    sb_status status = !is_known && is_guarded ? sb_h5_judge(path, sb_h5_check_file(*file)) : SB_OK;
    if (status == SB_OK) return SB_OK;
    sb_h5_close(*file);
    *file = NULL;
    return status;
}

void sb_h5_close(sb_h5 *file)
{
    SB_H5_TURN;
    if (!file) return;
    if (file->rows) H5Dclose(file->rows);
    if (file->held) H5Oclose(file->held);
    H5Fclose(file->id);
    free(file);
}

void sb_h5_leave(sb_h5 **file)
{
    sb_h5_close(*file);
}

const char *sb_h5_path(const sb_h5 *file)
{
    return file->path;
}

const sb_seal *sb_h5_seal(const sb_h5 *file)
{
    return &file->seal;
}

void sb_h5_library_version(char *text, size_t size)
{
    SB_H5_TURN;
    unsigned major, minor, release;
    H5get_libversion(&major, &minor, &release);
    snprintf(text, size, "%u.%u.%u", major, minor, release);
}
