/* The data loader: from a data set to the batches of training, inputs and labels, in the order of the study. A batch is
 * a function of (seed, update) alone, and a rank's part of it one of (seed, update, rank, ranks).
 *
 * Video: sequence by sequence. In a sequence of n frames the last target of window k = 0, 1, ... is frame `window` * (k
 * + 1) - 1. So the first window has window - 1 loss terms and the others have `window`; a partial last window is
 * dropped. With window = 1 the first window would have no term and is left out: each frame from the second on is the
 * target of one update (docs/specification.md, section 2: i = 1 .. n - 1, an update where window divides i + 1). A
 * batch is one window, or with N lanes one window of each lane. Lane n has the sequences n, n + N, n + 2N, ..., and
 * shard s of S has the lanes s, s + S, ... Sequences of the same batch must have the same number of windows. The last
 * sequences are in no batch if N does not divide the number of sequences.
 *
 * Images: batches of a permutation that is drawn for each epoch from (seed, epoch); a partial last batch is dropped.
 * Held-out images (data/images.h) are in no batch. With an image plan a batch has numbers [n][c][h][w], normalized and
 * augmented, and labels; without a plan it has bytes.
 *
 * Text: place p of the batch of update u is window (u - 1) * length + p of data/tokens.h. An epoch is the number of whole
 * batches that have at most as many targets as there are tokens to learn from, and one batch at least.
 *
 * After the last batch of an epoch the next epoch begins.
 *
 *     SB_TRY(sb_loader_open(&loader, dataset, &(sb_loader_plan){.length = 100, .n_shards = 1, .seed = 1}));
 *     SB_TRY(sb_loader_batch(loader, update, 0, 1, &batch));
 *     SB_TRY(sb_loader_part(loader, SB_PART_TEST, 0, 100, false, &window));
 *     sb_loader_close(loader);
 */
#pragma once

#include "data/shards.h"
#include "data/tokens.h"

typedef struct sb_loader sb_loader;

typedef struct sb_loader_plan {
    int length;   /* frames of a window (video) or samples of a batch (images, text) */
    int n_shards; /* shards of a batch */
    uint64_t seed;
    long hold_out; /* number of images that are held out */
    const sb_image_plan *images; /* copied; batches then have numbers and labels; NULL: bytes */
    int n_lanes;                 /* video: sequences in one batch; 0: one */
    int context;                 /* text: T; a window has T + 1 tokens */
    bool is_read_only;           /* text: its parts are asked for, and no batch */
} sb_loader_plan;

/* The data set stays the caller's and must outlive the loader. SB_E_USAGE: the data set has less than one batch, a
 * batch cannot be divided into n_shards, or the images do not fit the plan. */
sb_status sb_loader_open(sb_loader **loader, sb_dataset *dataset, const sb_loader_plan *plan);
void sb_loader_close(sb_loader *loader); /* NULL does nothing */

/* Number of updates in one pass over the data. */
long sb_loader_epoch_updates(const sb_loader *loader);

/* Read all frames of a video into memory and make all later batches from it. Images and text are always in memory. Call
 * it before other threads use the loader. */
sb_status sb_loader_reside(sb_loader *loader);

/* The part of the batch of update `update` = 1, 2, ... that belongs to rank `rank` of `ranks`. The loader owns bytes,
 * values and labels, which are valid until the next call. */
sb_status sb_loader_batch(sb_loader *loader, long update, int rank, int ranks, sb_batch *batch);

/* The target of loss term i of a shard in an update: its frame in the data set (video; with several lanes, of the
 * shard's last lane), or its place in the batch (images, text). */
int64_t sb_loader_target(const sb_loader *loader, long update, int shard, int i);

/* image_set: the images; NULL for other data. n_images: the number of all images of the data set. image_plan: how they
 * become numbers; NULL: bytes. */
const sb_images *sb_loader_image_set(const sb_loader *loader);
size_t sb_loader_n_images(const sb_loader *loader);
const sb_image_plan *sb_loader_image_plan(const sb_loader *loader);

/* ---- parts: loaders with an image plan, and text ---- */

/* The number of training images, held-out images, and test images with labels; or of windows of a text. */
size_t sb_loader_part_samples(const sb_loader *loader, sb_part part);

/* Images first .. first + n - 1 of a part, in the order of the data set, normalized and not augmented; mirrored: with
 * left and right exchanged. Or these windows of a text. n is at most the length of a batch. The loader owns values,
 * labels and tokens, which are valid until the next call of this function; batches stay valid. */
sb_status sb_loader_part(sb_loader *loader, sb_part part, size_t first, size_t n, bool mirrored, sb_window *window);

/* ---- images as numbers: loaders with an image plan ---- */

typedef struct sb_loader_images {
    sb_image_shape shape; /* of the network's input */
    int n_classes;        /* labels are 0 .. n_classes - 1 */
} sb_loader_images;

sb_loader_images sb_loader_about_images(const sb_loader *loader);

/* w[9 c][c][3][3]: filters that whiten patches of the training images (data/whitening.h), computed from the first
 * 10,000 in the order of the data set. SB_E_USAGE: the images are smaller than a patch, or normalized by a mean
 * image. */
sb_status sb_loader_whitening(const sb_loader *loader, sb_real *w);

/* ---- several threads at once: each with its own sb_epoch and sb_room ---- */

typedef struct sb_epoch { /* the order of an epoch, and its augmentation */
    long number;          /* -1: none yet */
    uint32_t *order;      /* [number of training images] */
    sb_augment augment;
} sb_epoch;

typedef struct sb_room { /* the memory of one batch */
    uint8_t *bytes, *labels;
    sb_real *values;
    sb_image_choice *choice; /* used instead of bytes and values */
    size_t n_bytes; /* in total */
} sb_room;

/* Allocate an epoch or the memory of a batch. SB_E_MEMORY leaves nothing open. */
sb_status sb_epoch_open(sb_epoch *epoch, const sb_loader *loader);
void sb_epoch_close(sb_epoch *epoch); /* one of zeros, too */
sb_status sb_room_open(sb_room *room, const sb_loader *loader);
sb_status sb_room_open_choices(sb_room *room, const sb_loader *loader); /* only for images */
void sb_room_close(sb_room *room); /* one of zeros, too */

/* As sb_loader_batch, but the batch is in the room's memory. A room of choices leaves window.store NULL. */
sb_status sb_loader_fill(const sb_loader *loader, sb_epoch *epoch, sb_room *room, long update, int rank, int ranks,
                         sb_batch *batch);
