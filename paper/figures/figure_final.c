/* The final loss of every cell: a strip for each setting, in it a line of marks for each target, one mark a seed, the
 * two cells of a pair joined, and the means with their intervals below. */
#include "paper/effects/against_baselines.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where things stand beside the middle of a strip. */
static const double SEEDS_AT[SB_N_TARGETS] = {0.20, 0.0}, MEAN_AT[SB_N_TARGETS] = {-0.13, -0.22};

static double seed_place(const sb_result *cell, size_t row)
{
    return sb_style_strip_middle(row) + SEEDS_AT[cell->target] + 0.05 * sb_figure_jitter(cell->seed);
}

/* Gnuplot complains about a list without a point. */
static bool is_there(const sb_group *group, int t, sb_evidence evidence)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].arm[t].n && group->setting[i].cell->evidence == evidence) return true;
    return false;
}

static void write_list(sb_writer *script, int t, sb_evidence evidence, int m)
{
    sb_write(script, "$%s_%s_%s", sb_target_name[t], sb_evidence_name[evidence], sb_metric_column[m]);
}

static void write_seeds(sb_writer *script, const sb_group *group, int t, int m, sb_evidence evidence)
{
    size_t row = 0;
    if (!is_there(group, t, evidence)) return;
    sb_write(script, "# columns loss _place seed run\n");
    write_list(script, t, evidence, m);
    sb_write(script, " << END\n");
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++)
        for (size_t k = 0; k < setting->arm[t].n && setting->cell->evidence == evidence; k++) {
            const sb_result *cell = setting->arm[t].cell[k];
            sb_write(script, "%.6g %.4f %ld \"seed %ld, target %s: %.4g; run %.8s\"\n", cell->loss[m],
                     seed_place(cell, row), cell->seed, cell->seed, sb_target_name[t], cell->loss[m], cell->hash);
        }
    sb_write(script, "END\n");
}

static void write_means(sb_writer *script, const sb_group *group, int m)
{
    size_t row = 0;
    sb_write(script, "# columns mean _place low high\n$mean_%s << END\n", sb_metric_column[m]);
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &setting->arm[t];
            const sb_summary *summary = &arm->summary[m];
            if (arm->n == 0) continue;
            /* Without an interval a bar of no length keeps the mark. */
            sb_write(script, "%.6g %.4f %.6g %.6g\n", summary->mean, sb_style_strip_middle(row) + MEAN_AT[t],
                     sb_figure_low(summary), sb_figure_high(summary));
        }
    sb_write(script, "END\n");
}

static void write_joins(sb_writer *script, const sb_group *group, int m)
{
    size_t row = 0;
    if (group->n_pairs == 0) return;
    sb_write(script, "# columns loss _place\n$join_%s << END\n", sb_metric_column[m]);
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++)
        for (size_t k = 0; k < setting->n_pairs; k++) {
            const sb_pair *pair = &setting->pair[k];
            for (int t = 0; t < SB_N_TARGETS; t++)
                sb_write(script, "%.6g %.4f\n", pair->cell[t]->loss[m], seed_place(pair->cell[t], row));
            sb_write(script, "\n");
        }
    sb_write(script, "END\n");
}

static void write_panel(sb_writer *script, const sb_group *group, int m)
{
    int n_drawn = 0;
    if (group->n_pairs) {
        sb_style_item(script, n_drawn++);
        sb_write(script, "$join_%s using 1:2 with lines linestyle %d title 'same start weights'", sb_metric_column[m],
                 SB_STYLE_JOIN);
    }
    for (int t = 0; t < SB_N_TARGETS; t++)
        for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++) {
            const int style = sb_style_seed(evidence) + t;
            if (!is_there(group, t, evidence)) continue;
            sb_style_item(script, n_drawn++);
            write_list(script, t, evidence, m);
            sb_write(script, " using 1:2:4 with labels hypertext point linestyle %d", style);
            n_drawn = sb_style_key_item(script, n_drawn);
            sb_write(script, "keyentry with points linestyle %d ", style);
            sb_write(script, "title '%s, %s'", sb_target_name[t], sb_evidence_name[evidence]);
        }
    sb_style_item(script, n_drawn++);
    sb_write(script, "$mean_%s using 1:2:3:4 with xerrorbars linestyle %d title 'mean, 95 %% interval'\n",
             sb_metric_column[m], SB_STYLE_MEAN);
}

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

static void write_range(sb_writer *script, const sb_layout *layout, const sb_figure_subject *s, int m)
{
    double low, high;
    sb_figure_loss_range(s->group, (sb_metric)m, &low, &high);
    low = fmin(low, repeat_last(s, m)), high = fmax(high, repeat_last(s, m)); /* NAN changes neither */
    sb_style_log_axis(script, layout, 'x', low, high, 0.05);
}

static void write_words(sb_writer *script, const sb_layout *layout, const sb_group *group)
{
    size_t row = 0;
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++) {
        char words[SB_FIGURE_WORDS];
        sb_figure_words(group, setting, words);
        sb_style_strip_words(script, layout, row, words, "");
    }
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    const size_t n_rows = sb_figure_count(group), n_metrics = (size_t)sb_figure_n_metrics(group);
    int n_keys = 1 + (group->n_pairs > 0);
    for (int t = 0; t < SB_N_TARGETS; t++)
        for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++)
            n_keys += is_there(group, t, evidence);
    const sb_layout layout = {
        .n_panels = n_metrics,
        .columns = (int)n_metrics,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = (group->n_pairs ? SB_STYLE_STRIP_TALL : SB_STYLE_STRIP) * (int)n_rows,
        .left = 16,
        .right = 16,
        .below = 58,
        .between = 40,
        .key_lines = (n_keys + 2) / 3,
        .key_lines_narrow = n_keys,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (int m = 0; m < (int)n_metrics; m++) {
        for (int t = 0; t < SB_N_TARGETS; t++)
            for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++)
                write_seeds(plot.script, group, t, m, evidence);
        write_means(plot.script, group, m);
        write_joins(plot.script, group, m);
    }
    for (int m = 0; m < (int)n_metrics; m++) {
        sb_style_panel(plot.script, &layout, (size_t)m, sb_figure_metric_title(group, m));
        char axis[96];
        snprintf(axis, sizeof axis, "%s%s", sb_recipe_loss_words(group->setting[0].cell),
                 isnan(repeat_last(s, m)) ? "" : "; dotted: repeat-last");
        sb_style_axis_labels(plot.script, axis, NULL);
        write_range(plot.script, &layout, s, m);
        sb_style_strips(plot.script, n_rows);
        if (!isnan(repeat_last(s, m))) sb_style_strip_rule(plot.script, n_rows, repeat_last(s, m));
        write_words(plot.script, &layout, group);
        write_panel(plot.script, group, m);
    }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_final = {
    .name = "final",
    .label = "Final loss of every run by setting and target",
    .section = SB_SECTION_STUDY,
    .of_group = true,
    .draw = draw_figure,
    .caption = write_caption,
};
