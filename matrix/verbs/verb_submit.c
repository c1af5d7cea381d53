#include "matrix/verbs/verbs.h"

#include "matrix/data/data_source.h"
#include "matrix/process/process.h"
#include "matrix/run/plan.h"
#include "matrix/slurm/job_array.h"
#include "matrix/slurm/slurm.h"
#include "matrix/verbs/matrix_session.h"

#include "core/file.h"
#include "core/text/plural.h"

#include <stdio.h>
#include <stdlib.h>

/* Take out of the plan what waits or runs in Slurm already. */
static sb_status leave_queued(sb_plan *plan, const char *results)
{
    sb_slurm_queue queue;
    SB_TRY(sb_slurm_queue_read(&queue, results));
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++) {
        if (sb_slurm_queue_find(&queue, plan->item[i])) continue;
        plan->item[n] = plan->item[i];
        plan->seconds[n++] = plan->seconds[i];
    }
    if (n < plan->n) fprintf(stderr, "%zu cell%s in Slurm's queue already\n", plan->n - n, sb_plural(plan->n - n));
    plan->n = n;
    sb_slurm_queue_free(&queue);
    return SB_OK;
}

static sb_status print_scripts(const sb_arrays *arrays, const sb_slurm_settings *settings)
{
    for (size_t i = 0; i < arrays->n; i++) {
        char *script;
        SB_TRY(sb_slurm_script(&script, &arrays->item[i], settings));
        fputs(script, stdout);
        free(script);
    }
    return SB_OK;
}

/* Every array gets its try: a cluster may lack one GPU of several. */
static sb_status submit_all(const sb_arrays *arrays, const sb_slurm_settings *settings)
{
    size_t refused = 0;
    for (size_t i = 0; i < arrays->n; i++) {
        char job[SB_SLURM_JOB];
        const sb_array *array = &arrays->item[i];
        if (sb_slurm_submit(job, array, settings) == SB_OK) {
            printf("%s %zu %s/slurm/%s\n", job, array->n, settings->results, array->name);
        } else {
            fprintf(stderr, "%s\n", sb_message());
            refused++;
        }
    }
    if (!refused) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "%zu of %zu job arrays were not submitted; the same command tries them again", refused,
                   arrays->n);
}

static sb_status submit_plan(const sb_plan *plan, const sb_cells *cells, const sb_matrix_session_options *o)
{
    char program[SB_PATH_MAX];
    SB_OWNED(sb_arrays_free) sb_arrays arrays = {0};
    sb_slurm_settings settings = {.results = o->results,
                                  .time = o->time,
                                  .partition = o->partition,
                                  .account = o->account,
                                  .memory = o->memory,
                                  .max_parallel = o->max_parallel};
    size_t tasks_most;
    SB_TRY(sb_slurm_tasks_most(&tasks_most));
    SB_TRY(sb_arrays_make(&arrays, cells, plan, o->gres, tasks_most));
    sb_process_program("samebits-matrix", program);
    SB_OWNED(sb_argv_free) sb_argv run = {0};
    sb_matrix_session_run_argv(&run, program, o);
    settings.run = &run;
    SB_TRY(sb_argv_check(&run));
    return o->print ? print_scripts(&arrays, &settings) : submit_all(&arrays, &settings);
}

/* Each task takes a lock there; without locks all of them would fail, one after the other. */
static sb_status check_results(const char *results)
{
    SB_TRY(sb_folder_make(results));
    return sb_lock_check(results);
}

static sb_status submit(sb_plan *plan, const sb_cells *cells, const sb_matrix_session_options *o)
{
    if (!o->print) SB_TRY(sb_slurm_check());
    SB_TRY(leave_queued(plan, o->results));
    sb_plan_print(plan, stderr);
    if (!plan->n) {
        fprintf(stderr, "nothing to submit\n");
        return SB_OK;
    }
    if (!o->print) SB_TRY(check_results(o->results));
    for (size_t i = 0; !o->print && i < plan->n_sources; i++)
        SB_TRY(sb_data_source_ensure(plan->source[i], o->data, o->mirror, stderr));
    return submit_plan(plan, cells, o);
}

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    {.name = "--slurm",
     .kind = SB_KIND_FLAG,
     .offset = offsetof(sb_matrix_session_options, slurm),
     .help = "to Slurm, the cluster that is known",
     .is_needed = true},
    SB_OPTION_FLAG(sb_matrix_session_options, print, "--print", "print the job scripts and submit nothing"),
    SB_OPTION_TEXT(sb_matrix_session_options, partition, "--partition", "NAME", NULL, "option of sbatch"),
    SB_OPTION_TEXT(sb_matrix_session_options, account, "--account", "NAME", NULL, "option of sbatch"),
    SB_OPTION_TEXT(sb_matrix_session_options, time, "--time", "TIME", NULL,
                   "option of sbatch for each cell (default: twice the predicted time, or a day)"),
    SB_OPTION_TEXT(sb_matrix_session_options, memory, "--mem", "SIZE", NULL, "option of sbatch for each cell"),
    SB_OPTION_TEXT(sb_matrix_session_options, gres, "--gres", "TEXT", "gpu:NAME:1",
                   "option of sbatch for a cell on a GPU; NAME: its hardware"),
    SB_OPTION_INT(sb_matrix_session_options, max_parallel, "--max-parallel", "N", "0", 0, 1e6,
                  "tasks of an array that run at the same time; 0: no limit"),
    SB_SESSION_ORDER,
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_SESSION_ENGINE,
    SB_SESSION_MIRROR,
    SB_OPTION_END,
};

static sb_status submit_cells(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    SB_OWNED(sb_plan_free) sb_plan plan = {0};
    const sb_matrix_session_options *o = &w.options;
    SB_TRY(sb_matrix_session_open(&w, call));
    sb_looker looker = sb_matrix_session_looker(&w);
    SB_TRY(sb_plan_make(&plan, w.cells, &w.selection, &looker,
                        (sb_plan_request){.elsewhere = true, .order = o->order, .order_seed = o->order_seed}));
    return submit(&plan, w.cells, o);
}

const sb_command sb_verb_submit = {
    .program = "samebits-matrix",
    .verb = "submit",
    .summary = "run all cells that are not complete on a cluster, one job array for each kind of node",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'. The key 'gres' of a hardware row has priority over --gres.\n"
        "Prints one line for each array: job, cells, folder of its script, list of cells and logs.\n"
        "Every node must see program, matrix, data and results. If a node has its own results, copy DIR/runs back;\n"
        "'samebits-matrix collect' merges them.\n"
        "exit codes: 0 all are submitted or complete, 1 sbatch refused some, 2 usage, 4 no Slurm or no data, 5 "
        "nothing selected\n",
    .run = submit_cells,
};
