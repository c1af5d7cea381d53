/* Fitness of the individuals by generation, of runs without gradients: a panel for each arm. */
#include "paper/figures/figures.h"

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_figure_counts counts = {0};
    for (size_t i = 0; i < s->generations->n; i++) sb_figure_count_runs(&counts, s->generations->panel[i].n_runs);
    sb_write(out, "Mean cross-entropy of the best, the median and the worst individual of each generation: the median "
                  "over the seeds as a line, their range as a band; ");
    sb_figure_write_counts(out, &counts, "seed");
    sb_write(out,
             " The best ones become parents; of random search each generation is drawn anew, so that its best one is "
             "not the best so far. Logarithmic axis, the same for all panels.");
}

void sb_figure_search_setting(const sb_result *cell, char text[SB_FIGURE_TITLE])
{
    const char *form = *cell->blas_kernel                       ? cell->blas_kernel
                       : cell->evidence == SB_EVIDENCE_IMITATED ? cell->arithmetic
                                                                : "";
    const int n = snprintf(text, SB_FIGURE_TITLE, "%s%s%s", cell->backend, *form ? " " : "", form);
    if (cell->threads > 1 && n < SB_FIGURE_TITLE)
        snprintf(text + n, SB_FIGURE_TITLE - (size_t)n, ", %ld threads", (long)cell->threads);
}

void sb_figure_search_title(const sb_result *cell, char title[SB_FIGURE_TITLE])
{
    char setting[SB_FIGURE_TITLE];
    sb_figure_search_setting(cell, setting);
    snprintf(title, SB_FIGURE_TITLE, "%.32s: %.16s, %.96s", cell->study, cell->search, setting);
}

static const sb_series series[SB_N_RANKS] = {
    [SB_RANK_BEST] = {"best", SB_CURVE, SB_STYLE_SOURCE + SB_RANK_BEST, "best"},
    [SB_RANK_MEDIAN] = {"median", SB_CURVE, SB_STYLE_SOURCE + SB_RANK_MEDIAN, "median"},
    [SB_RANK_WORST] = {"worst", SB_CURVE, SB_STYLE_SOURCE + SB_RANK_WORST, "worst"},
};

static const sb_chart_form form = {
    .layout = {.panel_height = 180},
    .x = {.label = "generation", .column = "generation", .kind = SB_SCALE_COUNT, .high = 1},
    .y = {.label = "cross-entropy", .column = "median", .room = 0.04},
    .series = series,
    .n_series = SB_N_RANKS,
    .band = "range of seeds",
};

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    for (size_t i = 0; i < s->generations->n; i++) {
        const sb_curve_panel *arm = &s->generations->panel[i];
        char title[SB_FIGURE_TITLE];
        sb_figure_search_title(arm->cell, title);
        sb_chart_panel(chart, title);
        for (int k = 0; k < SB_N_RANKS; k++) sb_figure_curve(chart, &arm->curve[k], k, SB_FIGURE_CURVE_POINTS);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_fitness = {
    .name = "fitness",
    .label = "Best, median and worst individual by generation",
    .section = SB_SECTION_GENERATIONS,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
