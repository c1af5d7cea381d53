/* The numbers of the arms and pairs as entries of the register (numbers.h). STUDY is the group's part, SETTING the
 * setting's (arms.h), METRIC loss-last or loss-mean:
 *
 *     STUDY.SETTING.TARGET.METRIC          mean of the final losses, with its interval
 *     STUDY.SETTING.TARGET.METRIC.sd       their standard deviation; the same .se (of the mean), .min, .median, .max
 *     STUDY.SETTING.TARGET.seconds         mean wall time of a run
 *     STUDY.SETTING.TARGET.accuracy        of networks that classify: percent of the test images that are right, mean
 *                                          and range over seeds
 *     STUDY.SETTING.shared-over-copy.METRIC    ratio of the pairs, with interval and p; the same .median, of the pairs'
 *                                              ratios, and .without-one, the ratio's range without one of the pairs
 */
#ifndef SB_PAPER_EFFECTS_MEASURES_H
#define SB_PAPER_EFFECTS_MEASURES_H

#include "paper/effects/arms.h"
#include "paper/numbers/numbers.h"

/* A metric as part of a label. */
extern const char *const sb_metric_part[SB_N_METRICS]; /* "loss-last", "loss-mean" */

sb_status sb_measures_add(sb_numbers *numbers, const sb_arms *arms);

#endif
