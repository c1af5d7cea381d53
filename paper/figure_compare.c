/* My arms over their partners: a row for each comparison, ratio with interval, the margin as a band around 1. */
#include "paper/compare.h"

#include "paper/gnuplot.h"

#include <math.h>

enum { ROW_PIXELS = 62 };

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
    sb_write(script, "$verdict_%d << END\n", word);
    for (size_t i = 0; i < compare->n; i++) {
        const sb_verdict *v = &compare->comparison[i].verdict;
        if ((int)v->word == word) sb_write(script, "%.6g %ld %.6g %.6g\n", v->ratio, -(long)i, low_of(v), high_of(v));
    }
    sb_write(script, "END\n");
}

static void write_margins(sb_writer *script, const sb_compare *compare)
{
    for (size_t i = 0; i < compare->n; i++) {
        double margin = compare->comparison[i].verdict.margin.log_ratio;
        if (!isnan(margin))
            sb_write(script,
                     "set object rectangle from %.6g,%.2f to %.6g,%.2f back fillcolor rgb '#e4e4e4' linewidth 0\n",
                     exp(-margin), -(double)i - 0.45, exp(margin), -(double)i + 0.45);
    }
}

static void write_axes(sb_writer *script, const sb_compare *compare)
{
    double low = 0.95, high = 1.05;
    for (size_t i = 0; i < compare->n; i++) {
        const sb_verdict *v = &compare->comparison[i].verdict;
        double margin = isnan(v->margin.log_ratio) ? 1 : exp(v->margin.log_ratio);
        low = fmin(low, fmin(low_of(v), 1 / margin));
        high = fmax(high, fmax(high_of(v), margin));
    }
    sb_style_log_axis(script, 'x', low, high, 0.05);
    sb_write(script, "set yrange [%.1f:0.5]\nset ytics (", -(double)compare->n + 0.5);
    for (size_t i = 0; i < compare->n; i++) {
        const sb_comparison *c = &compare->comparison[i];
        char label[sizeof c->mine + 16];
        snprintf(label, sizeof label, "%s%s%s", c->mine, c->evidence ? ", " : "",
                 c->evidence ? sb_evidence_name[c->evidence] : "");
        sb_write(script, i ? ", " : "");
        sb_style_text(script, label, true);
        sb_write(script, " %ld", -(long)i);
    }
    sb_write(script, ") scale 0\n");
}

static void write_plot(sb_writer *script, const sb_compare *compare)
{
    /* Marks that stay apart in grey: filled for what is known to be equal or not, open for what is not known. */
    static const int mark[SB_N_VERDICTS] = {5, 7, 9, 6};
    int n_drawn = 0;
    sb_write(script, "set arrow 1 from 1, graph 0 to 1, graph 1 nohead back linestyle %d\n", SB_STYLE_RULE);
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
    size_t width = 1;
    for (size_t i = 0; i < compare->n; i++) {
        size_t n = sb_style_label_width(compare->comparison[i].mine);
        if (n > width) width = n;
    }
    const sb_layout layout = {
        .n_panels = 1,
        .columns = 1,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 30 + ROW_PIXELS * (int)compare->n,
        .left = 24 + 8 * (int)width,
        .below = 58,
        .between = 40,
        .key_lines = 1,
        .key_lines_narrow = 2,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, "compare", &layout));
    sb_write(plot.script, "# ratio, place, interval; a list for each verdict\n");
    for (int w = 0; w < SB_N_VERDICTS; w++) write_rows(plot.script, compare, w);
    sb_write(plot.script, "set grid xtics noytics\n");
    sb_style_panel(plot.script, &layout, 0, sb_metric_title[compare->metric]);
    write_margins(plot.script, compare);
    write_axes(plot.script, compare);
    sb_style_axis_labels(plot.script, "mine / theirs; grey: margin", NULL);
    write_plot(plot.script, compare);
    return sb_plot_end(&plot, SB_OK);
}
