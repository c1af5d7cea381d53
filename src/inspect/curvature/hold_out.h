/* The last windows of a video, of the training data or another data set, and a network's loss on them at any time of
 * training.
 *
 *     SB_TRY(sb_hold_out_open(&hold_out, setup, NULL, 10));
 *     SB_TRY(sb_hold_out_loss(&hold_out, &loss));
 *     sb_hold_out_close(&hold_out);
 *
 * The network starts with a zero state at the window before them, whose losses do not count, and then runs through them
 * in order, passing its state on. Losses use each frame's own target, whatever target training uses. The windows are
 * the last ones of a pass over the data, so training learns from them if it gets so far in the same data set. */
#ifndef SB_INSPECT_HOLD_OUT_H
#define SB_INSPECT_HOLD_OUT_H

#include "train/setup.h"

typedef struct sb_hold_out {
    sb_learner *learner;
    sb_dataset *dataset; /* another data set; NULL: the training's */
    sb_loader *loader;   /* a separate loader, so that the batch of training stays valid */
    long first, last;    /* the updates that learn from these windows; first > last: none */
} sb_hold_out;

/* Open with n windows; 0: none, and the loss is NaN. data: another data set; NULL: the setup's. The setup must
 * outlive it. SB_E_USAGE: the data set has too few windows, or frames of another size. On failure nothing stays
 * open. */
sb_status sb_hold_out_open(sb_hold_out *hold_out, sb_setup *setup, const char *data, long n);
void sb_hold_out_close(sb_hold_out *hold_out); /* one of zeros, too */

/* The mean loss over all frames of the windows. Overwrites the carried state. */
sb_status sb_hold_out_loss(sb_hold_out *hold_out, double *loss);

/* Number of these windows that training has learned from after `updates` updates. */
long sb_hold_out_learned(const sb_hold_out *hold_out, long updates);

#endif
