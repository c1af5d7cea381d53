/* How long training takes until a network is right often enough, and how often it comes there: from the validations of
 * run files, by the rules of DAWNBench (https://dawn.cs.stanford.edu/benchmark/). The clock counts the training:
 * without reading files, evaluations and checkpoints (docs/specification.md, section 10).
 *
 *     sb_time_run run;
 *     SB_TRY(sb_time_read(&run, "run.h5", 94));
 *     if (run.at) printf("%.1f s\n", run.epoch[run.at - 1].seconds);
 *     sb_time_free(&run);
 */
#ifndef SB_PAPER_JUDGE_TIME_TO_ACCURACY_H
#define SB_PAPER_JUDGE_TIME_TO_ACCURACY_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sb_time_epoch {
    double seconds; /* of training so far */
    double percent; /* right: with the mirror images where the run's settings say so */
} sb_time_epoch;

typedef struct sb_time_run {
    const char *path; /* the caller's */
    char images[32];
    int64_t n_images;
    size_t n, at; /* epochs; at: the first one that is right often enough, from 1; 0: none */
    sb_time_epoch *epoch;
} sb_time_run;

/* A finished run that was validated after each epoch; SB_E_USAGE if it was not. threshold: percent. */
sb_status sb_time_read(sb_time_run *run, const char *path, double threshold);
void sb_time_free(sb_time_run *run);

/* Of k of n runs the share, and its 95 % interval by Wilson's score (JASA 22 (1927) 209-212). */
typedef struct sb_share {
    double share, low, high;
} sb_share;
sb_share sb_share_of(size_t k, size_t n);

#endif
