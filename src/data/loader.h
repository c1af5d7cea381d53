/* The data loader: from a data set to the batches of training, inputs and labels, in the order of the study. A batch is
 * a function of (seed, update) alone, and a rank's part of it one of (seed, update, rank, ranks).
 *
 * Video: sequence by sequence; in a sequence of n frames window k = 0, 1, ... ends with frame `window` * (k + 1) - 1 as
 * its last target, so that the first has window - 1 loss terms and the others `window`; a partial last one is dropped.
 * With a window of one frame that first one would have no term: then there is none, and every frame from the second on
 * is the one target of an update (docs/specification.md, section 2: i = 1 .. n - 1, an update where window divides
 * i + 1). A batch is one window, or of N lanes one window of each: lane n walks the sequences n, n + N, n + 2N, ..., and
 * shard s of S has the lanes s, s + S, ... Sequences that are walked side by side have as many windows each; what is
 * left over where N does not divide their number is in no batch.
 * Images: batches of a permutation drawn anew for each epoch from (seed, epoch); a partial last one is dropped. Images
 * that are held out (data/images.h) are in none. With an image plan a batch is numbers [n][c][h][w], normalised and
 * augmented, and labels; without one it is bytes.
 * When the data is used up the next epoch begins.
 *
 *     SB_TRY(sb_loader_open(&loader, dataset, &(sb_loader_plan){.length = 100, .n_shards = 1, .seed = 1}));
 *     SB_TRY(sb_loader_batch(loader, update, 0, 1, &batch));
 *     SB_TRY(sb_loader_part(loader, SB_PART_TEST, 0, 100, false, &window));
 *     sb_loader_close(loader);
 */
#ifndef SB_DATA_LOADER_H
#define SB_DATA_LOADER_H

#include "data/images.h"
#include "data/shards.h"

typedef struct sb_loader sb_loader;

typedef struct sb_loader_plan {
    int length;   /* frames of a window (video) or samples of a batch (images) */
    int n_shards; /* of a batch */
    uint64_t seed;
    long hold_out;               /* images that train nothing */
    const sb_image_plan *images; /* numbers and labels in place of bytes; NULL: bytes. Copied */
    int n_lanes;                 /* video: sequences side by side; 0: one */
} sb_loader_plan;

/* The data set stays the caller's and must outlive the loader. SB_E_USAGE if it holds not one batch, a batch has not so
 * many shards, or the images are none that the plan is for. */
sb_status sb_loader_open(sb_loader **loader, sb_dataset *dataset, const sb_loader_plan *plan);
void sb_loader_close(sb_loader *loader); /* NULL is fine */

/* Updates that one pass over the data gives. */
long sb_loader_epoch_updates(const sb_loader *loader);

/* Read all frames of a video into memory, from which batches are made from now on; images are there anyway. Before other
 * threads use the loader. */
sb_status sb_loader_reside(sb_loader *loader);

/* What rank `rank` of `ranks` learns from in update `update` = 1, 2, ...; its bytes, values and labels are the loader's,
 * until the next call. */
sb_status sb_loader_batch(sb_loader *loader, long update, int rank, int ranks, sb_batch *batch);

/* Where in its data set the sample is that loss term i of a shard of the update predicts: the frame (video; of several
 * lanes, in the shard's last), or the sample's place in the batch (images). */
int64_t sb_loader_target(const sb_loader *loader, long update, int shard, int i);

/* The images that train, whose numbers count from the first of the data set, with n of all; NULL: of a video. And what
 * makes numbers of them; NULL: bytes. */
const sb_images *sb_loader_image_set(const sb_loader *loader);
size_t sb_loader_n_images(const sb_loader *loader);
const sb_image_plan *sb_loader_image_plan(const sb_loader *loader);

/* ---- images as numbers: loaders with an image plan ---- */

typedef struct sb_loader_images {
    sb_image_shape shape; /* as the network sees them */
    int n_classes;        /* labels are below */
    size_t n[SB_N_PARTS]; /* images that train, that are held out, and test images with labels */
} sb_loader_images;

sb_loader_images sb_loader_about_images(const sb_loader *loader);

/* Images first .. first + n - 1 of a part, in the order of the data set, normalised and not augmented; mirrored: left
 * and right exchanged. n is at most the length of a batch. Values and labels are the loader's until the next call of
 * this function; no batch is touched by it. */
sb_status sb_loader_part(sb_loader *loader, sb_part part, size_t first, size_t n, bool mirrored, sb_window *window);

/* w[9 c][c][3][3]: what whitens patches of the training images (data/whitening.h), of the first 10,000 in the order of
 * the data set. SB_E_USAGE: they are smaller than a patch, or normalised by a mean image. */
sb_status sb_loader_whitening(const sb_loader *loader, sb_real *w);

/* ---- several threads at once: each with an epoch of its own, into rooms of its own ---- */

typedef struct sb_epoch { /* the order of an epoch, and what is drawn for it */
    long number;          /* -1: none yet */
    uint32_t *order;      /* [images that train] */
    sb_augment augment;
} sb_epoch;

typedef struct sb_room { /* the memory of one batch */
    uint8_t *bytes, *labels;
    sb_real *values;
    sb_image_choice *choice; /* in place of bytes and values */
    size_t n_bytes; /* of all of it */
} sb_room;

/* SB_E_MEMORY; then nothing stays open. */
sb_status sb_epoch_open(sb_epoch *epoch, const sb_loader *loader);
void sb_epoch_close(sb_epoch *epoch); /* one of zeros, too */
sb_status sb_room_open(sb_room *room, const sb_loader *loader);
sb_status sb_room_open_choices(sb_room *room, const sb_loader *loader); /* of images */
void sb_room_close(sb_room *room); /* one of zeros, too */

/* As sb_loader_batch, whose batch lies in the room; in one of choices without the store that they are of. */
sb_status sb_loader_fill(const sb_loader *loader, sb_epoch *epoch, sb_room *room, long update, int rank, int ranks,
                         sb_batch *batch);

#endif
