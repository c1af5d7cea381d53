/* The final loss of every cell: a strip for each setting, in it a line of marks for each target, one mark a seed, the
 * two cells of a pair joined, and the means with their intervals below. */
#include "paper/effects/measures.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The loss of repeating the last frame; NAN where it is not known or has no place on a logarithmic axis. */
static double repeat_last(const sb_figure_subject *s, int m)
{
    const double loss = sb_group_baseline(s->group, s->baselines, SB_BASELINE_REPEAT, (sb_metric)m);
    return loss > 0 ? loss : NAN;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    sb_write(
        out,
        "Final loss of every run (mean over the last fifth of its updates), one mark for each seed; circles: "
        "target copied, squares: target shared, filled: measured, open: emulated%s. Diamonds: mean of the condition "
        "with its 95 %% interval, copied above shared. Logarithmic axis.",
        sb_figure_crosses(group));
    if (group->n_pairs) sb_write(out, " Thin lines join runs with the same initial weights.");
    if (!isnan(repeat_last(s, SB_METRIC_LAST))) sb_write(out, " Dotted: repeating the last frame (repeat-last).");
    sb_figure_baselines_caption(out, s);
    if (sb_figure_count(group) < group->n_settings) sb_write(out, " Settings with the same bits share a row.");
    if (group->n_settings > SB_FIGURE_NAMED) {
        sb_write(out, " The table of conditions has every number.");
        return;
    }
    char separator[64];
    snprintf(separator, sizeof separator, " Mean %s: ", sb_figure_metric_title(group, SB_METRIC_LAST));
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n == 0) continue;
            sb_write(out, "%s%s, %s %s (n = %zu)", separator, group->setting[i].label, sb_target_name[t],
                     sb_number_short(arm->summary[SB_METRIC_LAST].mean).text, arm->n);
            strcpy(separator, "; ");
        }
    sb_write(out, ".");
}

enum { JOIN = SB_N_RUN_SERIES, N_SERIES };

static const sb_series series[N_SERIES] = {
    SB_RUN_MARKS(SB_RUN_KEY, 0.05),
    [SB_SERIES_RUN_MEAN] = {"mean", SB_MEANS, SB_STYLE_MEAN, "mean, 95 % interval"},
    [JOIN] = {"join", SB_JOINS, SB_STYLE_JOIN, "same initial weights", 0, 0.05},
};

static const sb_chart_form form = {
    .rows = SB_ROWS_STRIPS,
    .x = {.column = "loss", .room = 0.05, .by_panel = true},
    .series = series,
    .n_series = N_SERIES,
};

/* Above and below the middle of a strip. */
static const double RUNS_AT[SB_N_TARGETS] = {0.20, 0.0}, MEAN_AT[SB_N_TARGETS] = {-0.13, -0.22};

static void add_strip(sb_chart *chart, const sb_group *group, const sb_configuration *setting, int m)
{
    char words[SB_FIGURE_WORDS];
    sb_figure_words(group, setting, words);
    sb_chart_row(chart, words, "");
    for (int t = 0; t < SB_N_TARGETS; t++) sb_figure_runs(chart, setting, t, m, RUNS_AT[t], MEAN_AT[t]);
    for (const sb_pair *pair = setting->pair; pair < setting->pair + setting->n_pairs; pair++)
        for (int t = 0; t < SB_N_TARGETS && isfinite(pair->cell[0]->loss[m] + pair->cell[1]->loss[m]); t++)
            sb_chart_point(
                chart,
                (sb_point){.series = JOIN, .x = pair->cell[t]->loss[m], .y = RUNS_AT[t], .seed = &pair->cell[t]->seed});
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    bool has_rule = false;
    if (group->n_pairs) chart->form.layout.panel_height = SB_CHART_STRIP_TALL;
    for (int m = 0; m < sb_figure_n_metrics(group); m++) {
        sb_chart_panel(chart, sb_figure_metric_title(group, m));
        sb_chart_rule(chart, repeat_last(s, m));
        has_rule = has_rule || !isnan(repeat_last(s, m));
        for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
             setting = sb_figure_next(group, setting))
            add_strip(chart, group, setting, m);
    }
    snprintf(chart->form.x.label, sizeof chart->form.x.label, "%s%s", sb_recipe_loss_words(group->setting[0].cell),
             has_rule ? "; dotted: repeat-last" : "");
    return SB_OK;
}

const sb_figure_kind sb_figure_final = {
    .name = "final",
    .label = "Final loss of every run by setting and target",
    .section = SB_SECTION_STUDY,
    .of_group = true,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
