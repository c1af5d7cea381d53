/* Loss over updates. One panel for each setting and loss, copy and shared within: backends of the same initial weights
 * run so close together that they would hide one another in one panel. */
#include "paper/effects/arms.h"
#include "paper/figures/chart.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <stddef.h>
#include <stdlib.h>

/* The loss curves of an arm as one line with a band: per point the median, the smallest and the largest of the seeds.
 * Long curves are thinned first: a point stands for `stride` updates and holds the mean of each seed's losses over
 * them, so that a figure stays readable whatever the length of the training. */

static double mean_of(const double *x, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++) sum += x[i];
    return sum / (double)(end - first);
}

/* The cell whose curve is longest. */
static const sb_result *longest_of(const sb_arm *arm)
{
    const sb_result *longest = arm->cell[0];
    for (size_t s = 1; s < arm->n; s++)
        if (arm->cell[s]->n_curve > longest->n_curve) longest = arm->cell[s];
    return longest;
}

/* Only the curve of a training that diverged may be shorter than the others. */
static sb_status check_lengths(const sb_arm *arm)
{
    const sb_result *longest = longest_of(arm);
    for (size_t s = 0; s < arm->n; s++)
        if (arm->cell[s]->n_curve != longest->n_curve && !arm->cell[s]->diverged)
            return sb_fail(SB_E_INTEGRITY, "curves.csv: %zu rows of cell %s, but %zu of cell %s; collect again",
                           arm->cell[s]->n_curve, arm->cell[s]->name, longest->n_curve, longest->name);
    return SB_OK;
}

sb_status sb_curve_of_arm(sb_curve *curve, const sb_arm *arm, sb_metric metric, size_t n_max)
{
    const sb_result *longest = longest_of(arm);
    const size_t n = longest->n_curve, stride = n ? (n + n_max - 1) / n_max : 1;
    SB_TRY(check_lengths(arm));
    SB_FREED double *value = calloc(arm->n, sizeof *value);
    if (!value) return sb_fail(SB_E_MEMORY, "not enough memory for %zu curves", arm->n);
    SB_TRY(sb_curve_make(curve, (n + stride - 1) / stride));
    for (size_t first = 0; first < n; first += stride) {
        const size_t end = first + stride < n ? first + stride : n;
        size_t n_values = 0;
        for (size_t s = 0; s < arm->n; s++) {
            const size_t here = arm->cell[s]->n_curve < end ? arm->cell[s]->n_curve : end;
            if (here > first) value[n_values++] = mean_of(arm->cell[s]->curve[metric], first, here);
        }
        sb_curve_add(curve, mean_of(longest->update, first, end), value, n_values);
    }
    return SB_OK;
}

/* With many settings the published loss alone: the other one's curves look the same. */
static int n_metrics_of(const sb_group *group)
{
    return sb_figure_count(group) > 2 ? 1 : sb_figure_n_metrics(group);
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

static const sb_series series[SB_N_TARGETS] = {
    [SB_TARGET_COPY] = {"copy", SB_CURVE, SB_STYLE_LINE + SB_TARGET_COPY, "target copy"},
    [SB_TARGET_SHARED] = {"shared", SB_CURVE, SB_STYLE_LINE + SB_TARGET_SHARED, "target shared"},
};

static const sb_chart_form form = {
    .share_x = true,
    .x = {.label = "update", .column = "update", .kind = SB_SCALE_COUNT},
    .y = {.column = "median", .room = 0.03},
    .series = series,
    .n_series = SB_N_TARGETS,
    .band = "range of seeds",
};

static sb_status add_curve(sb_chart *chart, const sb_arm *arm, int t, int m)
{
    sb_curve curve;
    if (arm->n == 0) return SB_OK;
    SB_TRY(sb_curve_of_arm(&curve, arm, (sb_metric)m, SB_FIGURE_CURVE_POINTS));
    sb_figure_curve(chart, &curve, t, 0);
    sb_curve_free(&curve);
    return SB_OK;
}

/* Many panels are small. */
static void set_layout(sb_chart *chart)
{
    const bool many = chart->n_panels > 4;
    chart->form.layout.panel_height = many ? 150 : 200;
    if (many) chart->form.layout.columns = 4, chart->form.layout.columns_narrow = 2;
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting))
        for (int m = 0; m < n_metrics_of(group); m++) {
            char title[TITLE];
            title_of(group, setting, m, title);
            sb_chart_panel(chart, title);
            for (int t = 0; t < SB_N_TARGETS; t++) SB_TRY(add_curve(chart, &setting->arm[t], t, m));
        }
    snprintf(chart->form.y.label, sizeof chart->form.y.label, "%s", sb_recipe_loss_words(group->setting[0].cell));
    set_layout(chart);
    return SB_OK;
}

const sb_figure_kind sb_figure_curves = {
    .name = "curves",
    .label = "Loss over updates by setting and target",
    .section = SB_SECTION_STUDY,
    .of_group = true,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
