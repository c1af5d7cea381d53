#include "paper/figures/strips.h"

static void add_strip(sb_chart *chart, const sb_strip *strip)
{
    const sb_finding *f = strip->finding;
    const sb_verdict *v = &f->verdict;
    char number[SB_VERDICT_TEXT];
    sb_verdict_ratio_text(v, number);
    sb_chart_row(chart, strip->words, number);
    for (size_t k = 0; v->paired && k < v->n; k++) {
        const sb_result *of, *over;
        const double ratio = sb_finding_pair(f, k, &of, &over);
        sb_chart_mark(chart, (sb_point){.series = strip->series, .x = ratio, .seed = &of->seed},
                      "seed %ld: %.4g; runs %.8s over %.8s", of->seed, ratio, of->hash, over->hash);
    }
    sb_chart_point(chart,
                   (sb_point){.series = chart->form.n_series - 1, .x = v->ratio, .low = v->low, .high = v->high});
}

void sb_strips_fill(const sb_strips *strips, sb_chart *chart)
{
    if (strips->n == 0) return;
    sb_chart_panel(chart, "");
    sb_chart_rule(chart, 1);
    for (size_t i = 0; i < strips->n; i++) add_strip(chart, &strips->row[i]);
}
