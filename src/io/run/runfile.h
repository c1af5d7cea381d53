/* clang-format off */
/* The run file: one HDF5 per cell, written by `samebits train`, read by diff, resume, collect and report. Its first 512
 * bytes are the seal over all of it (io/seal.h), of kind `run` or `checkpoint`; HDF5 knows them as its user block.
 *
 *   /          attributes: title, source (program, version, revision), references, Conventions, and licence, that of
 *              the data set, whose frames /prediction shows; units and long_name of the data sets below, and HDF5's own
 *              of their dimension scales: the lists of updates and frames, and byte, bucket, row, column and channel,
 *              which count from 0
 *   /meta      attributes: schema (2), program, cell (its name), record (canonical, of the matrix), hash (SHA-256 of
 *              record), written (date), and claims where some were registered when the run began (io/yaml/claim_file.h)
 *   /config    attributes: what is computed, on what, and how: model, precision, data_name, data_shape, data_digest,
 *              backend, arithmetic, kernel, threads, target, seed, channels, window, hidden, batch, optimizer,
 *              lr, updates
 *   /env       attributes: cpu, isa, caches, memory, os, kernel, compiler, flags, revision, libraries, env_NAME of
 *              the variables in core/machine/environment.c, container (the image it ran in), build_id (of the program)
 *              and build_id_LIBRARY and path_LIBRARY (of each one mapped)
 *   /train     one row per update: update [n] int64 (1, 2, ...), loss_last [n], loss_mean [n], grad_norm [n] float64
 *              (NaN where the gradient was not kept), seconds [n] float64 (wall); attribute diverged, where the
 *              training diverged: the last update, whose loss or weights are no finite numbers
 *   /input     one row per epoch of a sitting, what input cost (io/run/run_lists.h); absent in files of older programs
 *   /trust     of layer-wise optimizers, one row per epoch and tensor
 *   /exchange  of several ranks, one row per epoch of a sitting: what exchanges cost rank 0
 *   /validation  one row per look at images that do not train; attributes: images (held out or
 *              test), n of them, best_epoch and overfit_epoch (0: none), stopped_at (update; 0: not stopped early)
 *   /evolution  of a run without gradients, one row per generation, its parents and their genomes
 *   /chain     one row per link: update [k] int64, batch, weights, optimizer, gradient [k][16] uint8 (sb_hash)
 *   /sketch    update [s] int64 (0: the start, then those of sb_sketch_is_due, and the last one of a sitting that was
 *              asked for no more), row [s][1024] float64 (core/sketch.h, of all weights in the order of /param's list
 *              after that update), weights [1] int64 (how many there are); absent in files of older programs
 *   /prediction  frame [m] int64, true and predicted [m][h][w][c] uint8 (c 3 for video, 1 for images): the last frames
 *              of the training pass
 *   /eval      attributes of an evaluation, if one was made: test_loss, n
 *   /events    attributes 000, 001, ...: "DATE started", "DATE resumed at update N", ...
 *   /param     the weights, /param/NAME as in net/params.h;  /adam/m/NAME, /adam/v/NAME, of another optimizer the
 *              states of its row (core/rows/optimizers.h), /momentum-buffer/v/NAME;  /state/NAME what a recurrent
 *              network carries from window to window: together what resuming needs. Attribute `names` of /param and of /state:
 *              the names in the order in which hashes take them, separated by blanks
 *   /head      what the file holds after its last row; attributes: update (of that row), weights, optimizer, state
 *              (hashes of memory as the program had it: of /param, of the optimizer's states one after the other, of
 *              /state), digest (hash of everything outside /final and /head); absent in files of the first release
 *   /final     written last, only when all updates are done; attributes: updates, loss_last and loss_mean (means over
 *              the last fifth of the updates), weights (hash of all of them, hex), seconds, cpu_seconds,
 *              frames_per_second, peak_memory_bytes, digest (hash of everything outside /final and /head), and diverged,
 *              as in /train, where the training diverged: it then has fewer updates, and its losses need not be finite
 *
 * A file without /final is a checkpoint: it is a whole HDF5 file, and `samebits train` with the same options goes on
 * from it. What is in a run file is held together twice. The seal notices every changed byte. After it, for a file
 * that was changed and sealed again: the digests notice every changed number, the hashes in /head and the last link of
 * /chain the tensors, and all of /final but peak_memory_bytes follows from the rest of the file. sb_runfile_check does
 * it all.
 */
/* clang-format on */
#ifndef SB_IO_RUNFILE_H
#define SB_IO_RUNFILE_H

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

/* SB_E_INTEGRITY unless the shapes of all data sets fit each other and the updates of each list ascend, those of /train
 * from 1 without a gap. sb_runfile_check begins with it. */
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

/* Are these the tensors of /head (where there is one), and of the chain's last link (where that is of this update)? For
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

/* The last fifth of n updates, at least one: how many they are, and the mean over their losses, which lie stride_bytes
 * apart. */
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

#endif
