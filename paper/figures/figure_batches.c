/* The share of test images that are wrong by the size of the batch: a panel for each optimiser, a point for each run,
 * and means with their intervals. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

#include <math.h>

static bool is_wanted(const sb_figure_subject *s)
{
    return s->batches->n > 0;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    size_t least = s->batches->line->arm->error.n, most = least;
    for (const sb_batch_line *line = s->batches->line; line < s->batches->line + s->batches->n; line++)
        for (size_t i = 0; i < line->n; i++) {
            if (line->arm[i].error.n < least) least = line->arm[i].error.n;
            if (line->arm[i].error.n > most) most = line->arm[i].error.n;
        }
    sb_write(out, "Share of wrong test images at the end of training, by batch; each batch has its own learning rate. "
                  "Point: a run; diamond: mean of the condition, with its 95 %% interval from five runs on; ");
    if (least == most)
        sb_write(out, "%zu run%s in each condition.", most, sb_plural(most));
    else
        sb_write(out, "%zu to %zu runs in a condition.", least, most);
    sb_write(out, " Logarithmic axes, the same for all panels.");
}

typedef struct range {
    double low, high, smallest, largest; /* percent; batches */
} range;

static double percent_of(const sb_result *cell)
{
    return 100 * cell->loss[SB_METRIC_ERROR];
}

/* Gnuplot has no place for 0 on a logarithmic axis. */
static double or_least(double percent, double least)
{
    return percent > 0 ? percent : least;
}

static double find_least(const sb_batches *batches)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < batches->n; i++)
        for (size_t k = 0; k < batches->line[i].n; k++)
            for (size_t r = 0; r < batches->line[i].arm[k].arm->n; r++) {
                const double percent = percent_of(batches->line[i].arm[k].arm->cell[r]);
                if (percent > 0) least = fmin(least, percent);
            }
    return isfinite(least) ? least : 0.01;
}

static void write_line(sb_writer *script, const sb_batch_line *line, size_t i, double least, range *r)
{
    sb_write(script, "# columns batch wrong words\n$run%zu << END\n", i + 1);
    for (size_t k = 0; k < line->n; k++)
        for (size_t j = 0; j < line->arm[k].arm->n; j++) {
            const sb_result *cell = line->arm[k].arm->cell[j];
            const double percent = or_least(percent_of(cell), least);
            sb_write(script, "%ld %.6g \"seed %ld: %.4g %%; run %.8s\"\n", cell->batch, percent, cell->seed,
                     percent_of(cell), cell->hash);
            r->low = fmin(r->low, percent), r->high = fmax(r->high, percent);
            r->smallest = fmin(r->smallest, (double)cell->batch), r->largest = fmax(r->largest, (double)cell->batch);
        }
    sb_write(script, "END\n# columns batch mean low high\n$mean%zu << END\n", i + 1);
    for (size_t k = 0; k < line->n; k++) {
        const sb_summary *error = &line->arm[k].error;
        const double mean = or_least(100 * error->mean, least);
        /* Without an interval a bar of no length keeps the mark. */
        const double low = isfinite(error->low) ? or_least(100 * error->low, least) : mean;
        const double high = isfinite(error->high) ? or_least(100 * error->high, least) : mean;
        sb_write(script, "%ld %.6g %.6g %.6g\n", line->arm[k].arm->cell[0]->batch, mean, low, high);
        r->low = fmin(r->low, low), r->high = fmax(r->high, high);
    }
    sb_write(script, "END\n");
}

/* Labels at the batches that there are. */
static void write_batch_axis(sb_writer *script, const sb_batches *batches, const range *r)
{
    sb_write(script, "set logscale x 2\nset format x '%%g'\nset xrange [%.6g:%.6g]\nset xtics (", r->smallest / 1.5,
             1.5 * r->largest);
    int n = 0;
    for (size_t i = 0; i < batches->n; i++)
        for (size_t k = 0; k < batches->line[i].n; k++) {
            const long batch = batches->line[i].arm[k].arm->cell[0]->batch;
            bool again = false;
            for (size_t j = 0; j < i; j++)
                for (size_t l = 0; l < batches->line[j].n; l++)
                    again = again || batches->line[j].arm[l].arm->cell[0]->batch == batch;
            if (!again) sb_write(script, n++ ? ", %ld" : "%ld", batch);
        }
    sb_write(script, ")\n");
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_batches *batches = s->batches;
    sb_layout layout = {
        .n_panels = batches->n,
        .columns = batches->n > 1 ? 2 : 1,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 180,
        .left = 84,
        .gap = 24,
        .below = 58,
        .between = 44,
    };
    for (size_t i = 0; i < batches->n; i++) sb_style_fit_title(&layout, batches->line[i].name);
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    const double least = find_least(batches);
    range r = {HUGE_VAL, 0, HUGE_VAL, 0};
    for (size_t i = 0; i < batches->n; i++) write_line(plot.script, &batches->line[i], i, least, &r);
    write_batch_axis(plot.script, batches, &r);
    sb_style_log_axis(plot.script, &layout, 'y', r.low, fmax(r.high, 1.01 * r.low), 0.04);
    for (size_t i = 0; i < batches->n; i++) {
        sb_style_panel(plot.script, &layout, i, batches->line[i].name);
        sb_style_axis_labels(plot.script, "batch", "test images wrong, %");
        sb_write(plot.script, "set format y first_column ? '%%g' : ''\n");
        sb_write(plot.script, "plot $mean%zu using 1:2 with lines linestyle %d, ", i + 1, SB_STYLE_JOIN);
        sb_write(plot.script, "$run%zu using 1:2:3 with labels hypertext point linestyle %d, ", i + 1,
                 sb_style_ratio(batches->line[i].arm->arm->cell[0]->evidence));
        sb_write(plot.script, "$mean%zu using 1:2:3:4 with yerrorbars linestyle %d\n", i + 1, SB_STYLE_MEAN);
    }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_batches = {
    .name = "batches",
    .label = "Share of wrong test images by batch and optimizer",
    .section = SB_SECTION_BATCHES,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
