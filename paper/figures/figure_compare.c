/* My arms over their partners: a strip for each comparison, ratio with interval, the margin as a band around 1. */
#include "paper/compare/compare.h"

#include "paper/figures/chart.h"

#include <math.h>

static const sb_series series[SB_N_VERDICTS] = {
    [SB_VERDICT_SAME_BITS] = {"same_bits", SB_MEANS, SB_STYLE_VERDICT + SB_VERDICT_SAME_BITS, "same bits"},
    [SB_VERDICT_EQUIVALENT] = {"equivalent", SB_MEANS, SB_STYLE_VERDICT + SB_VERDICT_EQUIVALENT, "equivalent"},
    [SB_VERDICT_DIFFERENT] = {"different", SB_MEANS, SB_STYLE_VERDICT + SB_VERDICT_DIFFERENT, "different"},
    [SB_VERDICT_UNDETERMINED] = {"undetermined", SB_MEANS, SB_STYLE_VERDICT + SB_VERDICT_UNDETERMINED, "undetermined"},
};

static const sb_chart_form form = {
    .rows = SB_ROWS_STRIPS,
    .x = {.label = "mine / theirs; grey: margin; dotted: equal",
          .column = "ratio",
          .low = 0.95,
          .high = 1.05,
          .room = 0.05},
    .series = series,
    .n_series = SB_N_VERDICTS,
};

static void add_strip(sb_chart *chart, const sb_comparison *c)
{
    const sb_verdict *v = &c->finding.verdict;
    char label[sizeof c->mine + 16], number[SB_VERDICT_TEXT];
    snprintf(label, sizeof label, "%s%s%s", c->mine, c->evidence ? ", " : "",
             c->evidence ? sb_evidence_name[c->evidence] : "");
    sb_verdict_ratio_text(v, number);
    sb_chart_row(chart, label, number);
    sb_chart_margin(chart, exp(-v->margin.judged), exp(v->margin.judged));
    sb_chart_point(chart, (sb_point){.series = (int)v->word, .x = v->ratio, .low = v->low, .high = v->high});
}

sb_status sb_compare_draw(const sb_compare *compare, const char *folder)
{
    SB_OWNED(sb_chart_free) sb_chart chart = {0};
    sb_chart_open(&chart, &form);
    sb_chart_panel(&chart, sb_metric_title[compare->metric]);
    sb_chart_rule(&chart, 1);
    for (size_t i = 0; i < compare->n; i++) add_strip(&chart, &compare->comparison[i]);
    return sb_chart_draw(&chart, folder, "compare");
}
