/* What the files of the statistics share. */
#ifndef SB_PAPER_STATISTICS_STATS_PARTS_H
#define SB_PAPER_STATISTICS_STATS_PARTS_H

#include "paper/statistics/stats.h"

#include <gsl/gsl_rng.h>

sb_status sb_stats_fail_memory(void);

/* A generator at the start of its one sequence; NULL when memory is short. */
gsl_rng *sb_stats_rng(void);

#endif
