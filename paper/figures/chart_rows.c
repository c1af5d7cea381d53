/* The rows of a chart, and the layers under its points: lines between rows, rules, margins. */
#include "paper/figures/chart.h"

#include <math.h>

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
