/* libsamebits: record what a training computes, so that `samebits diff` and `samebits bisect` find where two trainings
 * diverge. This is the one public header; it is C11 and C++.
 *
 *     sb_recording *r;
 *     sb_recording_options options = {.program = "my trainer 1.0"};
 *     if (sb_recording_open(&r, "a.h5", &options) != SB_OK) { fprintf(stderr, "%s\n", sb_message()); return 1; }
 *     sb_recording_names(r, SB_WEIGHTS, 2, (const char *const[]){"w", "b"});
 *     for (int64_t update = 0; update <= n; update++) {
 *         ...train; not for update 0, the state from which the run starts...
 *         sb_link_begin(r, update);
 *         sb_link_tensor(r, SB_WEIGHTS, 0, &w);
 *         sb_link_tensor(r, SB_WEIGHTS, 1, &b);
 *         sb_link_value(r, "loss", loss);
 *         sb_link_end(r);
 *     }
 *     sb_recording_close(r, true);
 *
 * No function exits, prints, installs a signal handler or starts a thread. A failure returns a status and sets a
 * message, sb_message(); the handle stays valid. Use a handle from one thread at a time; several handles may be
 * open. */
#ifndef SAMEBITS_H
#define SAMEBITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SB_CORE_STATUS_H /* inside samebits the types are the ones of src/core; test_record compares them */
typedef enum sb_status {
    SB_OK = 0,
    SB_E_DIFFERS,      /* a comparison found a difference */
    SB_E_IO,           /* a file, the network or the disk failed */
    SB_E_MEMORY,       /* not enough memory */
    SB_E_USAGE,        /* a call, an argument or a file that it names is not valid */
    SB_E_PARTIAL,      /* not returned by this library */
    SB_E_MISSING,      /* not returned by this library */
    SB_E_EMPTY,        /* the requested entry does not exist */
    SB_E_UNDETERMINED, /* not returned by this library */
    SB_E_INTEGRITY,    /* a file is damaged or has another format */
    SB_E_INTERRUPTED,  /* not returned by this library */
} sb_status;
#endif
#ifndef SB_CORE_HASH_H
typedef struct sb_hash { /* XXH3, 128 bits, in its canonical byte order */
    uint8_t byte[16];
} sb_hash;
#endif

/* Why the last failed call of this thread failed; "" if none has failed. Valid until the next failure of this
 * thread. */
const char *sb_message(void);

/* "0.2.0": the version of the library. */
const char *sb_library_version(void);

/* -- tensors of the caller -- */

typedef enum sb_dtype {
    SB_F32, SB_F64, SB_F16, SB_BF16, SB_F8_E4M3, SB_F8_E5M2,
    SB_I8, SB_I16, SB_I32, SB_I64, SB_U8, SB_U16, SB_U32, SB_U64,
    SB_BOOL, SB_C64, SB_C128,
    SB_N_DTYPES
} sb_dtype;

enum { SB_DIMS_MAX = 8 };

/* Description of a tensor that the caller owns. */
typedef struct sb_view {
    const void *data;
    sb_dtype dtype;
    int n_dims;             /* 0 to SB_DIMS_MAX; 0: one number */
    const int64_t *shape;   /* [n_dims] */
    const int64_t *strides; /* [n_dims] in elements, may be 0 or negative; NULL: row-major and dense */
} sb_view;

/* The hash of the elements in row-major order of the indices, whatever the strides. It does not depend on data type and
 * shape. Up to 64 KiB: XXH3-128 of the bytes, least significant first. Above: XXH3-128 of the 16-byte hashes of the
 * pieces of 64 KiB, so that several threads or a GPU can compute it. For an invalid view (more than SB_DIMS_MAX
 * dimensions, a negative size, no memory) the hash is all zero, and sb_message() says why. */
sb_hash sb_view_hash(const sb_view *view);

/* The same for an array of n numbers. */
sb_hash sb_numbers_hash(const void *number, sb_dtype dtype, size_t n);

/* sb_view_hash after replacing -0.0 by 0.0 and each NaN by the positive quiet NaN; for integers it equals
 * sb_view_hash. */
sb_hash sb_view_canonical(const sb_view *view);

/* The hash of the sorted hashes of view[0], view[1], ... along the first dimension: equal for the same samples in any
 * order. All zero: the view has no dimension, or the first is above 4096. */
sb_hash sb_view_samples(const sb_view *view);

/* The hash of several hashes in order. An entry of the hash chain has it of the tensors of each part. */
sb_hash sb_hash_list(const sb_hash *hash, size_t n);

/* sb_view_hash of a tensor above 64 KiB, from values that a device computed. accumulators: for each whole piece of 64
 * KiB the eight 64-bit lanes of XXH3 after the last stripe, before they are merged. rest: the n_rest bytes after the
 * last whole piece, fewer than 64 KiB. */
sb_hash sb_hash_from_device(const uint64_t (*accumulators)[8], size_t n_pieces, const void *rest, size_t n_rest);

/* The sketch of an array of n numbers, SB_F32 or SB_F64 (other types: all zero). sketch[0] is the Euclidean norm. The
 * other SB_SKETCH_NUMBERS - 1 numbers are the sums of a count sketch, which is linear: the Euclidean distance of two
 * tensors' sums estimates the distance of the tensors, with a standard error of 18 %. */
enum { SB_SKETCH_NUMBERS = 17 };
void sb_numbers_sketch(const void *number, sb_dtype dtype, size_t n, double sketch[SB_SKETCH_NUMBERS]);

/* -- recordings: the hash chain of a training -- */

typedef enum sb_part { SB_BATCH, SB_GRADIENT, SB_OPTIMISER, SB_WEIGHTS, SB_STATE, SB_GENERATOR, SB_N_PARTS } sb_part;

typedef struct sb_recording sb_recording;

typedef struct sb_recording_options {
    const char *program;       /* "pytorch 2.15.0": free text, copied; NULL: none */
    bool resume;               /* continue the recording at the path; false: SB_E_USAGE if a file exists there */
    int64_t every;             /* the caller records each Nth update; the library only stores this number. 0: 1 */
    double checkpoint_seconds; /* seconds between writes of the journal's records into the file; 0: 60 */
} sb_recording_options;

/* Open PATH and PATH.journal, which stays locked; free it with sb_recording_close. SB_E_USAGE: a file exists there and
 * resume is false (no file is ever overwritten), or another process records there. options NULL: the defaults. */
sb_status sb_recording_open(sb_recording **r, const char *path, const sb_recording_options *options);

/* Call these before the first entry. A setting of the training is stored in /config; a fact about its environment in
 * /env. The library adds machine and environment itself. A later value of a name replaces an earlier one. */
sb_status sb_recording_setting(sb_recording *r, const char *name, const char *value);
sb_status sb_recording_fact(sb_recording *r, const char *name, const char *value);

/* Names and order of the tensors of a part. A later list must begin with the earlier one, so tensors can be added. */
sb_status sb_recording_names(sb_recording *r, sb_part part, size_t n, const char *const *names);

/* The optimizer's settings from this update on, a text. Adds a row to /settings if they changed. */
sb_status sb_recording_settings_at(sb_recording *r, int64_t update, const char *text);

/* One entry of the hash chain: begin, parts in any order, end. Update 0 is the state from which the run starts; updates
 * ascend. A part that is not given is recorded as absent. An entry that was begun but not ended is dropped by the next
 * begin. */
sb_status sb_link_begin(sb_recording *r, int64_t update);
sb_status sb_link_tensor(sb_recording *r, sb_part part, int32_t index, const sb_view *view); /* hashed on return */
sb_status sb_link_hash(sb_recording *r, sb_part part, int32_t index, sb_hash hash); /* a hash computed by the caller;
                                                                                     * all zero: no tensor */
sb_status sb_link_forms(sb_recording *r, int32_t index, sb_hash canonical, sb_hash samples); /* only for SB_BATCH */
sb_status sb_link_value(sb_recording *r, const char *column, double value);                  /* "loss" */
sb_status sb_link_end(sb_recording *r); /* on return the entry is in the journal and survives SIGKILL */

/* last: update of the last entry; -1: none. where: update of the last entry with the same weights as the entry that was
 * begun; -1: none. */
int64_t sb_recording_last(const sb_recording *r);
int64_t sb_recording_where(const sb_recording *r);

/* After a resume, instead of sb_link_end: compare the entry that was begun with the recorded entry `update`. Bit p of
 * *parts is set if part p differs or only one of the two has it. Adds a row to /found and a sentence to /events, and
 * removes later entries. SB_E_DIFFERS: a part differs; the recording stays usable. SB_E_EMPTY: there is no such
 * entry. */
sb_status sb_recording_resumed(sb_recording *r, int64_t update, unsigned *parts);

typedef struct sb_report { /* one row of /found; NULL: "" */
    int64_t update;
    const char *kind, *operation, *site, *tensor, *module, *text;
} sb_report;
sb_status sb_recording_report(sb_recording *r, const sb_report *report);

/* A sentence for /events, with the date. */
sb_status sb_recording_event(sb_recording *r, const char *sentence);

/* Why the recording will not reach the end of the training. */
sb_status sb_recording_incomplete(sb_recording *r, const char *reason);

/* Write all records of the journal into the file. */
sb_status sb_recording_checkpoint(sb_recording *r);

/* complete: the training reached its end. Frees r, also on failure. NULL does nothing. */
sb_status sb_recording_close(sb_recording *r, bool complete);

/* -- traces: each operation of one update -- */

typedef enum sb_phase { SB_FORWARD, SB_BACKWARD, SB_OPTIMIZER, SB_N_PHASES } sb_phase;

enum {
    SB_TENSOR_WRITTEN = 1,       /* the row wrote the tensor; else it read it */
    SB_TENSOR_CHANGED = 2,       /* its numbers changed since the last row that used them, though no row wrote them */
    SB_TENSOR_UNINITIALISED = 4, /* read, though no row wrote it after its allocation */
    SB_TENSOR_NO_HASH = 8,       /* just allocated: its numbers are undefined */
};

typedef struct sb_tracing_tensor {
    const char *role, *name;  /* role: the argument's; name: "0.weight", "batch 0", "" */
    const char *dtype, *shape, *layout, *device;
    unsigned flags;
    int64_t writer; /* the row that last wrote this memory; -1: none */
    sb_hash hash;
    const double *sketch; /* [SB_SKETCH_NUMBERS]; NULL: none */
    const double *kept;   /* [n_kept], all its numbers, if requested for this row; NULL: none */
    size_t n_kept;
} sb_tracing_tensor;

typedef struct sb_tracing_row { /* texts NULL: "" */
    const char *operation, *module, *site, *arguments, *node;
    sb_phase phase;
    int64_t forward_row; /* for a row of the backward pass: its forward operation; -1: unknown */
    bool mark;           /* not an operation but a point that every backend has, such as a gradient */
    double error;        /* error divided by the unit of rounding; negative: not checked */
    int executions, other_results; /* number of repeated executions, and of those with different bits */
    size_t n;
    const sb_tracing_tensor *tensor; /* [n], the tensors that were read first, then the written ones */
} sb_tracing_row;

typedef struct sb_tracing sb_tracing;
sb_status sb_tracing_open(sb_tracing **t, const char *path, int64_t update, const char *program);
sb_status sb_tracing_settings(sb_tracing *t, const char *text);          /* settings of the optimizer, lines of
                                                                          * NAME=VALUE */
sb_status sb_tracing_row_add(sb_tracing *t, const sb_tracing_row *row);  /* copies row and tensors */
sb_status sb_tracing_close(sb_tracing *t, bool whole);                   /* whole: seal it; else nothing is written */

#ifdef __cplusplus
}
#endif

#endif
