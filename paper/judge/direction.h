/* Which values of a metric are better, where a collected table's matrix file says it: 'better' of its metrics, which
 * coverage.csv next to the table keeps (matrix/collect/coverage.h). */
#ifndef SB_PAPER_JUDGE_DIRECTION_H
#define SB_PAPER_JUDGE_DIRECTION_H

#include <stdbool.h>

/* Are higher values of that metric better? false as well where no coverage.csv is there, or it does not say. */
bool sb_judge_higher(const char *table, const char *metric);

#endif
