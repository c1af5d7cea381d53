/* HDF5 without HDF5's types: files and data sets; attributes are in h5_attribute.h, what a file holds in h5_walk.h.
 *
 *     sb_h5 *file;
 *     SB_TRY(sb_h5_create(&file, "run.h5", SB_SEAL_RUN));           written as run.h5.part
 *     sb_status status = sb_h5_write(file, "train/loss", SB_F32, 1, (size_t[]){n}, loss, SB_H5_PLAIN);
 *     if (status == SB_OK) status = sb_h5_set_text(file, "train", "unit", "1");
 *     return sb_h5_finish(file, status);                            sealed and renamed when all went well, else removed
 *
 *     SB_TRY(sb_h5_open(&file, "run.h5", SB_SEAL_RUN));             only if its seal holds
 *
 * Names are paths without a leading slash; missing groups are made. Object times are off, so that equal content is
 * equal bytes. Every failure is a sentence that begins with the file's path. Numbers are converted to the type asked
 * for. One thread at a time is served; a handle may be used by several.
 */
#pragma once

#include "core/status.h"
#include "io/seal.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_h5 sb_h5;

typedef enum sb_type { SB_U8, SB_I32, SB_I64, SB_F32, SB_F64 } sb_type;
size_t sb_type_bytes(sb_type type);

enum { SB_H5_RANK_MAX = 5 };

/* How a data set is stored. PACKED: chunked, shuffled, deflated, with a checksum (fletcher32) over each chunk. */
typedef enum sb_h5_storage { SB_H5_PLAIN, SB_H5_PACKED } sb_h5_storage;

typedef struct sb_h5_shape {
    sb_type type; /* the stored type; other widths are mapped to the nearest of sb_type */
    int rank;
    size_t dim[SB_H5_RANK_MAX];
    size_t n; /* product of the dims */
} sb_h5_shape;

/* -- files -- */

/* A new file of one kind, written under PATH.part until sb_h5_finish; SB_SEAL_FOREIGN: without a seal.
 * SB_E_USAGE: path is not one of a regular file, or another process has PATH.part in work; nothing is changed then. */
sb_status sb_h5_create(sb_h5 **file, const char *path, sb_seal_kind kind);

/* Close a created file: with SB_OK it is sealed, flushed to the disk and renamed to its path; otherwise, or when that
 * fails (a full disk), the part is removed. Returns the first error. Frees the handle either way. */
sb_status sb_h5_finish(sb_h5 *file, sb_status status);

/* Read an existing file of one of these kinds (sb_seal_kind, or-ed), after all its bytes were compared with its seal:
 * what sb_seal_check says is what this returns. With SB_SEAL_FOREIGN no seal is asked for. Missing: SB_E_USAGE; not
 * HDF5, truncated, or anything in it of a form that this program does not write itself (h5_form.c): SB_E_INTEGRITY. A
 * file that the library breaks down over is noticed in a process of its own (h5_trial.c), and is SB_E_INTEGRITY, too;
 * inside sb_guard_call that process is the guard's. With SB_SEAL_CHECKED all of this was done before, with SB_SEAL_MET
 * all but the seal. With SB_SEAL_AT_ONCE a file of 16 MiB at most is opened and read once, and what the library parses
 * are the very bytes that were compared with the seal: for programs that read most of many files in another place. */
sb_status sb_h5_open(sb_h5 **file, const char *path, unsigned kinds);
void sb_h5_close(sb_h5 *file); /* NULL is fine */
void sb_h5_leave(sb_h5 **file); /* the same, for SB_OWNED */
const char *sb_h5_path(const sb_h5 *file);
const sb_seal *sb_h5_seal(const sb_h5 *file); /* of one opened with kinds; of a foreign one all zero */

/* The library's calls fail alike over a bad file and where the disk or this process is the cause (an error of input and
 * output, too many open files, no memory). SB_E_INTEGRITY of the first kind is handed through with its sentence; of the
 * second kind it becomes SB_E_IO or SB_E_MEMORY, with the cause. */
sb_status sb_h5_judge(const char *path, sb_status status);

/* -- data sets -- */

/* Write a whole data set; dims outermost first. */
sb_status sb_h5_write(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim, const void *data,
                      sb_h5_storage storage);

/* A data set that grows along its first dimension; dim[0] is the number of rows in a chunk. Always PACKED. */
sb_status sb_h5_create_rows(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim);
sb_status sb_h5_append_rows(sb_h5 *file, const char *name, sb_type type, size_t n_rows, const void *data);

bool sb_h5_exists(sb_h5 *file, const char *name);
sb_status sb_h5_shape_of(sb_h5 *file, const char *name, sb_h5_shape *shape);

/* Read all n elements, converted to `type`. SB_E_INTEGRITY if the data set is absent, has another number of elements
 * or fails its checksum. */
sb_status sb_h5_read(sb_h5 *file, const char *name, sb_type type, size_t n, void *data);

/* The same into new memory, whose address goes to *data (data points to a pointer): the caller's to free. NULL where it
 * fails. */
sb_status sb_h5_read_new(sb_h5 *file, const char *name, sb_type type, size_t n, void *data);

/* SB_E_MEMORY, with the sentence for a reader of the file that lacks memory. */
sb_status sb_h5_fail_memory(const sb_h5 *file);

/* Rows first .. first+n_rows-1 along the first dimension, of `row` elements each: data has room for n_rows * row.
 * SB_E_INTEGRITY if they are not there or have another number of elements. */
sb_status sb_h5_read_rows(sb_h5 *file, const char *name, sb_type type, size_t first, size_t n_rows, size_t row,
                          void *data);

/* "1.10.8", the library's version. */
void sb_h5_library_version(char *text, size_t size);
