/* Final losses against rules that learn nothing (io/baselines.h), as entries of the register. STUDY is the group's
 * part, SETTING the setting's (arms.h), BASELINE repeat-last, mean-frame or linear, METRIC loss-last or loss-mean:
 *
 *     STUDY.baseline.BASELINE.METRIC       its loss over the windows that the final losses of the runs are means of
 *     STUDY.over-BASELINE.METRIC           mean final loss of all runs over it, with the least and the most of a run
 *     STUDY.SETTING.TARGET.METRIC.over-BASELINE   the same of one arm
 *
 * None where the table has no row for the runs, or where the runs of the group are not of one length.
 */
#ifndef SB_PAPER_EFFECTS_AGAINST_BASELINES_H
#define SB_PAPER_EFFECTS_AGAINST_BASELINES_H

#include "paper/effects/arms.h"
#include "paper/numbers/numbers.h"
#include "paper/results/baseline_losses.h"

sb_status sb_against_baselines_add(sb_numbers *numbers, const sb_arms *arms, const sb_baseline_losses *losses);

/* Of all runs of a group; NAN: there is none, or not one for all. */
double sb_group_baseline(const sb_group *group, const sb_baseline_losses *losses, sb_baseline_id id, sb_metric metric);

#endif
