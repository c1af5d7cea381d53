/* What a chart decides from what it holds: room, ranges, labels of the axes, and the key. */
#include "paper/figures/axis.h"
#include "paper/figures/chart.h"

#include <math.h>
#include <string.h>

/* -- key -- */

/* A series is in the key unless an earlier one has the same entry. */
static bool has_key(const sb_chart *chart, int s)
{
    const sb_series *series = chart->form.series;
    if (!series[s].key || !(chart->series >> s & 1)) return false;
    for (int other = 0; other < s; other++)
        if (series[other].key && chart->series >> other & 1 && strcmp(series[other].key, series[s].key) == 0)
            return false;
    return true;
}

bool sb_chart_next_key(const sb_chart *chart, int *i, sb_key_entry *entry)
{
    static const sb_raw how[] = {
        [SB_MARKS] = {"points"}, [SB_MEANS] = {"xerrorbars"}, [SB_CURVE] = {"lines"},
        [SB_LINE] = {"lines"},   [SB_JOINS] = {"lines"},      [SB_ARROWS] = {"lines"},
    };
    const int n = chart->form.n_series;
    for (; *i < n; ++*i) {
        const sb_series *series = &chart->form.series[*i];
        if (!has_key(chart, *i)) continue;
        *entry = (sb_key_entry){series->key, how[series->form], series->style};
        ++*i;
        return true;
    }
    *entry = (sb_key_entry){chart->form.band, SB_RAW("filledcurves"), SB_STYLE_BAND};
    return (*i)++ == n && chart->form.band;
}

enum { KEY_SAMPLE = 44 }; /* pixels */

/* The number of lines of the key in a picture of this width: entries are in columns of equal width. */
static int key_lines(const sb_chart *chart, int width)
{
    sb_key_entry entry;
    int n = 0;
    size_t longest = 1;
    for (int i = 0; sb_chart_next_key(chart, &i, &entry); n++)
        if (strlen(entry.words) > longest) longest = strlen(entry.words);
    int columns = width / (KEY_SAMPLE + SB_AXIS_LETTER * (int)longest);
    if (columns < 1) columns = 1;
    return (n + columns - 1) / columns;
}

/* -- layout -- */

static int or_else(int value, int other)
{
    return value ? value : other;
}

/* Pixels left of a vertical axis: its label, and the longest of the powers of ten that are on it. */
static int left_of_axis(const sb_chart *chart)
{
    const bool is_log = chart->y.low > 0 && sb_scale_is_log(&chart->form.y);
    int left = or_else(chart->form.layout.left, 84);
    for (int k = is_log ? (int)floor(log10(chart->y.low)) : 0; is_log && k <= log10(chart->y.high); k++) {
        const int needed = 40 + SB_AXIS_LETTER * snprintf(NULL, 0, "%g", pow(10, k));
        if (needed > left) left = needed;
    }
    return left;
}

/* The margins next to and below the panels of each kind of chart. */
static void complete_margins(sb_layout *layout, const sb_chart *chart)
{
    size_t longest = 0;
    layout->below = 58;
    layout->between = chart->form.share_x ? 20 : chart->form.rows ? 40 : 44;
    if (chart->form.rows == SB_ROWS_STRIPS) {
        layout->left = layout->right = 16;
        return;
    }
    if (chart->form.rows == SB_ROWS_NONE) {
        layout->gap = or_else(layout->gap, 30);
        layout->left = left_of_axis(chart);
        return;
    }
    for (size_t i = 0; i < chart->n_rows; i++)
        if (strlen(chart->row[i].words) > longest) longest = strlen(chart->row[i].words);
    layout->left = 12 + 8 * (int)longest;
}

sb_layout sb_chart_layout(const sb_chart *chart)
{
    sb_layout layout = chart->form.layout;
    int n_rows = 0;
    for (size_t k = 0; k < chart->n_panels; k++)
        if ((int)chart->panel[k].n_rows > n_rows) n_rows = (int)chart->panel[k].n_rows;
    layout.n_panels = chart->n_panels;
    layout.columns = or_else(layout.columns, chart->n_panels > 1 ? 2 : 1);
    layout.columns_narrow = or_else(layout.columns_narrow, 1);
    if (chart->form.rows == SB_ROWS_STRIPS)
        layout.panel_height = or_else(layout.panel_height, SB_CHART_STRIP) * n_rows;
    else if (chart->form.rows == SB_ROWS_NAMES)
        layout.panel_height = 12 + 21 * n_rows;
    complete_margins(&layout, chart);
    layout.key_lines = key_lines(chart, or_else(layout.width, SB_STYLE_WIDTH));
    layout.key_lines_narrow = key_lines(chart, SB_STYLE_WIDTH_NARROW);
    for (size_t k = 0; k < chart->n_panels; k++)
        if (*chart->panel[k].title) sb_style_fit_title(&layout, chart->panel[k].title);
    return layout;
}

/* -- axes -- */

bool sb_scale_is_log(const sb_scale *scale)
{
    return scale->kind == SB_SCALE_LOG || scale->kind == SB_SCALE_VALUES;
}

/* The ends of a logarithmic axis that shows this range. The smallest room keeps marks away from the ends. */
static sb_range with_room(sb_range r, double room)
{
    if (!(r.low > 0 && r.low <= r.high && isfinite(r.high))) r = (sb_range){0.1, 1}; /* no value above 0 */
    const double factor = fmax(1.01, pow(r.high / r.low, room));
    return (sb_range){r.low / factor, r.high * factor};
}

sb_range sb_chart_ends(const sb_chart *chart, const sb_scale *scale, const sb_panel *panel)
{
    const bool is_x = scale == &chart->form.x, is_own = is_x && panel && (scale->by_panel || panel->is_fixed);
    sb_range r = is_own ? panel->x : is_x ? chart->x : chart->y;
    if (scale->high > 0) r.high = fmax(r.high, scale->high);
    if (!sb_scale_is_log(scale)) return r;
    if (scale->low > 0) r.low = fmin(r.low, scale->low);
    return with_room(r, scale->room);
}

/* The values that means have, ascending, as labels. */
static void write_values(sb_writer *script, const sb_chart *chart)
{
    double last = -HUGE_VAL;
    sb_write(script, "set xtics (");
    for (int n = 0;; n++) {
        double next = HUGE_VAL;
        for (size_t i = 0; i < chart->n_points; i++)
            if (chart->form.series[chart->point[i].at.series].form == SB_MEANS && chart->point[i].at.x > last)
                next = fmin(next, chart->point[i].at.x);
        if (!isfinite(next)) break;
        sb_write(script, n ? ", %g" : "%g", next);
        last = next;
    }
    sb_write(script, ")\n");
}

static void write_scale(sb_writer *script, const sb_layout *layout, const sb_chart *chart, const sb_scale *scale,
                        const sb_panel *panel)
{
    const sb_range r = sb_chart_ends(chart, scale, panel);
    switch (scale->kind) {
    case SB_SCALE_COUNT:
        sb_style_count_axis(script, layout, r.high);
        break;
    case SB_SCALE_RANKS:
        sb_write(script, "set yrange [%g:0.5]\nset ytics 1,%g\n", r.high + 0.5, fmax(1, r.high - 1));
        break;
    case SB_SCALE_VALUES:
    case SB_SCALE_LOG:
        sb_style_log_axis(script, layout, scale == &chart->form.x ? 'x' : 'y', r.low, r.high);
        if (scale->kind == SB_SCALE_VALUES) write_values(script, chart);
        break;
    }
}

void sb_chart_write_scales(sb_writer *script, const sb_layout *layout, const sb_chart *chart, const sb_panel *panel)
{
    const sb_scale *x = &chart->form.x, *y = &chart->form.y;
    if (!panel && !x->by_panel) write_scale(script, layout, chart, x, NULL);
    if (!panel && !chart->form.rows) write_scale(script, layout, chart, y, NULL);
    if (panel && (x->by_panel || panel->is_fixed)) write_scale(script, layout, chart, x, panel);
}
