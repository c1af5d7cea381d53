/* A verb that trains, in one process or in one of several (rank/ranks.h): it hands over to the program with MPI, opens
 * the ranks and the setup, does its work, and all ranks end together.
 *
 *     static sb_status work(void *values, sb_setup *setup);
 *     return sb_verb_among(call, &values->setup, values->rank_timeout, work);
 */
#pragma once

#include "core/command/options.h"
#include "train/setup.h"

#define SB_OPTION_RANK_TIMEOUT(type)                                                                                   \
    SB_OPTION_INT(type, rank_timeout, "--rank-timeout", "SECONDS", "300", 1, 1e6,                                      \
                  "ranks: time to wait for a rank before all end; longer than one update")

/* With the verb's values and an open setup. What it returns all ranks agree on. */
typedef sb_status sb_verb_work(void *values, sb_setup *setup);

/* The settings are among the values of the call. Without --ranks they are as many as were started. */
sb_status sb_verb_among(const sb_call *call, sb_settings *settings, long rank_timeout_s, sb_verb_work *work);
