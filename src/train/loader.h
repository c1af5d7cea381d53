/* The data loader: from a data set to the batches of training, inputs and labels, in the order of the study. A batch is
 * a function of (seed, update) alone, and a rank's part of it one of (seed, update, rank, ranks).
 *
 * Video: sequence by sequence; in a sequence of n frames window k = 0, 1, ... ends with frame `window` * (k + 1) - 1 as
 * its last target, so that the first has window - 1 loss terms and the others `window`; a partial last one is dropped.
 * With a window of one frame that first one would have no term: then there is none, and every frame from the second on
 * is the one target of an update (docs/specification.md, section 2: i = 1 .. n - 1, an update where window divides
 * i + 1). A batch is one window.
 * Images: batches of a permutation drawn anew for each epoch from (seed, epoch); a partial last one is dropped.
 * When the data is used up the next epoch begins.
 *
 *     SB_TRY(sb_loader_open(&loader, dataset, &(sb_loader_plan){.length = 100, .n_shards = 1, .seed = 1}));
 *     SB_TRY(sb_loader_batch(loader, update, 0, 1, &batch));
 *     sb_loader_close(loader);
 */
#ifndef SB_TRAIN_LOADER_H
#define SB_TRAIN_LOADER_H

#include "io/dataset.h"
#include "train/shards.h"

typedef struct sb_loader sb_loader;

typedef struct sb_loader_plan {
    int length;   /* frames of a window (video) or samples of a batch (images) */
    int n_shards; /* of a batch */
    uint64_t seed;
} sb_loader_plan;

/* The data set stays the caller's and must outlive the loader. SB_E_USAGE if it holds not one batch, or a batch has not
 * so many shards. */
sb_status sb_loader_open(sb_loader **loader, sb_dataset *dataset, const sb_loader_plan *plan);
void sb_loader_close(sb_loader *loader); /* NULL is fine */

/* Updates that one pass over the data gives. */
long sb_loader_epoch_updates(const sb_loader *loader);

/* What rank `rank` of `ranks` learns from in update `update` = 1, 2, ...; its bytes and labels are the loader's, until
 * the next call. */
sb_status sb_loader_batch(sb_loader *loader, long update, int rank, int ranks, sb_batch *batch);

/* Where in its data set the sample is that loss term i of a shard of the update predicts: the frame (video), or the
 * sample's place in the batch (images). */
int64_t sb_loader_target(const sb_loader *loader, long update, int shard, int i);

#endif
