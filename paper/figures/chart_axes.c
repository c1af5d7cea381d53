/* What a chart decides from what it holds: room, ranges, labels of the axes, and the key. */
#include "paper/figures/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels from the axis's beginning. */
static double place_of(const sb_axis *axis, double value)
{
    double share = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                     : (value - axis->low) / (axis->high - axis->low);
    return share * axis->length;
}

/* Pixels along the axis that the label takes. */
static double size_of(const sb_axis *axis, double value)
{
    char text[32];
    if (axis->upright) return SB_AXIS_LINE;
    return SB_AXIS_LETTER * (double)snprintf(text, sizeof text, "%g", value);
}

/* Add the value if its label fits after the last one. False: the labels would touch. */
static bool add(const sb_axis *axis, double value, double tic[SB_AXIS_TICS], size_t *n)
{
    static const double gap = 8;
    if (value < axis->low * (1 - 1e-9) || value > axis->high + 1e-9 * fabs(axis->high)) return true;
    double place = place_of(axis, value), half = size_of(axis, value) / 2;
    if (place - half < -axis->before || place + half > axis->length + axis->after) return true;
    if (*n == SB_AXIS_TICS) return false;
    if (*n && place - half < place_of(axis, tic[*n - 1]) + size_of(axis, tic[*n - 1]) / 2 + gap) return false;
    tic[(*n)++] = value;
    return true;
}

/* Mantissas (ending with 0) at every `stride`th power of ten. 0: they do not fit. */
static size_t list_powers(const sb_axis *axis, const double *mantissa, int stride, double tic[SB_AXIS_TICS])
{
    size_t n = 0;
    int first = (int)floor(log10(axis->low));
    while (first % stride != 0) first--;
    for (int exponent = first; pow(10, exponent) <= axis->high; exponent += stride)
        for (const double *m = mantissa; *m; m++)
            if (!add(axis, *m * pow(10, exponent), tic, &n)) return 0;
    return n;
}

/* Multiples of a step. 0: they do not fit. */
static size_t list_steps(const sb_axis *axis, double step, double tic[SB_AXIS_TICS])
{
    size_t n = 0;
    for (double k = ceil(axis->low / step - 1e-9) + 0.0; k * step <= axis->high * (1 + 1e-9); k++)
        if (!add(axis, k * step, tic, &n)) return 0;
    return n;
}

/* Keep the longer of two lists. */
static void keep_longer(double best[SB_AXIS_TICS], size_t *n_best, const double tic[SB_AXIS_TICS], size_t n)
{
    if (n <= *n_best) return;
    memcpy(best, tic, n * sizeof *tic);
    *n_best = n;
}

/* The finest round steps that fit. */
static size_t find_steps(const sb_axis *axis, double best[SB_AXIS_TICS])
{
    static const double round[] = {1, 2, 5};
    int top = (int)ceil(log10(axis->high - axis->low));
    size_t n = 0;
    for (int exponent = top - 2; exponent <= top; exponent++)
        for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
            double tic[SB_AXIS_TICS];
            keep_longer(best, &n, tic, list_steps(axis, round[i] * pow(10, exponent), tic));
        }
    return n;
}

size_t sb_axis_tics(const sb_axis *axis, double best[SB_AXIS_TICS])
{
    static const double lists[][8] = {{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5}, {1, 1.5, 2, 3, 4, 5, 7}};
    size_t n = 0;
    if (!(axis->low < axis->high) || !isfinite(axis->high - axis->low)) return 0;
    if (!axis->logarithmic) return find_steps(axis, best);
    if (!(axis->low > 0)) return 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (int stride = i == 0 ? 4 : 1; stride > 0; stride--) {
            double tic[SB_AXIS_TICS];
            keep_longer(best, &n, tic, list_powers(axis, lists[i], stride, tic));
        }
    double tic[SB_AXIS_TICS];
    if (axis->high / axis->low < 4) keep_longer(best, &n, tic, find_steps(axis, tic)); /* nearly linear */
    return n;
}

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
