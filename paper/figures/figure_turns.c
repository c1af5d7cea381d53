/* Where an arithmetic first turned a comparison of two losses in a run of Deep GA: a strip for each arm. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

#include <math.h>

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    char title[SB_FIGURE_TITLE];
    sb_figure_search_setting(s->turns->arm[0].reference, title);
    sb_write(out,
             "The first generation in which the parents of a run, by rank, differ from the run with the same "
             "seed of %s: there the order of two losses differs. A point for each such run; filled measured, "
             "open emulated, crosses imitated.",
             title);
    for (size_t i = 0; i < s->turns->n; i++) {
        const sb_turn_arm *arm = &s->turns->arm[i];
        sb_figure_search_setting(arm->cell, title);
        sb_write(out, " %s: %zu of %zu run%s in %ld generation%s.", title, arm->n_turned, arm->n, sb_plural(arm->n),
                 arm->generations, sb_plural((size_t)arm->generations));
    }
}

static const sb_series series[] = {SB_RATIO_MARKS(NULL, NULL, NULL, 0, 0.1)};

static const sb_chart_form form = {
    .rows = SB_ROWS_STRIPS,
    .x = {.label = "generation", .column = "generation", .kind = SB_SCALE_COUNT},
    .series = series,
    .n_series = SB_N_EVIDENCES_OF_RUNS,
};

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_turns *turns = s->turns;
    if (turns->n) sb_chart_panel(chart, "first other order of parents");
    for (const sb_turn_arm *arm = turns->arm; arm < turns->arm + turns->n; arm++) {
        char title[SB_FIGURE_TITLE], number[64];
        sb_figure_search_setting(arm->cell, title);
        snprintf(number, sizeof number, "%zu of %zu runs", arm->n_turned, arm->n);
        sb_chart_row(chart, title, number);
        chart->form.x.high = fmax(chart->form.x.high, (double)arm->generations);
        for (const sb_turn *turn = arm->turn; turn < arm->turn + arm->n; turn++)
            if (turn->generation >= 0)
                sb_chart_mark(chart,
                              (sb_point){.series = (int)arm->cell->evidence,
                                         .x = (double)turn->generation,
                                         .seed = &turn->cell->seed},
                              "seed %ld: generation %ld; runs %.8s and %.8s", turn->cell->seed, turn->generation,
                              turn->cell->hash, turn->reference->hash);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_turns = {
    .name = "turns",
    .label = "The first comparison that an arithmetic turned, by generation",
    .section = SB_SECTION_GENERATIONS,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
