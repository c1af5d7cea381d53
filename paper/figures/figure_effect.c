/* The paired effect: loss with the shared target over loss with the copied one, same start weights. A strip for each
 * setting: the pairs above, their geometric mean with its interval below. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

#include <math.h>

static const double PAIRS_AT = 0.13, MEAN_AT = -0.13; /* beside the middle of a strip */

/* The settings that are drawn: those with pairs. */
static const sb_configuration *next_row(const sb_group *group, const sb_configuration *after)
{
    const sb_configuration *setting = sb_figure_next(group, after);
    while (setting && setting->n_pairs == 0) setting = sb_figure_next(group, setting);
    return setting;
}

static size_t count_rows(const sb_group *group)
{
    size_t n = 0;
    for (const sb_configuration *row = next_row(group, NULL); row; row = next_row(group, row)) n++;
    return n;
}

/* Whether any setting of such evidence has pairs: gnuplot complains about a list without a point. */
static bool has_pairs(const sb_group *group, sb_evidence evidence)
{
    for (const sb_configuration *row = next_row(group, NULL); row; row = next_row(group, row))
        if (row->cell->evidence == evidence) return true;
    return false;
}

static double pair_ratio(const sb_pair *pair, int m)
{
    return pair->cell[SB_TARGET_SHARED]->loss[m] / pair->cell[SB_TARGET_COPY]->loss[m];
}

static void write_pair(sb_writer *script, const sb_pair *pair, size_t i, int m)
{
    const sb_result *copy = pair->cell[SB_TARGET_COPY], *shared = pair->cell[SB_TARGET_SHARED];
    double ratio = pair_ratio(pair, m);
    if (!isfinite(ratio) || !(ratio > 0)) return; /* a run that diverged, or a loss of 0 */
    sb_write(script, "%.6g %.4f %ld \"seed %ld: %.4g = %.4g / %.4g; runs %.8s over %.8s\"\n", ratio,
             sb_style_strip_middle(i) + PAIRS_AT + 0.1 * sb_figure_jitter(copy->seed), copy->seed, copy->seed, ratio,
             shared->loss[m], copy->loss[m], shared->hash, copy->hash);
}

static void write_pairs(sb_writer *script, const sb_group *group, int m, sb_evidence evidence)
{
    size_t i = 0;
    if (!has_pairs(group, evidence)) return;
    sb_write(script, "# columns ratio _place seed runs\n");
    sb_write(script, "$%s_%s << END\n", sb_evidence_name[evidence], sb_metric_column[m]);
    for (const sb_configuration *row = next_row(group, NULL); row; row = next_row(group, row), i++)
        for (size_t k = 0; k < row->n_pairs && row->cell->evidence == evidence; k++)
            write_pair(script, &row->pair[k], i, m);
    sb_write(script, "END\n");
}

static void write_means(sb_writer *script, const sb_group *group, int m)
{
    size_t i = 0;
    sb_write(script, "# columns mean _place low high\n$mean_%s << END\n", sb_metric_column[m]);
    for (const sb_configuration *row = next_row(group, NULL); row; row = next_row(group, row), i++) {
        const sb_ratio *effect = &row->effect[m];
        bool alone = isnan(effect->low);
        sb_write(script, "%.6g %.4f %.6g %.6g\n", effect->ratio, sb_style_strip_middle(i) + MEAN_AT,
                 alone ? effect->ratio : effect->low, alone ? effect->ratio : effect->high);
    }
    sb_write(script, "END\n");
}

/* All panels get the same range, so that the two losses can be compared by eye. */
static void write_range(sb_writer *script, const sb_layout *layout, const sb_group *group)
{
    double low = 0.95, high = 1.05;
    for (const sb_configuration *row = next_row(group, NULL); row; row = next_row(group, row))
        for (size_t k = 0; k < row->n_pairs; k++)
            for (int m = 0; m < SB_N_METRICS; m++) {
                low = fmin(low, fmin(pair_ratio(&row->pair[k], m), row->effect[m].low)); /* fmin passes a NAN over */
                high = fmax(high, fmax(pair_ratio(&row->pair[k], m), row->effect[m].high));
            }
    sb_style_log_axis(script, layout, 'x', low, high, 0.06);
}

static void write_words(sb_writer *script, const sb_layout *layout, const sb_group *group, int m)
{
    size_t i = 0;
    for (const sb_configuration *row = next_row(group, NULL); row; row = next_row(group, row), i++) {
        char words[SB_FIGURE_WORDS], number[SB_RATIO_TEXT];
        sb_figure_words(group, row, words);
        sb_stats_ratio_text(&row->effect[m], number);
        sb_style_strip_words(script, layout, i, words, number);
    }
}

static void write_panel(sb_writer *script, const sb_group *group, int m)
{
    const char *metric = sb_metric_column[m];
    int n_drawn = 0;
    for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++) {
        const int style = sb_style_ratio(evidence);
        if (!has_pairs(group, evidence)) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$%s_%s", sb_evidence_name[evidence], metric);
        sb_write(script, " using 1:2:4 with labels hypertext point linestyle %d", style);
        n_drawn = sb_style_key_item(script, n_drawn);
        sb_write(script, "keyentry with points linestyle %d title 'a pair of runs, %s'", style,
                 sb_evidence_name[evidence]);
    }
    sb_style_item(script, n_drawn);
    sb_write(script, "$mean_%s using 1:2:3:4 with xerrorbars linestyle %d title 'geometric mean, 95 %% interval'\n",
             metric, SB_STYLE_MEAN);
}

static bool is_wanted(const sb_figure_subject *s)
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
    if (most < SB_STATS_INTERVAL_RUNS) sb_write(out, " An interval is given from %d pairs on.", SB_STATS_INTERVAL_RUNS);
    sb_write(out, " The smallest p that %zu pair%s can give is %s.", most, sb_plural(most),
             sb_number_p(sb_stats_smallest_p(most)).text);
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    sb_write(
        out,
        "Loss with the shared target buffer over loss with the copied buffer, in pairs of runs with the same initial "
        "weights. Above 1 the shared buffer ends with a higher loss. Triangles: one pair of runs each, filled measured, open emulated%s. Diamonds: "
        "geometric mean with its 95 %% interval. Logarithmic axis.",
        sb_figure_crosses(group));
    if (count_rows(group) < group->n_settings) sb_write(out, " Settings with the same bits share a row.");
    for (size_t i = 0; i < group->n_settings && group->n_settings <= SB_FIGURE_NAMED; i++) {
        const sb_configuration *setting = &group->setting[i];
        if (setting->n_pairs == 0) continue;
        sb_write(out, " %s", setting->label);
        for (int m = 0; m < SB_N_METRICS; m++) {
            char ratio[SB_RATIO_TEXT];
            sb_stats_ratio_text(&setting->effect[m], ratio);
            sb_write(out, "%s%s %s (p = %s)", m ? ", " : ": ", sb_metric_title[m], ratio,
                     sb_number_p(setting->effect[m].p).text);
        }
        sb_write(out, ", %zu pair%s.", setting->n_pairs, sb_plural(setting->n_pairs));
    }
    if (group->n_settings > SB_FIGURE_NAMED) sb_write(out, " The table of pairs has every number.");
    write_power(out, group);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    const size_t n_rows = count_rows(group), n_metrics = (size_t)sb_figure_n_metrics(group);
    int n_kinds = 0;
    for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++) n_kinds += has_pairs(group, evidence);
    const sb_layout layout = {
        .n_panels = n_metrics,
        .columns = (int)n_metrics,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = SB_STYLE_STRIP * (int)n_rows,
        .left = 16,
        .right = 16,
        .below = 58,
        .between = 40,
        .key_lines = 1,
        .key_lines_narrow = 1 + n_kinds,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (size_t m = 0; m < n_metrics; m++) {
        for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++)
            write_pairs(plot.script, group, (int)m, evidence);
        write_means(plot.script, group, (int)m);
    }
    write_range(plot.script, &layout, group);
    for (size_t m = 0; m < n_metrics; m++) {
        sb_style_panel(plot.script, &layout, m, sb_figure_metric_title(group, (int)m));
        sb_style_axis_labels(plot.script, "shared / copied; dotted: equal", NULL);
        sb_style_strips(plot.script, n_rows);
        sb_style_strip_rule(plot.script, n_rows, 1);
        write_words(plot.script, &layout, group, (int)m);
        write_panel(plot.script, group, (int)m);
    }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_effect = {
    .name = "effect",
    .label = "Ratio of losses, shared over copied target, for each pair of seeds",
    .section = SB_SECTION_EFFECT,
    .of_group = true,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
