/* What the files of the simulation share. */
#pragma once

#include "simulate.h"

enum { SB_N_SIZES = 4, SB_MOST_VALUES = 10 };
extern const size_t sb_simulated_n[SB_N_SIZES]; /* 5, 6, 8, 10 */

/* The rates of each kind, in a fixed order. */
sb_status sb_simulate_tests(size_t trials, sb_rate_taker *take, void *context);    /* intervals and tests */
sb_status sb_simulate_margins(size_t trials, sb_rate_taker *take, void *context);  /* of a one-ulp ensemble */
sb_status sb_simulate_crossed(size_t trials, sb_rate_taker *take, void *context);  /* data sets and starts */
sb_status sb_simulate_verdicts(size_t trials, sb_rate_taker *take, void *context); /* of pairs, false and right */
