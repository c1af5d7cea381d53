#include "verbs.h"

#include "reasons.h"
#include "slurm.h"
#include "store.h"
#include "work.h"

#include "core/plural.h"

#include <stdio.h>

static sb_status print_states(const sb_selection *selection, const sb_work_options *options)
{
    size_t count[SB_STATE_N] = {0}, n_damaged = 0;
    sb_reasons missing = {0}, lacking = {0};
    sb_looker looker = sb_work_looker(options);
    for (size_t i = 0; i < selection->n; i++) {
        const sb_cell *cell = selection->item[i];
        sb_store_look look;
        sb_look(&look, &looker, cell, sb_work_trust(options));
        const sb_state state = look.state;
        count[state]++;
        n_damaged += look.is_damaged;
        if (state == SB_STATE_HARDWARE_MISSING) sb_reasons_add(&missing, look.why);
        if (state == SB_STATE_DATA_MISSING) sb_reasons_add(&lacking, look.why);
        if (state == SB_STATE_FAILED || state == SB_STATE_RUNNING || state == SB_STATE_STALE)
            printf("%s %s /%.*s%s%s\n", sb_state_word(state), cell->name, SB_CELL_HASH_SHOWN, cell->hash,
                   *look.why ? ": " : "", look.why);
    }
    sb_reasons_print(&lacking, sb_state_word(SB_STATE_DATA_MISSING), stdout);
    sb_reasons_print(&missing, sb_state_word(SB_STATE_HARDWARE_MISSING), stdout);
    for (sb_state state = 0; state < SB_STATE_N; state++) printf("%-16s %zu\n", sb_state_word(state), count[state]);
    printf("%-16s %zu\n", "all", selection->n);
    if (n_damaged)
        return sb_fail(SB_E_INTEGRITY,
                       "%zu run file%s damaged; 'samebits-matrix run' moves such a file aside and trains "
                       "its cell again",
                       n_damaged, n_damaged == 1 ? " is" : "s are");
    size_t lacks = count[SB_STATE_DATA_MISSING], runnable = selection->n - count[SB_STATE_HARDWARE_MISSING] - lacks;
    if (count[SB_STATE_COMPLETE] == runnable && !lacks) return SB_OK;
    if (count[SB_STATE_COMPLETE] == runnable)
        return sb_fail(SB_E_PARTIAL, "%zu cell%s could run, if the data were here", lacks, sb_plural(lacks));
    return sb_fail(SB_E_PARTIAL, "%zu of %zu cells that can run here are not complete",
                   runnable - count[SB_STATE_COMPLETE], runnable);
}

/* What of the selection is on its way in a cluster. That Slurm does not answer is no reason to say nothing. */
static void print_queue(const sb_selection *selection, const char *results)
{
    sb_slurm_queue queue;
    size_t count[2] = {0};
    if (sb_slurm_queue_read(&queue, results) != SB_OK) fprintf(stderr, "%s\n", sb_message());
    for (size_t i = 0; i < selection->n; i++) {
        const sb_slurm_task *task = sb_slurm_queue_find(&queue, selection->item[i]);
        if (task) count[task->running]++;
    }
    if (queue.n) printf("in Slurm: %zu waiting, %zu running\n", count[false], count[true]);
    sb_slurm_queue_free(&queue);
}

static const sb_option options[] = {SB_WORK_FILE, SB_WORK_FILTER, SB_WORK_RESULTS,
                                    SB_WORK_DATA, SB_WORK_VERIFY, SB_OPTION_END};

static sb_status status_of(const sb_call *call)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, call);
    if (status == SB_OK) print_queue(&w.selection, w.options.results);
    if (status == SB_OK) status = print_states(&w.selection, &w.options);
    return sb_work_close(&w, status);
}

const sb_command sb_verb_status = {
    .program = "samebits-matrix",
    .verb = "status",
    .summary = "how many cells are in which state; 0 only if all that can run are complete",
    .options = options,
    .values_bytes = sizeof(sb_work_options),
    .epilogue = "FILTER: see 'samebits-matrix list --help'.\n",
    .run = status_of,
};
