/* A chart as a script of gnuplot: its data, then panel by panel axes, rows, and what is drawn in them. */
#include "paper/figures/chart.h"

#include <math.h>

/* The rows of a chart, and the layers under its points: lines between rows, rules, margins. */

/* A strip takes 1 of the vertical axis: number i from -i to -i - 1. These are parts of its height, from above. */
static const double WORDS = 0.24, RULE_FROM = 0.42, MIDDLE = 0.68, RULE_TO = 0.94;

double sb_chart_middle(const sb_chart *chart, const sb_row *row)
{
    return -(double)row->number - (chart->form.rows == SB_ROWS_STRIPS ? MIDDLE : 0);
}

static void write_rule(sb_writer *script, double x1, double y1, double x2, double y2, int style)
{
    sb_write(script, "set arrow from first %.6g, first %.2f to first %.6g, first %.2f nohead back linestyle %d\n", x1,
             y1, x2, y2, style);
}

/* From side to side. */
static void write_across(sb_writer *script, double y, int style)
{
    sb_write(script, "set arrow from graph 0, first %.6g to graph 1, first %.6g nohead back linestyle %d\n", y, y,
             style);
}

static void write_names(sb_writer *script, const sb_layout *layout, const sb_chart *chart, size_t panel)
{
    int n = 0;
    sb_write(script, "unset label\nunset grid\nset ytics (");
    for (const sb_row *row = chart->row; row < chart->row + chart->n_rows; row++) {
        if (row->panel != panel) continue;
        sb_write(script, n++ ? ", " : "");
        sb_style_text(script, row->words);
        sb_write(script, " %ld", -(long)row->number);
    }
    sb_write(script, ") scale 0\nset yrange [%.1f:0.5]\n", 0.5 - (layout->panel_height - 12) / 21);
    for (const sb_row *row = chart->row; row < chart->row + chart->n_rows; row++) {
        if (row->panel != panel) continue;
        if (*row->right)
            sb_style_absent(script, row->right, "graph 0.03, first %ld left", -(long)row->number);
        else
            write_across(script, -(double)row->number, SB_STYLE_ROW);
    }
}

static void write_strips(sb_writer *script, const sb_layout *layout, const sb_chart *chart, size_t panel)
{
    sb_write(script, "unset label\nunset arrow\nunset grid\nunset ytics\nset border 1\nset yrange [%ld.00:0]\n",
             -(long)chart->panel[panel].n_rows);
    for (const sb_row *row = chart->row; row < chart->row + chart->n_rows; row++) {
        const double top = -(double)row->number, middle = sb_chart_middle(chart, row), rule = chart->panel[panel].rule;
        if (row->panel != panel) continue;
        if (row->number) write_across(script, top, SB_STYLE_ROW);
        sb_style_words_above(script, layout, top - WORDS, row->words, row->right);
        if (row->margin.low <= row->margin.high)
            write_rule(script, row->margin.low, middle, row->margin.high, middle, SB_STYLE_MARGIN);
        if (isfinite(rule)) write_rule(script, rule, top - RULE_FROM, rule, top - RULE_TO, SB_STYLE_RULE);
    }
}

void sb_chart_write_rows(sb_writer *script, const sb_layout *layout, const sb_chart *chart, size_t panel)
{
    const double rule = chart->panel[panel].rule;
    if (chart->form.rows == SB_ROWS_STRIPS) {
        write_strips(script, layout, chart, panel);
        return;
    }
    sb_write(script, "unset arrow\n");
    sb_write(script, chart->form.share_x ? "set format x last_row ? '%%g' : ''\n" : "set format x '%%g'\n");
    if (chart->form.rows == SB_ROWS_NAMES)
        write_names(script, layout, chart, panel);
    else
        sb_write(script, "set format y first_column ? '%%g' : ''\n");
    if (isfinite(rule) && !chart->form.rows) write_across(script, rule, SB_STYLE_RULE);
    if (isfinite(rule) && chart->form.rows)
        sb_write(script, "set arrow from first %.6g, graph 0 to first %.6g, graph 1 nohead back linestyle %d\n", rule,
                 rule, SB_STYLE_RULE);
}

/* -- data -- */

/* A value as it is drawn: what has no place on the panel's logarithmic axis is at its lower end. */
static double drawn_at(const sb_chart *chart, const sb_scale *scale, size_t panel, double value)
{
    if (value > 0 || isnan(value) || !sb_scale_is_log(scale)) return value;
    return sb_chart_ends(chart, scale, &chart->panel[panel]).low;
}

static double place_in_rows(const sb_chart *chart, const struct sb_chart_point *p)
{
    return sb_chart_middle(chart, &chart->row[p->row]) + p->at.y + sb_chart_offset(chart, &p->at);
}

static void write_point(sb_writer *script, const sb_chart *chart, const struct sb_chart_point *p)
{
    const sb_series_form form = chart->form.series[p->at.series].form;
    const sb_scale *x = &chart->form.x, *y = &chart->form.y, *ends = chart->form.rows ? x : y;
    sb_write(script, "%.6g ", drawn_at(chart, x, p->panel, sb_chart_drawn_x(chart, &p->at)));
    if (chart->form.rows)
        sb_write(script, "%.4f", place_in_rows(chart, p));
    else
        sb_write(script, "%.6g", drawn_at(chart, y, p->panel, p->at.y));
    if (form == SB_MEANS || form == SB_CURVE || form == SB_ARROWS)
        sb_write(script, " %.6g %.6g", drawn_at(chart, ends, p->panel, p->at.low),
                 drawn_at(chart, ends, p->panel, p->at.high));
    if (form == SB_MARKS) {
        sb_write(script, " ");
        sb_style_words(script, p->words);
    }
    sb_write(script, "\n");
}

static void write_list(sb_writer *script, const sb_chart *chart, size_t panel, int series)
{
    size_t n = 0;
    sb_write(script, "$%s_%zu << END\n", chart->form.series[series].name, panel + 1);
    for (size_t i = 0; i < chart->n_points; i++) {
        if (chart->point[i].panel != panel || chart->point[i].at.series != series) continue;
        write_point(script, chart, &chart->point[i]);
        if (chart->form.series[series].form == SB_JOINS && n++ % 2) sb_write(script, "\n");
    }
    sb_write(script, "END\n");
}

/* -- what is drawn in a panel -- */

/* How gnuplot draws each form, and of which columns. */
static const sb_raw drawn[] = {
    [SB_MARKS] = {"using 1:2:3 with labels hypertext point"},
    [SB_MEANS] = {"using 1:2:3:4 with xerrorbars"},
    [SB_CURVE] = {"using 1:2 with lines"},
    [SB_LINE] = {"using 1:2 with lines"},
    [SB_JOINS] = {"using 1:2 with lines"},
    [SB_ARROWS] = {"using 1:2:($3-$1):($4-$2) with vectors nohead"},
};
static const sb_raw upright = {"using 1:2:3:4 with yerrorbars"}, band = {"using 1:3:4 with filledcurves"};

/* What is before the n-th thing that one `plot` draws. */
static void write_item(sb_writer *script, int n)
{
    sb_write(script, n ? ", \\\n     " : "plot ");
}

static void write_series(sb_writer *script, int n_drawn, size_t panel, const sb_series *series, sb_raw how)
{
    write_item(script, n_drawn);
    sb_write(script, "$%s_%zu ", series->name, panel + 1);
    sb_write_raw(script, how);
    sb_write(script, " linestyle %d", series->style);
}

/* Bands first, so that they hide no line. */
static int write_all_series(sb_writer *script, const sb_chart *chart, size_t panel)
{
    int n_drawn = 0;
    for (int bands = 1; bands >= 0; bands--)
        for (int s = 0; s < chart->form.n_series; s++) {
            const sb_series *series = &chart->form.series[s];
            const bool is_upright = series->form == SB_MEANS && !chart->form.rows;
            if (!(chart->panel[panel].series >> s & 1) || (bands && series->form != SB_CURVE)) continue;
            write_series(script, n_drawn++, panel, series, bands ? band : is_upright ? upright : drawn[series->form]);
        }
    return n_drawn;
}

/* The key is in the first panel, for all of them. gnuplot refuses one where nothing is drawn. */
static void write_key(sb_writer *script, const sb_chart *chart, int n_drawn)
{
    sb_key_entry entry;
    for (int i = 0; sb_chart_next_key(chart, &i, &entry);) {
        write_item(script, n_drawn++);
        sb_write(script, "keyentry with ");
        sb_write_raw(script, entry.how);
        sb_write(script, " linestyle %d title '%s'", entry.style, entry.words);
    }
}

static void write_panel(sb_writer *script, const sb_layout *layout, const sb_chart *chart, size_t k)
{
    const sb_panel *panel = &chart->panel[k];
    sb_style_panel(script, layout, k, panel->title);
    sb_style_axis_labels(script, panel->label ? panel->label : chart->form.x.label,
                         chart->form.rows ? NULL : chart->form.y.label);
    sb_chart_write_scales(script, layout, chart, panel);
    sb_chart_write_rows(script, layout, chart, k);
    int n_drawn = write_all_series(script, chart, k);
    if (n_drawn == 0) {
        write_item(script, n_drawn++);
        sb_write(script, "NaN with lines linestyle %d notitle", SB_STYLE_ROW);
    }
    if (k == 0) write_key(script, chart, n_drawn);
    sb_write(script, "\n");
}

void sb_chart_write_script(sb_writer *script, const sb_layout *layout, const sb_chart *chart)
{
    for (size_t k = 0; k < chart->n_panels; k++)
        for (int s = 0; s < chart->form.n_series; s++)
            if (chart->panel[k].series >> s & 1) write_list(script, chart, k, s);
    sb_chart_write_scales(script, layout, chart, NULL);
    for (size_t k = 0; k < chart->n_panels; k++) write_panel(script, layout, chart, k);
}
