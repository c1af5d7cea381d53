/* The number of a verdict in the register: the ratio of two sides with interval and p, its formula, and the cells of both. */
#ifndef SB_PAPER_EFFECTS_VERDICT_NUMBER_H
#define SB_PAPER_EFFECTS_VERDICT_NUMBER_H

#include "paper/effects/sample.h"
#include "paper/effects/verdict.h"
#include "paper/numbers/numbers.h"

/* of, over: the sides of the verdict. what: what the ratio is of, as it follows the metric in the formula: ", one arm over
 * the other". SB_E_MEMORY. */
sb_status sb_verdict_number_add(sb_numbers *numbers, const char label[SB_NUMBER_LABEL], const sb_verdict *verdict,
                                sb_sample of, sb_sample over, sb_metric metric, const char *what);

#endif
