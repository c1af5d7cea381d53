/* What the files of the statistics share. */
#pragma once

#include "paper/statistics/stats.h"

#include <gsl/gsl_rng.h>

sb_status sb_stats_fail_memory(void);

/* A generator at the start of its one sequence; NULL when memory is short. */
gsl_rng *sb_stats_rng(void);
