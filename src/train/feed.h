/* From a data set to the windows of training, in the order of the study.
 *
 * Video: sequence by sequence; in a sequence of n frames window k = 0, 1, ... ends with frame `window` * (k + 1) - 1 as
 * its last target, so that the first has window - 1 loss terms and the others `window`; a partial last one is dropped.
 * With a window of one frame that first one would have no term: then there is none, and every frame from the second on
 * is the one target of an update (spec/networks.md, section 2: i = 1 .. n - 1, an update where window divides i + 1).
 * Images: batches of a permutation drawn anew for each epoch from (seed, epoch); a partial last one is dropped.
 * When the data is used up the next epoch begins.
 */
#ifndef SB_TRAIN_FEED_H
#define SB_TRAIN_FEED_H

#include "core/status.h"
#include "io/dataset.h"
#include "net/net.h"

typedef struct sb_feed sb_feed;

/* length: loss terms of a window (video) or samples of a batch (images). The data set stays the caller's and must
 * outlive the feed. SB_E_USAGE if it holds not one window. */
sb_status sb_feed_open(sb_feed **feed, sb_dataset *dataset, int length, uint64_t seed);
void sb_feed_close(sb_feed *feed);

/* Updates that one pass over the data gives. */
long sb_feed_epoch_updates(const sb_feed *feed);

/* The window of update `update` = 1, 2, ...; its bytes are the feed's, until the next call. */
sb_status sb_feed_window(sb_feed *feed, long update, sb_window *window);

/* Bytes of a window: what the chain hashes as the batch. */
size_t sb_feed_window_bytes(const sb_feed *feed, const sb_window *window);

/* Data set frame that loss term i of the window of `update` predicts (video). */
int64_t sb_feed_target_frame(const sb_feed *feed, long update, int i);

#endif
