/* The run file: one HDF5 per cell, written by `samebits train`, read by diff, resume, collect and report. Its first 512
 * bytes are the seal over all of it (io/seal.h), of kind `run` or `checkpoint`; HDF5 knows them as its user block.
 * docs/run-file.md lists groups, attributes and tables; runfile_layout.c has the form of each data set.
 *
 * A file without /final is a checkpoint: it is a whole HDF5 file, and `samebits train` with the same options goes on
 * from it. What is in a run file is held together twice. The seal notices every changed byte. After it, for a file
 * that was changed and sealed again: the digests notice every changed number, the hashes in /head and the last link of
 * /chain the tensors, and all of /final but peak_memory_bytes follows from the rest of the file. sb_runfile_check does
 * it all.
 */
#pragma once

#include "core/hash.h"
#include "core/rows/metrics.h"
#include "core/rows/optimizers.h"
#include "core/sketch.h"
#include "core/status.h"
#include "io/h5/h5.h"
#include "io/run/run_lists.h"

#include <stdbool.h>
#include <stdint.h>

/* 1: every setting as text; a setting that a file lacks has its default (core/rows/setting.h) */
enum { SB_RUN_SCHEMA = 2 };

enum { SB_RUN_TEXT = 8192 }; /* of a text in an attribute: bytes that the content digest reads */

enum { SB_RUN_CLAIMS = 32768 };  /* size of the text of registered claims */
enum { SB_RUN_NAMES = 1 << 15 }; /* size of a list of tensors: names in their order, with blanks between them */

/* Does this program read run files of that schema? */
static inline bool sb_runfile_reads(int64_t schema)
{
    return schema >= 1 && schema <= SB_RUN_SCHEMA;
}

/* The digest of everything in the file outside /final and /head: names, shapes, numbers and attributes, in the order of
 * names. */
sb_status sb_runfile_digest(sb_h5 *file, sb_hash *digest);

/* SB_E_INTEGRITY unless the shapes of all data sets fit each other and the updates of each list ascend; in /train they
 * must start at 1 and have no gap. sb_runfile_check begins with it. */
sb_status sb_runfile_check_layout(sb_h5 *file);

/* Write units, long names and dimension scales of the data sets that are there. Files of the first days of schema 2,
 * and of schema 1, have none. */
sb_status sb_runfile_describe(sb_h5 *file);

/* The optimizer of the run; a file that names none is Adam's, and one that names "none" has SB_NO_OPTIMIZER. */
sb_status sb_runfile_optimizer(sb_h5 *file, sb_optimizer_id *id);

/* SB_OK: complete and whole. SB_E_EMPTY: a whole checkpoint, not finished. SB_E_INTEGRITY: not a run file, another
 * schema, or one of its digests, hashes or sums does not hold. */
sb_status sb_runfile_check(sb_h5 *file);

typedef struct sb_run_head {           /* what a file holds after its last row */
    int64_t update;                    /* of that row; 0: none */
    sb_hash weights, optimizer, state; /* of no tensors: the hash of nothing */
} sb_run_head;

/* Are these the tensors of /head (where there is one), and of the chain's last entry (if it is of this update)? For
 * what was loaded to go on. */
sb_status sb_runfile_check_tensors(sb_h5 *file, const sb_run_head *head);

/* -- writing the ends; everything else is in the file by then -- */

/* The head as the tensors in the file give it. *has_tensors (may be NULL) is false where /param has no list of names:
 * in files of the first release, which do not say in which order the hashes took them. */
sb_status sb_runfile_head_of(sb_h5 *file, sb_run_head *head, bool *has_tensors);

/* Write /head, with the digest. */
sb_status sb_runfile_write_head(sb_h5 *file, const sb_run_head *head);

/* Write /final, after /head: all but the memory follows from what is in the file. */
sb_status sb_runfile_write_final(sb_h5 *file, double peak_memory_bytes);

/* The last fifth of n updates, at least one: its length, and the mean over its losses, which have a stride of
 * stride_bytes. */
size_t sb_runfile_tail_length(size_t n);
double sb_runfile_tail(const double *loss, size_t stride_bytes, size_t n);

/* What a collected row needs. */
typedef struct sb_run_summary {
    char cell[256], hash[SB_SHA256_TEXT];
    int64_t updates, diverged; /* diverged: the last update, if its numbers are lost; 0: they are finite */
    SB_METRIC_FINAL_FIELDS     /* means over the last fifth of the updates */
        char weights[SB_HASH_TEXT];
    double seconds, cpu_seconds, frames_per_second, peak_memory_bytes;
} sb_run_summary;

/* The summary of a file that sb_runfile_check found complete. */
sb_status sb_runfile_summary(sb_h5 *file, sb_run_summary *summary);

/* The update at which the training diverged, its last one; 0: it did not. SB_E_INTEGRITY: the losses say otherwise. */
sb_status sb_runfile_diverged(sb_h5 *file, int64_t *update);

/* The mean cross-entropy of the test images, or of the held-out tokens of a text, at the end. NaN: there is none. */
sb_status sb_runfile_test_cross_entropy(sb_h5 *file, double *loss);

/* The share of the test images that are right at the end, with their mirror images where the run takes these, too. NaN:
 * its network does not classify, or there were no test images. */
sb_status sb_runfile_accuracy(sb_h5 *file, double *accuracy);

/* The same of the images that it validated with, as the last look found it, which has to be one at the run's result. NaN:
 * there was none. */
sb_status sb_runfile_validation_accuracy(sb_h5 *file, double *accuracy);

/* The sketches of the weights over a run. */
typedef struct sb_run_sketches { /* {0} holds none */
    int64_t n_weights;
    size_t n;
    int64_t *update;                  /* [n], ascending, from 0 at least */
    double (*row)[SB_SKETCH_BUCKETS]; /* [n] */
} sb_run_sketches;

/* Read them; none from a file without. SB_E_INTEGRITY: shapes without sense. A failed call leaves nothing to free. */
sb_status sb_runfile_sketches(sb_h5 *file, sb_run_sketches *sketches);
void sb_run_sketches_free(sb_run_sketches *sketches);

/* The next update that both hold, from places *i and *j on, which move to it; false: no more, or other networks.
 *
 *     for (size_t i = 0, j = 0; sb_run_sketches_match(&a, &b, &i, &j); i++, j++)
 *         distance = sb_sketch_distance(a.row[i], b.row[j]);
 */
bool sb_run_sketches_match(const sb_run_sketches *a, const sb_run_sketches *b, size_t *i, size_t *j);
