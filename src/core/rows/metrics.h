/* The metrics of a run, declared once. From a row follow the fields of a step's result, of the journal's records and of
 * a run's summary, the columns of /train with unit and long name, and FINAL metrics in /final, cells.csv,
 * curves.csv and reports. A metric is computed by what measures the network's loss (net/net.h; of a list of layers
 * net/losses/), the norm of the gradient in train/learner.c.
 *
 *     GROUP(ID, key, unit, title, long_name)
 *
 * GROUP   FINAL: a run is judged by it, by its mean over the last fifth of the updates. UPDATE: one number an update.
 *         Every network has both. CLASS: one number an update, of networks that classify; in files of others there is no
 *         such column
 * key     the field, the column and the name in files
 * title   what reports call it
 *
 * The journal has the fields in this order; a run that was begun without a row does not go on. */
#pragma once

/* clang-format off */
#define SB_METRICS(FINAL, UPDATE, CLASS)                                                                               \
    FINAL(LAST, loss_last, "1", "last-frame loss",                                                                     \
          "mean squared error of the window's last frame, before the update")                                          \
    FINAL(MEAN, loss_mean, "1", "window-mean loss", "mean squared error of the window, before the update")             \
    UPDATE(GRAD_NORM, grad_norm, "1", "norm of the gradient", "L2 norm of the gradient")                               \
    CLASS(CROSS_ENTROPY, cross_entropy, "1", "cross-entropy",                                                          \
          "mean cross-entropy of the batch without label smoothing, before the update")                                \
    CLASS(CORRECT, correct, "1", "right samples", "samples of the batch whose class was right, before the update")
/* clang-format on */

/* What a finished run of a network that classifies is judged by in addition to these: a loss that has no curve.
 *
 *     LOSS(ID, key, unit, title, long_name) */
#define SB_TEST_LOSSES(LOSS)                                                                                           \
    LOSS(ERROR, error, "1", "test error", "share of the test images whose class is wrong at the end: 1 - accuracy")    \
    LOSS(TEST_CROSS_ENTROPY, test_cross_entropy, "1", "held-out loss",                                                 \
         "mean cross-entropy of the test images, or of the held-out tokens of a text, at the end")

#define SB_METRIC_NONE(...)

/* The fields of a struct. */
#define SB_METRIC_FIELD(ID, key, ...) double key;
#define SB_METRIC_FIELDS              SB_METRICS(SB_METRIC_FIELD, SB_METRIC_FIELD, SB_METRIC_FIELD)
#define SB_METRIC_FINAL_FIELDS        SB_METRICS(SB_METRIC_FIELD, SB_METRIC_NONE, SB_METRIC_NONE)

/* The metrics of an update. loss_last is what the study logged; of a network that classifies both losses are the mean
 * over the batch, with the smoothing of labels. grad_norm is NaN where the gradient was not kept. */
typedef struct sb_step_result {
    SB_METRIC_FIELDS
} sb_step_result;

/* The FINAL ones, in order; after them the losses of the test images. */
typedef enum sb_metric {
#define SB_METRIC_ID(ID, ...) SB_METRIC_##ID,
    SB_METRICS(SB_METRIC_ID, SB_METRIC_NONE, SB_METRIC_NONE) SB_N_METRICS,
    SB_METRIC_LAST_WITH_A_CURVE = SB_N_METRICS - 1,
    SB_TEST_LOSSES(SB_METRIC_ID) SB_N_LOSSES
#undef SB_METRIC_ID
} sb_metric;
