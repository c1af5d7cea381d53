/* A figure as a table of points. A figure says what it shows: panels, in them rows or axes, and points, each of one
 * series; how that looks, in which ranges and with which labels, is decided here for all figures alike.
 *
 *     static const sb_series series[] = {{"pairs", SB_MARKS, SB_STYLE_RATIO, "a pair of runs"}, ...};
 *
 *     sb_chart_panel(chart, "last-frame loss");
 *     sb_chart_row(chart, "native", "1.34 [1.11, 1.68]");
 *     sb_chart_mark(chart, (sb_point){.series = PAIRS, .x = ratio, .seed = &run->seed}, "%.4g; run %.8s", ratio, hash);
 *
 * A point is of the panel and row that were added last. Memory that is short is reported by sb_chart_draw. */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "paper/effects/arms.h"
#include "paper/figures/style.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_series_form {
    SB_MARKS,  /* a mark at each point, which says its words under the pointer */
    SB_MEANS,  /* a mark with an interval from low to high */
    SB_CURVE,  /* a line through the points, and a band from low to high */
    SB_LINE,   /* a line through the points */
    SB_JOINS,  /* a line from each first point to each second */
    SB_ARROWS, /* a line from (x, y) to (low, high) */
} sb_series_form;

typedef struct sb_series {
    const char *name; /* in the script and the csv */
    sb_series_form form;
    int style;       /* a line style (style.h) */
    const char *key; /* its words in the key; NULL: none. Several series may share them */
    /* Where its points are drawn, next to their values: in a row, this far above its middle, and the height over which
     * seeds are spread; without rows both are differences of log x. */
    double at, jitter;
} sb_series;

typedef enum sb_scale_kind {
    SB_SCALE_LOG,
    SB_SCALE_VALUES, /* logarithmic, labelled at the values of the points */
    SB_SCALE_COUNT,  /* linear, from 0 on */
    SB_SCALE_RANKS,  /* 1 at the top */
} sb_scale_kind;

typedef struct sb_scale {
    char label[112];
    const char *column; /* in the csv */
    sb_scale_kind kind;
    double low, high; /* an axis shows `high` in any case, a logarithmic one also `low`; 0: what points need */
    double room;      /* on both sides of a logarithmic axis, as a share of it */
    bool by_panel;    /* each panel has a range of its own */
} sb_scale;

enum { SB_CHART_STRIP = 56, SB_CHART_STRIP_TALL = 84 }; /* pixels, of one and of several lines of marks */

typedef enum sb_chart_rows {
    SB_ROWS_NONE,   /* both axes are scales */
    SB_ROWS_STRIPS, /* rows one below the other, each with its words above it, so that no label is over what is drawn */
    SB_ROWS_NAMES,  /* low rows with their names next to the axis */
} sb_chart_rows;

typedef struct sb_chart_form {
    sb_chart_rows rows;
    sb_layout layout; /* what is 0 follows from what the chart holds */
    bool share_x;     /* panels below each other share the labels of the horizontal axis */
    sb_scale x, y;
    const sb_series *series;
    int n_series;
    const char *band;    /* of curves: what the band is, in the key */
    const char *ends[2]; /* names of low and high in the csv; NULL: these */
} sb_chart_form;

/* What is not set is 0. low and high are of means, curves and arrows; NAN: a mean without an interval. */
typedef struct sb_point {
    int series;
    double x, y, low, high; /* y: in a row what is added to its place */
    const long *seed;       /* of the run that it shows, which outlives the chart; NULL: of no run alone */
} sb_point;

typedef struct sb_range {
    double low, high; /* low > high: of nothing */
} sb_range;

enum { SB_CHART_WORDS = 160, SB_CHART_TITLE = 512 };

typedef struct sb_panel {
    char title[SB_CHART_TITLE];
    const char *label; /* of its horizontal axis; NULL: the chart's */
    size_t n_rows;
    unsigned series; /* bit 1 << series: it has points of that */
    bool is_fixed;   /* its range was set */
    double rule;     /* NAN: none */
    sb_range x;
} sb_panel;

typedef struct sb_row {
    size_t panel, number; /* the row's place in its panel, from 0 */
    char words[SB_CHART_TITLE], right[96];
    sb_range margin;
} sb_row;

typedef struct sb_chart {
    sb_chart_form form; /* its labels and layout may be changed before the chart is drawn */
    sb_status status;
    size_t n_panels, n_rows, n_points, room_panels, room_rows, room_points;
    sb_panel *panel;
    sb_row *row;
    struct sb_chart_point {
        sb_point at;
        size_t panel, row; /* the row's place among all rows */
        char words[SB_CHART_WORDS];
    } * point;
    unsigned series; /* of any panel */
    sb_range x, y;   /* of all points */
} sb_chart;

void sb_chart_open(sb_chart *chart, const sb_chart_form *form);
void sb_chart_free(sb_chart *chart);

void sb_chart_panel(sb_chart *chart, const char *title);

/* A value of reference in the last panel, as a dotted line: of the horizontal axis, without rows of the vertical one. */
void sb_chart_rule(sb_chart *chart, double value);

/* The last panel's horizontal axis: its label, if that is not the chart's, and its range, whatever its points are. */
void sb_chart_range(sb_chart *chart, const char *label, double low, double high);

/* A row of the last panel. `number`: what a strip says on the right; a row of names in place of points. May be "". */
void sb_chart_row(sb_chart *chart, const char *words, const char *number);

/* A range of the horizontal axis in the background of the last row, a strip: what counts as equal. */
void sb_chart_margin(sb_chart *chart, double low, double high);

/* A point of the last panel and row. One whose values are not finite is left out; one without a place on a logarithmic
 * axis, 0 or below, is drawn at the axis's lower end. */
void sb_chart_point(sb_chart *chart, sb_point point);

/* The same with the words that it says under the pointer. */
void sb_chart_mark(sb_chart *chart, sb_point point, const char *words, ...) __attribute__((format(printf, 3, 4)));

/* NAME.gp, NAME.svg and NAME-narrow.svg in the folder (gnuplot.c). */
sb_status sb_chart_draw(sb_chart *chart, const char *folder, const char *name);

/* NAME.csv: a line for each point, but not for what only leads the eye from point to point; no file without points. */
sb_status sb_chart_write_csv(const sb_chart *chart, const char *folder, const char *name);

/* -- for the files that draw it -- */

/* at, and what jitter adds for the point's seed, if it has one: the same in every figure and run. */
double sb_chart_offset(const sb_chart *chart, const sb_point *point);

/* Where a point is drawn on the horizontal axis, which is logarithmic where `at` or `jitter` moves a point. */
double sb_chart_drawn_x(const sb_chart *chart, const sb_point *point);

/* The middle of a row on the vertical axis. */
double sb_chart_middle(const sb_chart *chart, const sb_row *row);
void sb_chart_write_rows(sb_writer *script, const sb_layout *layout, const sb_chart *chart, size_t panel);

bool sb_scale_is_log(const sb_scale *scale);

/* What the axis of a scale shows in a panel, or with NULL in all panels that have no range of their own. On a
 * logarithmic scale these are the ends of the axis, 0 < low < high, whatever the chart holds; else it is the range of
 * the points and `high`. */
sb_range sb_chart_ends(const sb_chart *chart, const sb_scale *scale, const sb_panel *panel);
sb_layout sb_chart_layout(const sb_chart *chart);

/* The axes of a panel, or with NULL those that all panels have in common. */
void sb_chart_write_scales(sb_writer *script, const sb_layout *layout, const sb_chart *chart, const sb_panel *panel);

/* What is between the head of the script (style.h) and its end. */
void sb_chart_write_script(sb_writer *script, const sb_layout *layout, const sb_chart *chart);

/* What is in the key, one after the other: from *i, which begins with 0; false at the end. */
typedef struct sb_key_entry {
    const char *words;
    sb_raw how; /* gnuplot draws it there */
    int style;
} sb_key_entry;
bool sb_chart_next_key(const sb_chart *chart, int *i, sb_key_entry *entry);

typedef struct sb_axis {
    double low, high; /* low < high; above 0 on a logarithmic axis */
    bool logarithmic, upright;
    double length;        /* in pixels */
    double before, after; /* room for a label beyond the ends, in pixels */
} sb_axis;

/* Labels are written with %g in letters of 14 pixels. */
enum { SB_AXIS_TICS = 12, SB_AXIS_LETTER = 9, SB_AXIS_LINE = 17 }; /* most labels; pixels of a letter and of a line */

/* The values, ascending; returns how many. Two at least wherever two round values can stand next to each other at all.
 * 0: the ends are no range of finite numbers, above 0 on a logarithmic axis. */
size_t sb_axis_tics(const sb_axis *axis, double tic[SB_AXIS_TICS]);

/* A figure drawn by gnuplot, the only file that runs it. The script is kept next to the picture and holds its data, so
 * that anybody can draw the figure again:
 *
 *     sb_plot plot;
 *     SB_TRY(sb_plot_begin(&plot, folder, "effect-prednet-walk", &layout));
 *     sb_style_panel(plot.script, ...); sb_write(plot.script, ...);
 *     return sb_plot_end(&plot, SB_OK);                      NAME.gp, NAME.svg, NAME-narrow.svg
 *
 * What becomes of gnuplot's picture, grid.h says.
 */

typedef struct sb_plot {
    sb_writer *script; /* what is written here becomes NAME.gp */
    char folder[SB_PATH_MAX], name[128];
} sb_plot;

/* Begin the script with the head that style.h gives it. A failed call leaves nothing to end. */
sb_status sb_plot_begin(sb_plot *plot, const char *folder, const char *name, const sb_layout *layout);

/* With SB_OK: write the script and its data, draw both pictures. SB_E_MISSING: gnuplot is not installed. Otherwise pass
 * the status on. Frees the plot either way; no half-drawn picture stays. */
sb_status sb_plot_end(sb_plot *plot, sb_status status);
