/* The paired effect: loss with the shared target over loss with the copied one, same initial weights. A strip for each
 * setting: the pairs above, their geometric mean with its interval below. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

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
        "weights. Above 1 the shared buffer ends with a higher loss. Triangles: one pair of runs each, filled "
        "measured, open emulated%s. Diamonds: "
        "geometric mean with its 95 %% interval. Logarithmic axis.",
        sb_figure_crosses(group));
    if (sb_figure_count(group) < group->n_settings) sb_write(out, " Settings with the same bits share a row.");
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

static const sb_series series[SB_N_RATIO_SERIES] = {
    SB_RATIO_MARKS("a pair of runs, measured", "a pair of runs, emulated", "a pair of runs, imitated", 0.13, 0.1),
    [SB_SERIES_MEAN] = {"mean", SB_MEANS, SB_STYLE_MEAN, "geometric mean, 95 % interval", -0.13},
};

/* All panels have the same range, so that the two losses can be compared by eye. */
static const sb_chart_form form = {
    .rows = SB_ROWS_STRIPS,
    .x = {.label = "shared / copied; dotted: equal", .column = "ratio", .low = 0.95, .high = 1.05, .room = 0.06},
    .series = series,
    .n_series = SB_N_RATIO_SERIES,
};

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    for (int m = 0; m < sb_figure_n_metrics(group) && group->n_pairs; m++) {
        sb_chart_panel(chart, sb_figure_metric_title(group, m));
        sb_chart_rule(chart, 1);
        for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
             setting = sb_figure_next(group, setting)) {
            char words[SB_FIGURE_WORDS], number[SB_RATIO_TEXT];
            if (setting->n_pairs == 0) continue;
            sb_figure_words(group, setting, words);
            sb_stats_ratio_text(&setting->effect[m], number);
            sb_chart_row(chart, words, number);
            sb_figure_pairs(chart, setting, m, 0);
        }
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_effect = {
    .name = "effect",
    .label = "Ratio of losses, shared over copied target, for each pair of seeds",
    .section = SB_SECTION_EFFECT,
    .of_group = true,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
