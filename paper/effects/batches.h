/* What the size of a batch does to the share of the test images that are wrong, optimiser by optimiser, each with the
 * rate that was chosen for it.
 *
 *   line   arms of one optimiser on one data set, by the same settings, that differ in the batch and in what is tuned
 *          with it: rate, momentum, weight decay, schedule, shards, number of updates. Local SGD is a line of its own.
 *   rise   how many more test images are wrong than at the smallest batch of the line, from the same starts
 *
 * A line that has a batch twice is a choice of rates and no line; without a line of two batches there is none.
 */
#ifndef SB_PAPER_EFFECTS_BATCHES_H
#define SB_PAPER_EFFECTS_BATCHES_H

#include "core/status.h"
#include "paper/effects/arms.h"
#include "paper/numbers/numbers.h"
#include "paper/statistics/stats.h"

#include <stddef.h>

enum { SB_BATCH_LINE_NAME = 96 };

typedef struct sb_batch_arm {
    const sb_arm *arm;
    sb_summary error; /* share of the test images */
    size_t n_pairs;   /* starts that the smallest batch has too; 0 of that one itself */
    sb_summary rise;  /* their differences, where there are any */
} sb_batch_arm;

typedef struct sb_batch_line {
    char name[SB_BATCH_LINE_NAME]; /* "momentum-buffer", "momentum-buffer, 8 local steps" */
    size_t n;
    sb_batch_arm *arm; /* [n], batches ascending */
} sb_batch_line;

typedef struct sb_batches { /* {0} holds none */
    size_t n;
    sb_batch_line *line; /* in the order of their first arms */
    sb_batch_arm *arms;  /* what the lines point into */
} sb_batches;

/* arms must outlive batches. SB_E_MEMORY is the only failure; a failed call leaves nothing to free. */
sb_status sb_batches_measure(sb_batches *batches, const sb_arms *arms);
void sb_batches_free(sb_batches *batches);

/* batch.STUDY.SETTING.error and batch.STUDY.SETTING.rise, in percent and in points. */
sb_status sb_batches_add(sb_numbers *numbers, const sb_batches *batches);

#endif
