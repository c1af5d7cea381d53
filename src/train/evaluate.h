/* A finished (or checkpointed) run's network, put to use on a data set. */
#ifndef SB_TRAIN_EVALUATE_H
#define SB_TRAIN_EVALUATE_H

#include "train/setup.h"

/* Open data set, backend and network with the weights of a run file. Model, channels, window, hidden units and batch
 * come from the run's configuration and overwrite the options', of which data and what computes are read; options
 * must outlive the setup. holds_out: keep the images apart that the run held out, which wants its data set. Starts with no
 * carried state. */
sb_status sb_evaluate_open(sb_setup *setup, sb_settings *options, const char *run_path, bool holds_out);

typedef struct sb_evaluation {
    size_t n;    /* frames predicted, or images */
    double mean; /* of their losses */
    double sd;   /* sample standard deviation of them; of the batches for images */
} sb_evaluation;

/* One pass over the data (for images: the test images if there are any, else the training images), forward only. */
sb_status sb_evaluate_loss(sb_setup *setup, sb_evaluation *evaluation);

/* Called for each sample: its number in the data set, and true and predicted bytes [h][w][c]. */
typedef sb_status sb_evaluate_visit(void *context, size_t frame, const uint8_t *truth, const uint8_t *predicted);

/* Frames first .. first + n - 1 of the data set as the network predicts them; the network is run from the beginning of
 * their sequence. Frames that start a sequence have no prediction and are left out. For images: reconstructions. */
sb_status sb_evaluate_frames(sb_setup *setup, size_t first, size_t n, sb_evaluate_visit *visit, void *context);

#endif
