/* Loss over updates. One panel for each setting and loss, copy and shared within: backends of the same start weights
 * run so close together that they would hide one another in one panel. */
#include "paper/figures/band.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <math.h>

/* With many settings the published loss alone: the other one's curves look the same. */
static int n_metrics_of(const sb_group *group)
{
    return sb_figure_count(group) > 2 ? 1 : sb_figure_n_metrics(group);
}

typedef struct curve_range {
    double low, high, last_update;
} curve_range;

static void write_list(sb_writer *script, const sb_configuration *setting, int t, int m)
{
    char name[SB_FIGURE_LIST];
    sb_figure_list(setting, name);
    sb_write(script, "$%s_%s_%s", name, sb_target_name[t], sb_metric_column[m]);
}

static void write_band(sb_writer *script, const sb_band *band, curve_range *range)
{
    for (size_t k = 0; k < band->n; k++) {
        sb_write(script, "%.6g %.6g %.6g %.6g\n", band->update[k], band->median[k], band->low[k], band->high[k]);
        range->low = fmin(range->low, band->low[k]);
        range->high = fmax(range->high, band->high[k]);
        range->last_update = fmax(range->last_update, band->update[k]);
    }
}

static sb_status write_arm(sb_writer *script, const sb_configuration *setting, int t, int m, curve_range *range)
{
    sb_band band;
    if (setting->arm[t].n == 0) return SB_OK;
    SB_TRY(sb_band_of(&band, &setting->arm[t], (sb_metric)m, SB_FIGURE_CURVE_POINTS));
    sb_write(script, "# columns update median smallest largest\n");
    write_list(script, setting, t, m);
    sb_write(script, " << END\n");
    write_band(script, &band, range);
    sb_write(script, "END\n");
    sb_band_free(&band);
    return SB_OK;
}

static sb_status write_data(sb_writer *script, const sb_group *group, curve_range *range)
{
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting))
        for (int t = 0; t < SB_N_TARGETS; t++)
            for (int m = 0; m < n_metrics_of(group); m++) SB_TRY(write_arm(script, setting, t, m, range));
    return SB_OK;
}

static void write_panel(sb_writer *script, const sb_group *group, const sb_configuration *setting, int m)
{
    int n_drawn = 0;
    for (int line = 0; line < 2; line++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            if (setting->arm[t].n == 0) continue;
            sb_style_item(script, n_drawn++);
            write_list(script, setting, t, m);
            sb_write(script,
                     line ? " using 1:2 with lines linestyle %d" : " using 1:3:4 with filledcurves linestyle %d",
                     SB_STYLE_LINE + t);
        }
    /* The key stands in the first panel, whose setting may lack an arm that others have. */
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (sb_figure_has_target(group, t)) {
            n_drawn = sb_style_key_item(script, n_drawn);
            sb_write(script, "keyentry with lines linestyle %d title 'target %s'", SB_STYLE_LINE + t,
                     sb_target_name[t]);
        }
    n_drawn = sb_style_key_item(script, n_drawn);
    sb_write(script, "keyentry with filledcurves linestyle %d title 'range of seeds'\n", SB_STYLE_BAND);
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
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
             "Loss over training, %.0f updates: line: median of the seeds (up to %zu in a condition); band: "
             "their range; solid: target copied, dashed: target shared. ",
             last_update, most);
    if (block * (double)stride > 1) sb_write(out, "Each point is the mean over %.0f updates. ", block * (double)stride);
    if (n_metrics_of(group) > 1)
        sb_write(out, "Last-frame loss: of the last frame of each window, what the publication logged; window-mean "
                      "loss: over all frames of it. ");
    else if (sb_figure_n_metrics(group) > 1)
        sb_write(out, "Loss of the last frame of each window, what the publication logged. ");
    if (sb_figure_count(group) < group->n_settings) sb_write(out, "Settings of the very same bits share a panel. ");
    sb_write(out, "Logarithmic axis, the same for all panels.");
    sb_figure_baselines_caption(out, s);
}

enum { TITLE = SB_FIGURE_WORDS + 64 };

static void title_of(const sb_group *group, const sb_configuration *setting, int m, char title[TITLE])
{
    char words[SB_FIGURE_WORDS];
    sb_figure_words(group, setting, words);
    if (n_metrics_of(group) == 1)
        snprintf(title, TITLE, "%s", words);
    else
        snprintf(title, TITLE, "%s: %s", words, sb_metric_title[m]);
}

static void fit_titles(sb_layout *layout, const sb_group *group)
{
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting))
        for (int m = 0; m < n_metrics_of(group); m++) {
            char title[TITLE];
            title_of(group, setting, m, title);
            sb_style_fit_title(layout, title);
        }
}

static void write_panels(sb_writer *script, const sb_layout *layout, const sb_group *group)
{
    size_t k = 0;
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting))
        for (int m = 0; m < n_metrics_of(group); m++) {
            char title[TITLE];
            title_of(group, setting, m, title);
            sb_style_panel(script, layout, k++, title);
            sb_style_axis_labels(script, "update", sb_recipe_loss_words(group->setting[0].cell));
            sb_write(script, "set format x last_row ? '%%g' : ''\nset format y first_column ? '%%g' : ''\n");
            write_panel(script, group, setting, m);
        }
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    const size_t n_panels = (size_t)n_metrics_of(group) * sb_figure_count(group);
    const bool many = n_panels > 4;
    sb_layout layout = {
        .n_panels = n_panels,
        .columns = many           ? 4
                   : n_panels > 1 ? 2
                                  : 1,
        .columns_narrow = many ? 2 : 1,
        .panel_height = many ? 150 : 200,
        .left = 84,
        .gap = 30,
        .below = 58,
        .between = 20,
        .key_lines = 1,
        .key_lines_narrow = 3,
    };
    fit_titles(&layout, group);
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    curve_range range = {HUGE_VAL, 0, 0};
    sb_status status = write_data(plot.script, group, &range);
    if (status != SB_OK) return sb_plot_end(&plot, status);
    sb_style_count_axis(plot.script, &layout, range.last_update);
    sb_style_log_axis(plot.script, &layout, 'y', range.low, range.high, 0.03);
    write_panels(plot.script, &layout, group);
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_curves = {
    .name = "curves",
    .label = "Loss over updates by setting and target",
    .section = SB_SECTION_STUDY,
    .of_group = true,
    .draw = draw_figure,
    .caption = write_caption,
};
