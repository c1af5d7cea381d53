/* The final loss of every cell: each seed a mark, mean and interval beside them, the two cells of a pair joined. */
#include "paper/figures.h"

#include <math.h>
#include <string.h>

/* Where things stand around the place of a setting, which is its number from 1. */
static double arm_place(int t)
{
    return t == SB_TARGET_COPY ? -0.16 : 0.16;
}

static double seed_place(const sb_cell *cell, size_t i)
{
    return (double)i + 1 + arm_place(cell->target) + 0.12 * sb_figure_jitter(cell->seed);
}

static void write_seeds(sb_writer *script, const sb_group *group, int t, int m, bool emulated)
{
    sb_write(script, "$%s_%s_%s << END\n", sb_target_name[t], emulated ? "emulated" : "measured", sb_metric_column[m]);
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_setting *setting = &group->setting[i];
        for (size_t k = 0; k < setting->arm[t].n && setting->cell->emulated == emulated; k++) {
            const sb_cell *cell = setting->arm[t].cell[k];
            sb_write(script, "%.4f %.6g %ld\n", seed_place(cell, i), cell->loss[m], cell->seed);
        }
    }
    sb_write(script, "END\n");
}

static void write_means(sb_writer *script, const sb_group *group, int m)
{
    sb_write(script, "$mean_%s << END\n", sb_metric_column[m]);
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            const sb_summary *summary = &arm->summary[m];
            if (arm->n == 0) continue;
            /* Without an interval a bar of no length keeps the mark. */
            bool alone = isnan(summary->low);
            sb_write(script, "%.4f %.6g %.6g %.6g\n", (double)i + 1 + 2.2 * arm_place(t), summary->mean,
                     alone ? summary->mean : summary->low, alone ? summary->mean : summary->high);
        }
    sb_write(script, "END\n");
}

static void write_joins(sb_writer *script, const sb_group *group, int m)
{
    sb_write(script, "$join_%s << END\n", sb_metric_column[m]);
    for (size_t i = 0; i < group->n_settings; i++)
        for (size_t k = 0; k < group->setting[i].n_pairs; k++) {
            const sb_pair *pair = &group->setting[i].pair[k];
            for (int t = 0; t < SB_N_TARGETS; t++)
                sb_write(script, "%.4f %.6g\n", seed_place(pair->cell[t], i), pair->cell[t]->loss[m]);
            sb_write(script, "\n");
        }
    sb_write(script, "END\n");
}

static void write_data(sb_writer *script, const sb_group *group)
{
    for (int m = 0; m < SB_N_METRICS; m++) {
        sb_write(script, "# place, loss, seed; place, mean, interval; place, loss of the two cells of a pair\n");
        for (int t = 0; t < SB_N_TARGETS; t++) {
            write_seeds(script, group, t, m, false);
            write_seeds(script, group, t, m, true);
        }
        write_means(script, group, m);
        write_joins(script, group, m);
    }
}

static void write_axes(sb_writer *script, const sb_group *group, int m)
{
    double low, high;
    size_t n = group->n_settings;
    sb_figure_loss_range(group, (sb_metric)m, &low, &high);
    sb_style_log_axis(script, 'y', low, high, 0.06);
    sb_style_axis_labels(script, NULL, "mean squared error");
    sb_write(script, "set xrange [0.4:%zu.6]\nset xtics (", n);
    for (size_t i = 0; i < n; i++) {
        sb_write(script, i ? ", " : "");
        sb_style_text(script, group->setting[i].label, n <= 4);
        sb_write(script, " %zu", i + 1);
    }
    sb_write(script, n > 4 ? ") rotate by -90\n" : ")\n");
}

static bool is_there(const sb_group *group, int t, bool emulated)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].arm[t].n && group->setting[i].cell->emulated == emulated) return true;
    return false;
}

static void write_panel(sb_writer *script, const sb_group *group, int m)
{
    const char *metric = sb_metric_column[m];
    int n_drawn = 0;
    if (group->n_pairs) {
        sb_style_item(script, n_drawn++);
        sb_write(script, "$join_%s using 1:2 with lines linestyle %d title 'same start weights'", metric,
                 SB_STYLE_JOIN);
    }
    for (int t = 0; t < SB_N_TARGETS; t++)
        for (int emulated = 0; emulated < 2; emulated++) {
            if (!is_there(group, t, emulated)) continue;
            const char *evidence = emulated ? "emulated" : "measured";
            sb_style_item(script, n_drawn++);
            sb_write(script, "$%s_%s_%s using 1:2 with points linestyle %d title '%s, %s'", sb_target_name[t], evidence,
                     metric, (emulated ? SB_STYLE_SEED_OPEN : SB_STYLE_SEED) + t, sb_target_name[t], evidence);
        }
    sb_style_item(script, n_drawn++);
    sb_write(script, "$mean_%s using 1:2:3:4 with yerrorbars linestyle %d title 'mean, 95 %% interval'\n", metric,
             SB_STYLE_MEAN);
}

void sb_figure_final_caption(sb_writer *out, const sb_subject *s)
{
    const sb_group *group = s->group;
    sb_write(
        out,
        "Final loss of every run (mean over the last fifth of its updates), one mark for each seed; circles: target "
        "copied, squares: target shared, filled: measured, open: emulated. Thin lines join runs of the same start "
        "weights. Diamonds: mean of the arm with its 95 %% bootstrap interval. Logarithmic axis.");
    if (group->n_settings > SB_FIGURE_NAMED) {
        sb_write(out, " Every number stands in the table of arms.");
        return;
    }
    const char *separator = " Mean last-frame loss: ";
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n == 0) continue;
            sb_write(out, "%s%s, %s %.4g (n = %zu)", separator, group->setting[i].label, sb_target_name[t],
                     arm->summary[SB_METRIC_LAST].mean, arm->n);
            separator = "; ";
        }
    sb_write(out, ".");
}

sb_status sb_figure_final(const sb_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    bool many = group->n_settings > 4, both = sb_figure_has(group, false) && sb_figure_has(group, true);
    const int below = sb_figure_below(group, many);
    const sb_layout layout = {
        .n_panels = SB_N_METRICS,
        .columns = many ? 1 : 2,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 300,
        .left = 96,
        .below = below,
        .between = below,
        .key_lines = both ? 2 : 1,
        .key_lines_narrow = both ? 3 : 2,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    write_data(plot.script, group);
    for (int m = 0; m < SB_N_METRICS; m++) {
        sb_style_panel(plot.script, &layout, (size_t)m, sb_metric_title[m]);
        write_axes(plot.script, group, m);
        write_panel(plot.script, group, m);
    }
    return sb_plot_end(&plot, SB_OK);
}
