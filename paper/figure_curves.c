/* Loss over updates. One panel for each setting and loss, copy and shared within: backends of the same start weights
 * run so close together that they would hide one another in one panel. */
#include "paper/band.h"
#include "paper/figures.h"

#include <math.h>

typedef struct curve_range {
    double low, high, last_update;
} curve_range;

static void write_band(sb_writer *script, const sb_band *band, size_t i, int t, int m, curve_range *range)
{
    sb_write(script, "$s%zu_%s_%s << END\n", i, sb_target_name[t], sb_metric_column[m]);
    for (size_t k = 0; k < band->n; k++) {
        sb_write(script, "%.6g %.6g %.6g %.6g\n", band->update[k], band->median[k], band->low[k], band->high[k]);
        range->low = fmin(range->low, band->low[k]);
        range->high = fmax(range->high, band->high[k]);
        range->last_update = fmax(range->last_update, band->update[k]);
    }
    sb_write(script, "END\n");
}

static sb_status write_data(sb_writer *script, const sb_group *group, curve_range *range)
{
    sb_write(script, "# update, median, smallest and largest of the seeds\n");
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++)
            for (int m = 0; m < SB_N_METRICS; m++) {
                const sb_arm *arm = &group->setting[i].arm[t];
                if (arm->n == 0) continue;
                sb_band band;
                SB_TRY(sb_band_of(&band, arm, (sb_metric)m, SB_FIGURE_CURVE_POINTS));
                write_band(script, &band, i, t, m, range);
                sb_band_free(&band);
            }
    return SB_OK;
}

static void write_panel(sb_writer *script, const sb_group *group, size_t i, int m)
{
    int n_drawn = 0;
    for (int t = 0; t < SB_N_TARGETS; t++) {
        if (group->setting[i].arm[t].n == 0) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$s%zu_%s_%s using 1:3:4 with filledcurves linestyle %d", i, sb_target_name[t],
                 sb_metric_column[m], SB_STYLE_LINE + t);
    }
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (group->setting[i].arm[t].n) {
            sb_style_item(script, n_drawn++);
            sb_write(script, "$s%zu_%s_%s using 1:2 with lines linestyle %d", i, sb_target_name[t], sb_metric_column[m],
                     SB_STYLE_LINE + t);
        }
    /* The key stands in the first panel, whose setting may lack an arm that others have. */
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (sb_figure_has_target(group, t)) {
            sb_style_item(script, n_drawn++);
            sb_write(script, "NaN with lines linestyle %d title 'target %s'", SB_STYLE_LINE + t, sb_target_name[t]);
        }
    sb_style_item(script, n_drawn++);
    sb_write(script, "NaN with filledcurves linecolor rgb '#888888' title 'range of seeds'\n");
}

void sb_figure_curves_caption(sb_writer *out, const sb_subject *s)
{
    const sb_group *group = s->group;
    size_t longest = 0, most = 0;
    double block = 1, last_update = 1;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n > most) most = arm->n;
            if (arm->n == 0 || arm->cell[0]->n_curve <= longest) continue;
            longest = arm->cell[0]->n_curve;
            last_update = arm->cell[0]->update[longest - 1];
            /* collect joins the updates of long curves into blocks. */
            if (longest > 1) block = arm->cell[0]->update[1] - arm->cell[0]->update[0];
        }
    size_t stride = (longest + SB_FIGURE_CURVE_POINTS - 1) / SB_FIGURE_CURVE_POINTS;
    sb_write(out,
             "Loss over training, %.0f updates: median of the seeds (up to %zu in an arm) as a line, their range as a "
             "band; solid: target copied, dashed: target shared. ",
             last_update, most);
    if (block * (double)stride > 1) sb_write(out, "Each point is the mean over %.0f updates. ", block * (double)stride);
    sb_write(
        out,
        "Last-frame loss: of the last frame of each window, what the publication logged; window-mean loss: over all "
        "frames of it. Logarithmic axis, the same for all panels.");
}

sb_status sb_figure_curves(const sb_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    bool many = group->n_settings > 4;
    const sb_layout layout = {
        .n_panels = SB_N_METRICS * group->n_settings,
        .columns = many ? 4 : 2,
        .columns_narrow = many ? 2 : 1,
        .title_lines = many ? 2 : 1,
        .panel_height = many ? 150 : 220,
        .left = 84,
        .gap = 30,
        .below = 58,
        .between = 20,
        .key_lines = 1,
        .key_lines_narrow = 3,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    curve_range range = {HUGE_VAL, 0, 0};
    sb_status status = write_data(plot.script, group, &range);
    if (status != SB_OK) return sb_plot_end(&plot, status);
    sb_style_count_axis(plot.script, 'x', range.last_update, many ? 2 : 5);
    sb_style_log_axis(plot.script, 'y', range.low, range.high, 0.03);
    for (size_t k = 0; k < layout.n_panels; k++) {
        size_t i = k / SB_N_METRICS;
        int m = (int)(k % SB_N_METRICS);
        char title[320];
        snprintf(title, sizeof title, "%s%s%s", group->setting[i].label, many ? "\n" : ": ", sb_metric_title[m]);
        sb_style_panel(plot.script, &layout, k, title);
        sb_style_axis_labels(plot.script, "update", "mean squared error");
        sb_write(plot.script, "set format x last_row ? '%%g' : ''\nset format y first_column ? '%%g' : ''\n");
        write_panel(plot.script, group, i, m);
    }
    return sb_plot_end(&plot, SB_OK);
}
