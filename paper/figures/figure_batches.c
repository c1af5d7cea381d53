/* The share of test images that are wrong by the size of the batch: a panel for each optimiser, a point for each run,
 * and means with their intervals. */
#include "paper/figures/figures.h"

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_figure_counts counts = {0};
    for (const sb_batch_line *line = s->batches->line; line < s->batches->line + s->batches->n; line++)
        for (size_t i = 0; i < line->n; i++) sb_figure_count_runs(&counts, line->arm[i].error.n);
    sb_write(out, "Share of wrong test images at the end of training, by batch; each batch has its own learning rate. "
                  "Point: a run; diamond: mean of the condition, with its 95 %% interval from five runs on; ");
    sb_figure_write_counts(out, &counts, "run");
    sb_write(out, " Logarithmic axes, the same for all panels.");
}

enum { LINE = SB_N_RATIO_SERIES, N_SERIES };

static const sb_series series[N_SERIES] = {
    SB_RATIO_MARKS(NULL, NULL, NULL, 0, 0),
    [SB_SERIES_MEAN] = {"mean", SB_MEANS, SB_STYLE_MEAN},
    [LINE] = {"line", SB_LINE, SB_STYLE_JOIN},
};

static const sb_chart_form form = {
    .layout = {.panel_height = 180, .gap = 24},
    .x = {.label = "batch", .column = "batch", .kind = SB_SCALE_VALUES, .room = 0.04},
    .y = {.label = "test images wrong, %", .column = "wrong", .room = 0.04},
    .series = series,
    .n_series = N_SERIES,
};

static void add_arm(sb_chart *chart, const sb_batch_arm *arm)
{
    const sb_summary *error = &arm->error;
    const double batch = (double)arm->arm->cell[0]->batch, mean = 100 * error->mean;
    sb_chart_point(chart, (sb_point){.series = LINE, .x = batch, .y = mean});
    for (size_t j = 0; j < arm->arm->n; j++) {
        const sb_result *cell = arm->arm->cell[j];
        const double percent = 100 * cell->loss[SB_METRIC_ERROR];
        sb_chart_mark(chart, (sb_point){.series = (int)cell->evidence, .x = batch, .y = percent, .seed = &cell->seed},
                      "seed %ld: %.4g %%; run %.8s", cell->seed, percent, cell->hash);
    }
    sb_chart_point(chart, (sb_point){SB_SERIES_MEAN, batch, mean, 100 * error->low, 100 * error->high, NULL});
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    for (const sb_batch_line *line = s->batches->line; line < s->batches->line + s->batches->n; line++) {
        sb_chart_panel(chart, line->name);
        for (size_t k = 0; k < line->n; k++) add_arm(chart, &line->arm[k]);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_batches = {
    .name = "batches",
    .label = "Share of wrong test images by batch and optimizer",
    .section = SB_SECTION_BATCHES,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
