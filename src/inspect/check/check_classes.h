/* Shared by the checks of networks that classify: the images and labels of a golden file, and an update on a batch of
 * them. */
#pragma once

#include "inspect/check/check_parts.h"

enum { SB_CHECK_CLASSES = 10, SB_CHECK_UPDATES_MOST = 64 };

/* The images of a file [n][c][h][w], and memory for a batch in the form of the network's input. */
typedef struct sb_check_pictures {
    size_t n, c, h, w, size; /* size: numbers of one image */
    long batch;
    uint8_t *bytes, *labels; /* labels NULL: none */
    uint8_t *batch_labels;
    sb_real *values, *mirrored;
} sb_check_pictures;

/* Read the data set `images` of the file, and allocate memory for batches. SB_E_INTEGRITY: it has another form. Call
 * sb_check_free_pictures also after a failure. */
sb_status sb_check_take_pictures(sb_check *c, sb_check_pictures *p, const char *images, long batch);
void sb_check_free_pictures(sb_check_pictures *p);

/* Read /labels, one for each image. SB_E_INTEGRITY: a label is not a class. */
sb_status sb_check_read_labels(sb_check *c, sb_check_pictures *p);

/* Read the learning rates of the n updates, at most SB_CHECK_UPDATES_MOST. */
sb_status sb_check_read_rates(sb_check *c, const char *name, size_t *n, double lr[SB_CHECK_UPDATES_MOST]);

/* sb_check_settle, with the tolerance for a network that classifies. */
sb_status sb_check_settle_classes(sb_check *c);

/* Compare the logits of the last pass, n samples, with a data set of the file from row `first` on. */
sb_status sb_check_logits(sb_check *c, int kind, const char *name, size_t first, size_t n);

/* Learn from the batch, and compare logits, gradient, weights and optimizer state with the groups below prefix. */
sb_status sb_check_update_on_batch(sb_check *c, const sb_check_pictures *p, const char *prefix, long update,
                                   sb_step_result *result);
