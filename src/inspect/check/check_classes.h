/* What the checks of networks that classify share: the pictures and labels of a golden file, and one update on a batch of
 * them. */
#ifndef SB_INSPECT_CHECK_CLASSES_H
#define SB_INSPECT_CHECK_CLASSES_H

#include "inspect/check/check_parts.h"

enum { SB_CHECK_CLASSES = 10, SB_CHECK_UPDATES_MOST = 64 };

/* The pictures of a file [n][c][h][w], and room for a batch of them as the network gets them, twice. */
typedef struct sb_check_pictures {
    size_t n, c, h, w, size; /* size: numbers of one */
    long batch;
    uint8_t *bytes, *labels; /* labels NULL: none */
    uint8_t *batch_labels;
    sb_real *values, *mirrored;
} sb_check_pictures;

/* The data set `images` of the file whole, and room for batches. SB_E_INTEGRITY: it has another form. What was taken is
 * to be freed in any case. */
sb_status sb_check_take_pictures(sb_check *c, sb_check_pictures *p, const char *images, long batch);
void sb_check_free_pictures(sb_check_pictures *p);

/* /labels, one for each picture. SB_E_INTEGRITY: one of them is no class. */
sb_status sb_check_read_labels(sb_check *c, sb_check_pictures *p);

/* The learning rates of the updates, at most SB_CHECK_UPDATES_MOST, and how many there are. */
sb_status sb_check_read_rates(sb_check *c, const char *name, size_t *n, double lr[SB_CHECK_UPDATES_MOST]);

/* sb_check_settle, with the tolerance of such a network. */
sb_status sb_check_settle_classes(sb_check *c);

/* The logits of the last pass, n samples, against a data set of the file from row `first` on. */
sb_status sb_check_logits(sb_check *c, int kind, const char *name, size_t first, size_t n);

/* Learn from the batch, and hold logits, gradient, weights and optimizer state against the groups below prefix. */
sb_status sb_check_update_on_batch(sb_check *c, const sb_check_pictures *p, const char *prefix, long update,
                                   sb_step_result *result);

#endif
