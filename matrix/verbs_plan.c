#include "verbs.h"

#include "forecast.h"
#include "plan.h"
#include "work.h"

#include <stdio.h>

static sb_status print_plan(sb_plan *plan, const sb_work *w)
{
    sb_forecast forecast;
    SB_TRY(sb_forecast_make(&forecast, plan, &w->selection, (int)w->options.jobs));
    sb_forecast_print(&forecast, (int)w->options.jobs, w->options.results, stdout);
    sb_forecast_free(&forecast);
    return SB_OK;
}

static const sb_option options[] = {
    SB_WORK_FILE, SB_WORK_FILTER, SB_WORK_WISH, SB_WORK_JOBS, SB_WORK_ORDER, SB_WORK_RESULTS,
    SB_WORK_DATA, SB_WORK_MIRROR, SB_OPTION_END,
};

static sb_status plan(const sb_call *call)
{
    sb_work w = {0};
    sb_plan plan;
    sb_status status = sb_work_open(&w, call);
    sb_looker looker = sb_work_looker(&w.options);
    if (status == SB_OK) {
        status = sb_plan_make(&plan, w.cells, &w.selection, &looker, sb_work_wish(&w.options));
        if (status == SB_OK) {
            status = sb_plan_guess(&plan, w.cells, w.options.results);
            if (status == SB_OK) status = print_plan(&plan, &w);
            sb_plan_free(&plan);
        }
    }
    return sb_work_close(&w, status);
}

const sb_command sb_verb_plan = {
    .program = "samebits-matrix",
    .verb = "plan",
    .summary = "what 'run' with the same options would do: how many cells, how long, how much disk",
    .options = options,
    .values_bytes = sizeof(sb_work_options),
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'.\n"
        "Times are seconds per update of finished runs in this results folder: of the same study, backend, threads "
        "and\n"
        "hardware, else of the same network and data on something else. Where there are none, timings of collected studies\n"
        "(RESULTS/NAME/timing.csv) give a rough figure, scaled by one small window that is timed here; else it is unknown.\n",
    .run = plan,
};
