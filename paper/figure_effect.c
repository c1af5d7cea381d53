/* The paired effect: loss with the shared target over loss with the copied one, same start weights. A row for each
 * setting: the pairs above, their geometric mean with its interval and its number below. */
#include "paper/figures.h"

#include "core/plural.h"

#include <math.h>

/* Whether any measured (or emulated) setting has pairs: gnuplot complains about a list without a point. */
static bool has_pairs(const sb_group *group, bool emulated)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].n_pairs && group->setting[i].cell->emulated == emulated) return true;
    return false;
}

static double pair_ratio(const sb_pair *pair, int m)
{
    return pair->cell[SB_TARGET_SHARED]->loss[m] / pair->cell[SB_TARGET_COPY]->loss[m];
}

static void write_pairs(sb_writer *script, const sb_group *group, int m, bool emulated)
{
    sb_write(script, "$%s_%s << END\n", emulated ? "emulated" : "measured", sb_metric_column[m]);
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_setting *setting = &group->setting[i];
        for (size_t k = 0; k < setting->n_pairs && setting->cell->emulated == emulated; k++) {
            long seed = setting->pair[k].cell[0]->seed;
            sb_write(script, "%.6g %.4f %ld\n", pair_ratio(&setting->pair[k], m),
                     -(double)i + 0.2 + 0.2 * sb_figure_jitter(seed), seed);
        }
    }
    sb_write(script, "END\n");
}

static void write_means(sb_writer *script, const sb_group *group, int m)
{
    sb_write(script, "$mean_%s << END\n", sb_metric_column[m]);
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_ratio *effect = &group->setting[i].effect[m];
        if (effect->n == 0) continue;
        bool alone = isnan(effect->low);
        sb_write(script, "%.6g %.4f %.6g %.6g\n", effect->ratio, -(double)i - 0.12, alone ? effect->ratio : effect->low,
                 alone ? effect->ratio : effect->high);
    }
    sb_write(script, "END\n");
}

static void write_data(sb_writer *script, const sb_group *group)
{
    for (int m = 0; m < SB_N_METRICS; m++) {
        sb_write(script, "# ratio, place, seed; geometric mean, place, interval\n");
        write_pairs(script, group, m, false);
        write_pairs(script, group, m, true);
        write_means(script, group, m);
    }
}

/* Both panels get the same range, so that the two losses can be compared by eye. */
static void write_range(sb_writer *script, const sb_group *group)
{
    double low = 1, high = 1;
    for (size_t i = 0; i < group->n_settings; i++)
        for (size_t k = 0; k < group->setting[i].n_pairs; k++)
            for (int m = 0; m < SB_N_METRICS; m++) {
                low = fmin(low, pair_ratio(&group->setting[i].pair[k], m));
                high = fmax(high, pair_ratio(&group->setting[i].pair[k], m));
            }
    /* A range wide enough for the numbers below the means, whatever the data. */
    sb_style_log_axis(script, 'x', fmin(low, 0.8), fmax(high, 1.25), 0.2);
}

static void write_rows(sb_writer *script, const sb_group *group, int m)
{
    sb_write(script, "set yrange [%.1f:0.5]\nset ytics (", -(double)group->n_settings + 0.5);
    for (size_t i = 0; i < group->n_settings; i++) {
        sb_write(script, i ? ", " : "");
        sb_style_text(script, group->setting[i].label, true);
        sb_write(script, " %ld", -(long)i);
    }
    sb_write(script, ") scale 0\nunset label\n");
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_ratio *effect = &group->setting[i].effect[m];
        char number[SB_RATIO_TEXT];
        sb_stats_ratio_text(effect, number);
        sb_write(script, "set label '%s' at %.6g,%.2f center textcolor rgb '#000000'\n", number,
                 effect->n ? effect->ratio : 1.0, -(double)i - 0.33);
    }
}

static void write_panel(sb_writer *script, const sb_group *group, int m)
{
    const char *metric = sb_metric_column[m];
    sb_style_axis_labels(script, "ratio of losses, shared / copy", NULL);
    sb_write(script,
             "set arrow 1 from 1, graph 0 to 1, graph 1 nohead back linestyle %d\n"
             "plot ",
             SB_STYLE_RULE);
    for (int emulated = 0; emulated < 2; emulated++)
        if (has_pairs(group, emulated))
            sb_write(script, "$%s_%s using 1:2 with points linestyle %d title 'one seed, %s', \\\n     ",
                     emulated ? "emulated" : "measured", metric, emulated ? SB_STYLE_RATIO_OPEN : SB_STYLE_RATIO,
                     emulated ? "emulated" : "measured");
    sb_write(script, "$mean_%s using 1:2:3:4 with xerrorbars linestyle %d title 'geometric mean, 95 %% interval'\n",
             metric, SB_STYLE_MEAN);
}

bool sb_figure_effect_wanted(const sb_subject *s)
{
    return s->group->n_pairs > 0;
}

/* What a reader must know to believe an interval or a p of few seeds. */
static void write_power(sb_writer *out, const sb_group *group)
{
    size_t most = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].n_pairs > most) most = group->setting[i].n_pairs;
    if (most > SB_STATS_EXACT_PAIRS) return;
    sb_write(out, " The smallest p that %zu pair%s can give is %.3g.", most, sb_plural(most),
             sb_stats_smallest_p(most));
}

void sb_figure_effect_caption(sb_writer *out, const sb_subject *s)
{
    const sb_group *group = s->group;
    sb_write(
        out,
        "Loss with the shared target buffer over loss with the copied one, runs paired by their start weights; above 1 "
        "the shared buffer ends worse. Triangles: one pair of seeds each, filled measured, open emulated. Diamonds: "
        "geometric mean with its 95 %% bootstrap interval. Logarithmic axis.");
    for (size_t i = 0; i < group->n_settings && group->n_settings <= SB_FIGURE_NAMED; i++) {
        const sb_setting *setting = &group->setting[i];
        if (setting->n_pairs == 0) continue;
        sb_write(out, " %s", setting->label);
        for (int m = 0; m < SB_N_METRICS; m++) {
            char ratio[SB_RATIO_TEXT];
            sb_stats_ratio_text(&setting->effect[m], ratio);
            sb_write(out, "%s%s %s (p = %.3g)", m ? ", " : ": ", sb_metric_title[m], ratio, setting->effect[m].p);
        }
        sb_write(out, ", %zu pair%s.", setting->n_pairs, sb_plural(setting->n_pairs));
    }
    if (group->n_settings > SB_FIGURE_NAMED) sb_write(out, " Every number stands in the table of pairs.");
    write_power(out, group);
}

sb_status sb_figure_effect(const sb_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    bool both = has_pairs(group, false) && has_pairs(group, true);
    const sb_layout layout = {
        .n_panels = SB_N_METRICS,
        .columns = 2,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 30 + 90 * (int)group->n_settings,
        .left = 24 + 8 * (int)sb_figure_label_width(group),
        .below = 58,
        .between = 40,
        .key_lines = 1,
        .key_lines_narrow = both ? 3 : 2,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    write_data(plot.script, group);
    sb_write(plot.script, "set grid xtics noytics\n");
    write_range(plot.script, group);
    for (int m = 0; m < SB_N_METRICS; m++) {
        sb_style_panel(plot.script, &layout, (size_t)m, sb_metric_title[m]);
        write_rows(plot.script, group, m);
        write_panel(plot.script, group, m);
    }
    return sb_plot_end(&plot, SB_OK);
}
