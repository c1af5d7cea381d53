/* Evaluates the network of a finished (or checkpointed) run on a data set. */
#pragma once

#include "train/setup.h"

/* Open data set, backend and network with the weights of a run file. The options give the data set and the backend.
 * Model, channels, window, hidden units and batch come from the run's configuration and overwrite the options' values,
 * which must outlive the setup. holds_out: hold out the same images as the run did, which needs the run's data set.
 * Carried states start at zero. The caller closes the setup, also after a failure. */
sb_status sb_evaluate_open(sb_setup *setup, sb_settings *options, const char *run_path, bool holds_out);

/* The same without data, for a run that learned from text: with memory for one window, and the table of its characters.
 * SB_E_USAGE: the run learned from something else. */
sb_status sb_evaluate_open_text(sb_setup *setup, sb_settings *options, const char *run_path, sb_characters *characters);

typedef struct sb_evaluation {
    size_t n;    /* frames predicted, or images */
    double mean; /* mean of their losses */
    double sd;   /* sample standard deviation of the losses of frames; for images, of the losses of batches */
} sb_evaluation;

/* One pass over the data (for images: the test images if there are any, else the training images), forward only. */
sb_status sb_evaluate_loss(sb_setup *setup, sb_evaluation *evaluation);

/* Called for each sample: its number in the data set, and true and predicted bytes [h][w][c]. */
typedef sb_status sb_evaluate_visit(void *context, size_t frame, const uint8_t *truth, const uint8_t *predicted);

/* Visit the predictions of frames first .. first + n - 1 of the data set. The network runs from the beginning of their
 * sequence. The first frame of a sequence has no prediction and is left out. For images: reconstructions. Stops at the
 * first status of `visit` that is not SB_OK. */
sb_status sb_evaluate_frames(sb_setup *setup, size_t first, size_t n, sb_evaluate_visit *visit, void *context);

/* Visit the predictions of all samples that sb_evaluate_loss evaluates, test images by their number among these. */
sb_status sb_evaluate_all(sb_setup *setup, sb_evaluate_visit *visit, void *context);
