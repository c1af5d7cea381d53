#include "simulate_parts.h"

const size_t sb_simulated_n[SB_N_SIZES] = {5, 6, 8, SB_MOST_VALUES};

sb_status sb_simulate(size_t trials, sb_rate_taker *take, void *context)
{
    SB_TRY(sb_simulate_tests(trials, take, context));
    SB_TRY(sb_simulate_margins(trials, take, context));
    SB_TRY(sb_simulate_crossed(trials, take, context));
    return sb_simulate_verdicts(trials, take, context);
}
