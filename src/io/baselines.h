/* How well a video is predicted by rules that learn nothing, over the windows of a run's last fifth of updates, over
 * which the run's losses are means. A network that does not beat them has not learned to predict.
 *
 *     SB_TRY(sb_baselines_open(&baselines, dataset));
 *     SB_TRY(sb_baselines_compute(baselines, 20, 250, baseline));
 *     printf("%s %.9g\n", sb_baseline_name[SB_BASELINE_REPEAT], baseline[SB_BASELINE_REPEAT].loss_last);
 *     sb_baselines_close(baselines);
 *
 * The loss is the one of training: the mean squared error of a frame, pixels in [0, 1].
 */
#pragma once

#include "core/rows/metrics.h"
#include "core/text/writer.h"
#include "io/dataset.h"

/* ROW(ID, function, name, what it predicts): the error of the rule is error_FUNCTION of baselines.c.
 * mean-frame knows frames that a run has not seen yet. linear is clipped to [0, 1], as what the network predicts is;
 * the second frame of a sequence has one frame before it, which linear then repeats. */
/* clang-format off */
#define SB_BASELINES(ROW)                                                                                              \
    ROW(REPEAT, repeat, "repeat-last", "the frame before")                                                             \
    ROW(MEAN, mean, "mean-frame", "the mean of all frames of the data set")                                            \
    ROW(LINEAR, linear, "linear", "the frame before and its change against the one before that")
/* clang-format on */

typedef enum sb_baseline_id {
#define SB_BASELINE_ID(ID, ...) SB_BASELINE_##ID,
    SB_BASELINES(SB_BASELINE_ID) SB_N_BASELINES
#undef SB_BASELINE_ID
} sb_baseline_id;

extern const char *const sb_baseline_name[SB_N_BASELINES];
extern const char *const sb_baseline_rule[SB_N_BASELINES];

typedef struct sb_baseline {
    SB_METRIC_FINAL_FIELDS /* loss_last, loss_mean */
} sb_baseline;

typedef struct sb_baselines sb_baselines;

/* Reads all frames once. The data set stays the caller's and must outlive this. SB_E_USAGE: no video. */
sb_status sb_baselines_open(sb_baselines **baselines, sb_dataset *dataset);
void sb_baselines_close(sb_baselines *baselines); /* NULL is fine */

/* The mean squared difference of neighboring frames over the whole data set: how much there is to predict. 0 where no
 * sequence has two frames. */
double sb_baselines_change(const sb_baselines *baselines);

/* The baselines for a run with windows of `window` frames and `updates` updates. SB_E_USAGE: the data set has no such
 * window. */
sb_status sb_baselines_compute(sb_baselines *baselines, int window, long updates, sb_baseline baseline[SB_N_BASELINES]);

/* The rows of baselines.csv (io/columns.h) of such a run; name and digest are the data set's. */
sb_status sb_baselines_write(sb_baselines *baselines, sb_writer *csv, const char *name, const char *digest, int window,
                             long updates);
