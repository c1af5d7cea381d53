/* libsamebits: record what a training computes, so that `samebits diff` and `samebits bisect` find where two trainings
 * diverge. This is the one public header; it is C11 and C++.
 *
 *     sb_recording *r;
 *     sb_recording_options options = {.program = "my trainer 1.0"};
 *     if (sb_recording_open(&r, "a.h5", &options) != SB_OK) { fprintf(stderr, "%s\n", sb_message()); return 1; }
 *     sb_recording_names(r, SB_WEIGHTS, 2, (const char *const[]){"w", "b"});
 *     for (int64_t update = 0; update <= n; update++) {
 *         ...train, but for update 0, which is what the run starts from...
 *         sb_link_begin(r, update);
 *         sb_link_tensor(r, SB_WEIGHTS, 0, &w);
 *         sb_link_tensor(r, SB_WEIGHTS, 1, &b);
 *         sb_link_value(r, "loss", loss);
 *         sb_link_end(r);
 *     }
 *     sb_recording_close(r, true);
 *
 * No function exits, prints, installs a signal handler or starts a thread. Every failure is a status and a sentence,
 * sb_message(); the handle stays valid. One handle is used by one thread at a time; several handles may be open. */
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
    SB_E_USAGE,        /* a call, an argument or a file that it names makes no sense */
    SB_E_PARTIAL,      /* not returned by this library */
    SB_E_MISSING,      /* not returned by this library */
    SB_E_EMPTY,        /* there is nothing of that kind */
    SB_E_UNDETERMINED, /* not returned by this library */
    SB_E_INTEGRITY,    /* a file is damaged, or of another form */
    SB_E_INTERRUPTED,  /* not returned by this library */
} sb_status;
#endif
#ifndef SB_CORE_HASH_H
typedef struct sb_hash { /* XXH3, 128 bits, in its canonical byte order */
    uint8_t byte[16];
} sb_hash;
#endif

/* Why the last call of this thread failed; "" if none did. Valid until the next failure of this thread. */
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

/* A tensor that is described and not owned. */
typedef struct sb_view {
    const void *data;
    sb_dtype dtype;
    int n_dims;             /* 0 to SB_DIMS_MAX; 0: one number */
    const int64_t *shape;   /* [n_dims] */
    const int64_t *strides; /* [n_dims] in elements, may be 0 or negative; NULL: row-major and dense */
} sb_view;

/* The hash of the elements in row-major order of the indices, whatever the strides. Data type and shape are no part of
 * it. Up to 64 KiB: XXH3-128 of the bytes, least significant first. Above: XXH3-128 of the 16-byte hashes of the pieces
 * of 64 KiB, so that several threads or a GPU can compute it. Reads data and changes nothing. Of a view that makes no
 * sense (more than SB_DIMS_MAX dimensions, a negative size, no memory): all zero, and sb_message() says why. */
sb_hash sb_view_hash(const sb_view *view);

/* The same of n numbers that lie dense. */
sb_hash sb_numbers_hash(const void *number, sb_dtype dtype, size_t n);

/* sb_view_hash with -0.0 taken for 0.0 and each NaN for the quiet one without a sign; of integers it is sb_view_hash. */
sb_hash sb_view_canonical(const sb_view *view);

/* The hash of the sorted hashes of view[0], view[1], ... along the first dimension: equal for the same samples in
 * another order. All zero: there is no first dimension, or it is above 4096. */
sb_hash sb_view_samples(const sb_view *view);

/* The hash of several hashes in order, as a part of a link is of its tensors. */
sb_hash sb_hash_list(const sb_hash *hash, size_t n);

/* What a device computes of a tensor above 64 KiB, made a hash. accumulators: of each whole piece of 64 KiB the eight
 * 64-bit lanes of XXH3 after its last stripe, before they are merged. rest: the n_rest bytes after the last whole
 * piece, fewer than 64 KiB. */
sb_hash sb_hash_from_device(const uint64_t (*accumulators)[8], size_t n_pieces, const void *rest, size_t n_rest);

/* Of n numbers that lie dense, SB_F32 or SB_F64 (others: all zero). [0]: their Euclidean norm; then the SB_SKETCH_NUMBERS - 1
 * sums of a count sketch, which is linear: the root of the sum of squared differences of the sums estimates the distance of
 * two tensors, with a standard error of 18 % of it. */
enum { SB_SKETCH_NUMBERS = 17 };
void sb_numbers_sketch(const void *number, sb_dtype dtype, size_t n, double sketch[SB_SKETCH_NUMBERS]);

/* -- recordings: the hash chain of a training -- */

typedef enum sb_part { SB_BATCH, SB_GRADIENT, SB_OPTIMISER, SB_WEIGHTS, SB_STATE, SB_GENERATOR, SB_N_PARTS } sb_part;

typedef struct sb_recording sb_recording;

typedef struct sb_recording_options {
    const char *program;       /* "pytorch 2.15.0": free text, kept; NULL: none */
    bool resume;               /* go on with what is at the path; false and something is there: SB_E_USAGE */
    int64_t every;             /* for the caller, who gives a link for each Nth update; kept. 0: 1 */
    double checkpoint_seconds; /* fold the journal into the file this often; 0: 60 */
} sb_recording_options;

/* Open PATH and PATH.journal, which stays locked. SB_E_USAGE: something is there and resume is false (nothing is ever
 * overwritten), or another process records there. options NULL: the defaults. */
sb_status sb_recording_open(sb_recording **r, const char *path, const sb_recording_options *options);

/* Before the first link. A setting is what the training was asked to do, /config; a fact is what it met, /env. The
 * library adds machine and environment itself. A later value of a name replaces the earlier one. */
sb_status sb_recording_setting(sb_recording *r, const char *name, const char *value);
sb_status sb_recording_fact(sb_recording *r, const char *name, const char *value);

/* Names and order of the tensors of a part. A later list must begin with the earlier one: tensors may join. */
sb_status sb_recording_names(sb_recording *r, sb_part part, size_t n, const char *const *names);

/* What the optimizer is set to from this update on, text; a row of /settings where it changed. */
sb_status sb_recording_settings_at(sb_recording *r, int64_t update, const char *text);

/* One link: begin, parts in any order, end. 0 is what the run starts from; updates ascend. A part that is not given is
 * recorded as absent. A link that was begun and not ended is dropped by the next begin. */
sb_status sb_link_begin(sb_recording *r, int64_t update);
sb_status sb_link_tensor(sb_recording *r, sb_part part, int32_t index, const sb_view *view); /* hashed on return */
sb_status sb_link_hash(sb_recording *r, sb_part part, int32_t index, sb_hash hash); /* hashed elsewhere; 0: no tensor */
sb_status sb_link_forms(sb_recording *r, int32_t index, sb_hash canonical, sb_hash samples); /* of a batch's tensor */
sb_status sb_link_value(sb_recording *r, const char *column, double value);                  /* "loss" */
sb_status sb_link_end(sb_recording *r); /* in the journal when it returns; survives SIGKILL */

/* The last link, -1: none; and the last whose weights are those of the link that is begun, -1: none. */
int64_t sb_recording_last(const sb_recording *r);
int64_t sb_recording_where(const sb_recording *r);

/* After a resume, instead of sb_link_end: does the program stand where link `update` stood? *parts has bit p set where
 * part p differs, or one side alone has it. A row of /found and a sentence of /events say so; later links are cut off.
 * SB_E_DIFFERS leaves the recording usable. SB_E_EMPTY: there is no such link. */
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

/* Write what is not in the file yet. */
sb_status sb_recording_checkpoint(sb_recording *r);

/* complete: the training reached its end. Frees r whatever is returned; NULL is fine. */
sb_status sb_recording_close(sb_recording *r, bool complete);

/* -- traces: each operation of one update -- */

typedef enum sb_phase { SB_FORWARD, SB_BACKWARD, SB_OPTIMIZER, SB_N_PHASES } sb_phase;

enum {
    SB_TENSOR_WRITTEN = 1,       /* by the row, else read */
    SB_TENSOR_CHANGED = 2,       /* its numbers changed since they were last seen, and no row wrote them */
    SB_TENSOR_UNINITIALISED = 4, /* read, and no row wrote it after it was allocated */
    SB_TENSOR_NO_HASH = 8,       /* freshly allocated: its numbers mean nothing */
};

typedef struct sb_tracing_tensor {
    const char *role, *name;  /* the argument; "0.weight", "batch 0", "" */
    const char *dtype, *shape, *layout, *device;
    unsigned flags;
    int64_t writer; /* the row that wrote this memory last; -1: none */
    sb_hash hash;
    const double *sketch; /* [SB_SKETCH_NUMBERS]; NULL: none */
    const double *kept;   /* [n_kept] all its numbers, of a row that was asked for; NULL: none */
    size_t n_kept;
} sb_tracing_tensor;

typedef struct sb_tracing_row { /* texts NULL: "" */
    const char *operation, *module, *site, *arguments, *node;
    sb_phase phase;
    int64_t forward_row; /* of a row of the backward pass; -1: unknown */
    bool mark;           /* a point that every backend has, such as a gradient; no operation */
    double error;        /* over the unit of rounding; negative: not checked */
    int executions, other_results; /* executed again so often, and with other bits so often */
    size_t n;
    const sb_tracing_tensor *tensor; /* the read ones first */
} sb_tracing_row;

typedef struct sb_tracing sb_tracing;
sb_status sb_tracing_open(sb_tracing **t, const char *path, int64_t update, const char *program);
sb_status sb_tracing_settings(sb_tracing *t, const char *text);          /* of the optimizer, NAME=VALUE lines */
sb_status sb_tracing_row_add(sb_tracing *t, const sb_tracing_row *row);  /* copies what it is given */
sb_status sb_tracing_close(sb_tracing *t, bool whole);                   /* whole: seal it; else nothing is written */

#ifdef __cplusplus
}
#endif

#endif
