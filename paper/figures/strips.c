#include "paper/figures/strips.h"

#include <math.h>

static const double PAIRS_AT = 0.13, MEAN_AT = -0.13; /* beside the middle of a strip */

static bool is_there(const sb_strips *s, int mark)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->row[i].mark == mark && s->row[i].finding->verdict.paired) return true;
    return false;
}

/* The next pair that has a ratio, from *k on, which moves past it; false: there is none. */
static bool next_pair(const sb_finding *f, size_t *k, double *ratio, const sb_result **of, const sb_result **over)
{
    while (f->verdict.paired && *k < f->verdict.n) {
        *ratio = sb_finding_pair(f, (*k)++, of, over);
        if (isfinite(*ratio) && *ratio > 0) return true;
    }
    return false;
}

static void write_pairs(sb_writer *script, const sb_finding *f, size_t i)
{
    const sb_result *of, *over;
    double ratio;
    for (size_t k = 0; next_pair(f, &k, &ratio, &of, &over);)
        sb_write(script, "%.6g %.4f %ld \"seed %ld: %.4g; runs %.8s over %.8s\"\n", ratio,
                 sb_style_strip_middle(i) + PAIRS_AT + 0.1 * sb_figure_jitter(of->seed), of->seed, of->seed, ratio,
                 of->hash, over->hash);
}

static void write_data(sb_writer *script, const sb_strips *s)
{
    for (int m = 0; m < s->n_marks; m++) {
        if (!is_there(s, m)) continue;
        sb_write(script, "# columns ratio _place seed runs\n$%s << END\n", s->mark[m].list);
        for (size_t i = 0; i < s->n; i++)
            if (s->row[i].mark == m) write_pairs(script, s->row[i].finding, i);
        sb_write(script, "END\n");
    }
    sb_write(script, "# columns mean _place low high\n$mean << END\n");
    for (size_t i = 0; i < s->n; i++) {
        const sb_verdict *v = &s->row[i].finding->verdict;
        const bool alone = isnan(v->low);
        sb_write(script, "%.6g %.4f %.6g %.6g\n", v->ratio, sb_style_strip_middle(i) + MEAN_AT,
                 alone ? v->ratio : v->low, alone ? v->ratio : v->high);
    }
    sb_write(script, "END\n");
}

/* From the data, and never so narrow that a difference of one rounding looks like one of anything. */
static void write_range(sb_writer *script, const sb_layout *layout, const sb_strips *s)
{
    double low = 0.87, high = 1.15, ratio;
    for (size_t i = 0; i < s->n; i++) {
        const sb_finding *f = s->row[i].finding;
        const sb_result *of, *over;
        low = fmin(low, isnan(f->verdict.low) ? f->verdict.ratio : f->verdict.low);
        high = fmax(high, isnan(f->verdict.high) ? f->verdict.ratio : f->verdict.high);
        for (size_t k = 0; next_pair(f, &k, &ratio, &of, &over);) low = fmin(low, ratio), high = fmax(high, ratio);
    }
    sb_style_log_axis(script, layout, 'x', low, high, 0.04);
}

static void write_panel(sb_writer *script, const sb_strips *s)
{
    int n_drawn = 0;
    for (int m = 0; m < s->n_marks; m++) {
        if (!is_there(s, m)) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$%s using 1:2:4 with labels hypertext point linestyle %d", s->mark[m].list, s->mark[m].style);
        n_drawn = sb_style_key_item(script, n_drawn);
        sb_write(script, "keyentry with points linestyle %d title '%s'", s->mark[m].style, s->mark[m].title);
    }
    sb_style_item(script, n_drawn++);
    sb_write(script, "$mean using 1:2:3:4 with xerrorbars linestyle %d title 'mean, 95 %% interval'\n", SB_STYLE_MEAN);
}

sb_status sb_strips_draw(const sb_strips *s, const char *axis, const char *folder, const char *name)
{
    int n_keys = 1;
    for (int m = 0; m < s->n_marks; m++) n_keys += is_there(s, m);
    const sb_layout layout = {
        .n_panels = 1,
        .width = 700, /* beside the answer or alone on a page of 800 pixels, its text is as large as the page's */
        .columns = 1,
        .columns_narrow = 1,
        .panel_height = SB_STYLE_STRIP * (int)s->n,
        .left = 16,
        .right = 16,
        .below = 58,
        .key_lines = n_keys > 3 ? 2 : 1,
        .key_lines_narrow = n_keys,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    write_data(plot.script, s);
    write_range(plot.script, &layout, s);
    sb_style_panel(plot.script, &layout, 0, "");
    sb_style_axis_labels(plot.script, axis, NULL);
    sb_style_strips(plot.script, s->n);
    sb_style_strip_rule(plot.script, s->n, 1);
    for (size_t i = 0; i < s->n; i++) {
        char number[SB_VERDICT_TEXT];
        sb_verdict_ratio_text(&s->row[i].finding->verdict, number);
        sb_style_strip_words(plot.script, &layout, i, s->row[i].words, number);
    }
    write_panel(plot.script, s);
    return sb_plot_end(&plot, SB_OK);
}
