/* My arms over their partners: a strip for each comparison, ratio with interval, the margin as a band around 1. */
#include "paper/compare/compare.h"

#include "paper/figures/gnuplot.h"

#include <math.h>
#include <stdio.h>

static double low_of(const sb_verdict *v)
{
    return isnan(v->low) ? v->ratio : v->low;
}

static double high_of(const sb_verdict *v)
{
    return isnan(v->high) ? v->ratio : v->high;
}

/* The rows of one verdict: gnuplot complains about a list without a point, so only those that have one are drawn. */
static void write_rows(sb_writer *script, const sb_compare *compare, int word)
{
    if (compare->count[word] == 0) return;
    sb_write(script, "# columns ratio _place low high\n$verdict_%d << END\n", word);
    for (size_t i = 0; i < compare->n; i++) {
        const sb_verdict *v = &compare->comparison[i].verdict;
        if ((int)v->word == word)
            sb_write(script, "%.6g %.4f %.6g %.6g\n", v->ratio, sb_style_strip_middle(i), low_of(v), high_of(v));
    }
    sb_write(script, "END\n");
}

static void write_margins(sb_writer *script, const sb_compare *compare)
{
    for (size_t i = 0; i < compare->n; i++) {
        double margin = compare->comparison[i].verdict.margin.judged, middle = sb_style_strip_middle(i);
        if (!isnan(margin))
            sb_write(script, "set arrow from %.6g,%.2f to %.6g,%.2f nohead back linestyle %d linewidth 22\n",
                     exp(-margin), middle, exp(margin), middle, SB_STYLE_MARGIN);
    }
}

static void write_range(sb_writer *script, const sb_layout *layout, const sb_compare *compare)
{
    double low = 0.95, high = 1.05;
    for (size_t i = 0; i < compare->n; i++) {
        const sb_verdict *v = &compare->comparison[i].verdict;
        double margin = isnan(v->margin.judged) ? 1 : exp(v->margin.judged);
        low = fmin(low, fmin(low_of(v), 1 / margin));
        high = fmax(high, fmax(high_of(v), margin));
    }
    sb_style_log_axis(script, layout, 'x', low, high, 0.05);
}

static void write_words(sb_writer *script, const sb_layout *layout, const sb_compare *compare)
{
    for (size_t i = 0; i < compare->n; i++) {
        const sb_comparison *c = &compare->comparison[i];
        char label[sizeof c->mine + 16], number[SB_VERDICT_TEXT];
        snprintf(label, sizeof label, "%s%s%s", c->mine, c->evidence ? ", " : "",
                 c->evidence ? sb_evidence_name[c->evidence] : "");
        sb_verdict_ratio_text(&c->verdict, number);
        sb_style_strip_words(script, layout, i, label, number);
    }
}

static void write_plot(sb_writer *script, const sb_compare *compare)
{
    /* Marks that stay apart in grey: filled for what is known to be equal or not, open for what is not known. */
    static const int mark[SB_N_VERDICTS] = {5, 7, 9, 6};
    int n_drawn = 0;
    for (int w = 0; w < SB_N_VERDICTS; w++) {
        if (compare->count[w] == 0) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$verdict_%d using 1:2:3:4 with xerrorbars linestyle %d pointtype %d title '%s'", w,
                 SB_STYLE_MEAN, mark[w], sb_verdict_name[w]);
    }
    sb_write(script, "\n");
}

sb_status sb_compare_draw(const sb_compare *compare, const char *folder)
{
    const sb_layout layout = {
        .n_panels = 1,
        .columns = 1,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = SB_STYLE_STRIP * (int)compare->n,
        .left = 16,
        .right = 16,
        .below = 58,
        .key_lines = 1,
        .key_lines_narrow = 2,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, "compare", &layout));
    for (int w = 0; w < SB_N_VERDICTS; w++) write_rows(plot.script, compare, w);
    write_range(plot.script, &layout, compare);
    sb_style_panel(plot.script, &layout, 0, sb_metric_title[compare->metric]);
    sb_style_axis_labels(plot.script, "mine / theirs; grey: margin; dotted: equal", NULL);
    sb_style_strips(plot.script, compare->n);
    write_margins(plot.script, compare);
    sb_style_strip_rule(plot.script, compare->n, 1);
    write_words(plot.script, &layout, compare);
    write_plot(plot.script, compare);
    return sb_plot_end(&plot, SB_OK);
}
