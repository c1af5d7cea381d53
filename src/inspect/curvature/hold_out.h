/* The last windows of a video, that of the training or another, to ask for a network's loss on them at any time of
 * its training.
 *
 *     SB_TRY(sb_hold_out_open(&hold_out, setup, NULL, 10));
 *     SB_TRY(sb_hold_out_loss(&hold_out, &loss));
 *     sb_hold_out_close(&hold_out);
 *
 * The network goes through the window before them from a zero state, whose losses do not count, then through them,
 * each with the state that the one before left. Losses are against each frame's own target, whichever target it is
 * trained with. The windows are those that a pass over the data ends with: of its own data training learns from them
 * where it gets that far. */
#ifndef SB_INSPECT_HOLD_OUT_H
#define SB_INSPECT_HOLD_OUT_H

#include "train/setup.h"

typedef struct sb_hold_out {
    sb_learner *learner;
    sb_dataset *dataset; /* another than that of the training; NULL: the same */
    sb_loader *loader;   /* of its own, so that the batch of training stays where it is */
    long first, last;    /* the updates whose windows they are; first > last: none */
} sb_hold_out;

/* n windows, 0: none, and the loss is NaN. data: another data set, NULL: that of the setup, which must outlive it.
 * SB_E_USAGE: it has too few windows, or frames of another size. On failure nothing stays open. */
sb_status sb_hold_out_open(sb_hold_out *hold_out, sb_setup *setup, const char *data, long n);
void sb_hold_out_close(sb_hold_out *hold_out); /* one of zeros, too */

/* The mean over all their frames. Overwrites the carried state. */
sb_status sb_hold_out_loss(sb_hold_out *hold_out, double *loss);

/* Windows of them that training has learned from after that number of updates. */
long sb_hold_out_learned(const sb_hold_out *hold_out, long updates);

#endif
