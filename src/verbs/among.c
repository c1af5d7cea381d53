#include "verbs/among.h"

#include "backend/backend.h"
#include "rank/launch.h"

/* Of one process, or of one of several. */
static sb_status work_among(const sb_call *call, sb_settings *settings, sb_ranks *ranks, sb_verb_work *work)
{
    sb_setup setup;
    if (settings->ranks == 1) settings->ranks = sb_ranks_size(ranks);
    const sb_status own = sb_setup_open_among(&setup, settings, ranks);
    sb_status status = sb_ranks_agree(ranks, own);
    if (status == SB_OK) status = work(call->values, &setup);
    if (own == SB_OK) sb_setup_close(&setup);
    return status;
}

sb_status sb_verb_among(const sb_call *call, sb_settings *settings, long rank_timeout_s, sb_verb_work *work)
{
    sb_launch launch;
    sb_ranks *ranks;
    SB_TRY(sb_launch_read(&launch));
    if (launch.size > 1 && !sb_ranks_can_open()) return sb_launch_hand_over(&launch, call->argv);
    SB_TRY(sb_backend_prepare(settings->backend, settings->blas_kernel, settings->threads, call->argv));
    SB_TRY(sb_ranks_open(&ranks, (double)rank_timeout_s));
    const sb_status status = sb_ranks_fail(ranks, work_among(call, settings, ranks, work));
    sb_ranks_close(ranks);
    return status;
}
