#include "paper/figures/chart.h"

#include "core/random.h"
#include "core/size.h"
#include "core/text/csv.h"
#include "paper/files/output.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static const sb_range of_nothing = {HUGE_VAL, -HUGE_VAL};

void sb_chart_open(sb_chart *chart, const sb_chart_form *form)
{
    *chart = (sb_chart){.form = *form, .x = of_nothing, .y = of_nothing};
}

void sb_chart_free(sb_chart *chart)
{
    free(chart->panel);
    free(chart->row);
    free(chart->point);
    *chart = (sb_chart){0};
}

/* Room for one more in a list of n things; the chart's status says why there is none. */
static bool reserve(sb_chart *chart, void *list, size_t *room, size_t n, size_t size)
{
    if (sb_size_reserve(list, room, n + 1, size)) return true;
    chart->status = sb_fail(SB_E_MEMORY, "not enough memory for a figure of %zu points", chart->n_points);
    return false;
}

static sb_panel *last_panel(const sb_chart *chart)
{
    return chart->n_panels ? &chart->panel[chart->n_panels - 1] : NULL;
}

/* A value that an axis shows; on a logarithmic one 0 and below have no place. */
static void widen(sb_range *r, const sb_scale *scale, double value)
{
    if (!isfinite(value) || (sb_scale_is_log(scale) && value <= 0)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static void widen_x(sb_chart *chart, double value)
{
    sb_panel *panel = last_panel(chart);
    widen(&chart->x, &chart->form.x, value);
    if (!panel->is_fixed) widen(&panel->x, &chart->form.x, value);
}

void sb_chart_panel(sb_chart *chart, const char *title)
{
    if (!reserve(chart, &chart->panel, &chart->room_panels, chart->n_panels, sizeof *chart->panel)) return;
    sb_panel *panel = &chart->panel[chart->n_panels++];
    *panel = (sb_panel){.x = of_nothing, .rule = NAN};
    snprintf(panel->title, sizeof panel->title, "%s", title);
}

void sb_chart_rule(sb_chart *chart, double value)
{
    sb_panel *panel = last_panel(chart);
    if (!panel) return;
    panel->rule = value;
    if (chart->form.rows)
        widen_x(chart, value);
    else
        widen(&chart->y, &chart->form.y, value);
}

void sb_chart_range(sb_chart *chart, const char *label, double low, double high)
{
    sb_panel *panel = last_panel(chart);
    if (!panel) return;
    panel->is_fixed = true;
    panel->label = label;
    panel->x = (sb_range){low, high};
}

void sb_chart_row(sb_chart *chart, const char *words, const char *number)
{
    sb_panel *panel = last_panel(chart);
    if (!panel || !reserve(chart, &chart->row, &chart->room_rows, chart->n_rows, sizeof *chart->row)) return;
    sb_row *row = &chart->row[chart->n_rows++];
    *row = (sb_row){.panel = chart->n_panels - 1, .number = panel->n_rows++, .margin = of_nothing};
    snprintf(row->words, sizeof row->words, "%s", words);
    snprintf(row->right, sizeof row->right, "%s", number);
}

void sb_chart_margin(sb_chart *chart, double low, double high)
{
    if (chart->n_rows == 0 || !isfinite(high - low)) return;
    chart->row[chart->n_rows - 1].margin = (sb_range){low, high};
    widen_x(chart, low);
    widen_x(chart, high);
}

double sb_chart_offset(const sb_chart *chart, const sb_point *p)
{
    const sb_series *series = &chart->form.series[p->series];
    return series->at + (p->seed ? series->jitter * (sb_random_uniform((uint64_t)*p->seed, 0, 0) - 0.5) : 0);
}

double sb_chart_drawn_x(const sb_chart *chart, const sb_point *p)
{
    return chart->form.rows ? p->x : p->x * exp(sb_chart_offset(chart, p));
}

/* Intervals lie along the horizontal axis where there are rows, else along the vertical one; arrows along both. */
static void widen_by(sb_chart *chart, const sb_point *p)
{
    const sb_series_form form = chart->form.series[p->series].form;
    const bool has_ends = form == SB_MEANS || form == SB_CURVE;
    const double ends[] = {p->low, p->high};
    widen_x(chart, sb_chart_drawn_x(chart, p));
    widen(&chart->y, &chart->form.y, p->y);
    for (int i = 0; i < 2; i++) {
        if ((has_ends && chart->form.rows) || (form == SB_ARROWS && i == 0)) widen_x(chart, ends[i]);
        if ((has_ends && !chart->form.rows) || (form == SB_ARROWS && i == 1)) widen(&chart->y, &chart->form.y, ends[i]);
    }
}

/* NULL: it is left out. */
static struct sb_chart_point *add_point(sb_chart *chart, sb_point point)
{
    sb_panel *panel = last_panel(chart);
    if (!panel || !isfinite(point.x) || !isfinite(point.y)) return NULL;
    if (!reserve(chart, &chart->point, &chart->room_points, chart->n_points, sizeof *chart->point)) return NULL;
    if (chart->form.series[point.series].form == SB_MEANS && isnan(point.low))
        point.low = point.high = chart->form.rows ? point.x : point.y; /* a bar of no length keeps the mark */
    widen_by(chart, &point);
    panel->series |= 1u << point.series;
    chart->series |= panel->series;
    struct sb_chart_point *p = &chart->point[chart->n_points++];
    *p = (struct sb_chart_point){point, chart->n_panels - 1, chart->n_rows ? chart->n_rows - 1 : 0, ""};
    return p;
}

void sb_chart_point(sb_chart *chart, sb_point point)
{
    (void)add_point(chart, point);
}

void sb_chart_mark(sb_chart *chart, sb_point point, const char *words, ...)
{
    struct sb_chart_point *p = add_point(chart, point);
    if (!p) return;
    va_list arguments;
    va_start(arguments, words);
    vsnprintf(p->words, sizeof p->words, words, arguments);
    va_end(arguments);
}

/* -- csv -- */

static void write_head(sb_writer *csv, const sb_chart_form *form)
{
    sb_write(csv, form->rows ? "panel,row,series" : "panel,series");
    sb_write(csv, ",%s", form->x.column);
    if (!form->rows) sb_write(csv, ",%s", form->y.column);
    sb_write(csv, ",%s,%s", form->ends[0] ? form->ends[0] : "low", form->ends[1] ? form->ends[1] : "high");
    sb_write(csv, ",seed,words\n");
}

static void write_line(sb_writer *csv, const sb_chart *chart, const struct sb_chart_point *p)
{
    const sb_chart_form *form = &chart->form;
    const sb_series *series = &form->series[p->at.series];
    sb_write(csv, "%s,", chart->panel[p->panel].title);
    if (form->rows) sb_write(csv, "%s,", chart->row[p->row].words);
    sb_write(csv, "%s,%.6g", series->name, p->at.x);
    if (!form->rows) sb_write(csv, ",%.6g", p->at.y);
    if (series->form == SB_MARKS)
        sb_write(csv, ",,");
    else
        sb_write(csv, ",%.6g,%.6g", p->at.low, p->at.high);
    if (p->at.seed)
        sb_write(csv, ",%ld,%s\n", *p->at.seed, p->words);
    else
        sb_write(csv, ",,%s\n", p->words);
}

static void write_csv(sb_writer *csv, const sb_chart *chart)
{
    write_head(csv, &chart->form);
    for (size_t i = 0; i < chart->n_points; i++) {
        const sb_series_form form = chart->form.series[chart->point[i].at.series].form;
        if (form != SB_LINE && form != SB_JOINS) write_line(csv, chart, &chart->point[i]);
    }
}

sb_status sb_chart_write_csv(const sb_chart *chart, const char *folder, const char *name)
{
    sb_output output;
    char file[SB_PATH_MAX], path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, folder, "%s.csv", name));
    if (chart->n_points == 0) {
        unlink(path); /* of an earlier figure of this name */
        return SB_OK;
    }
    snprintf(file, sizeof file, "%s.csv", name);
    SB_TRY(sb_output_begin(&output, folder, file, &sb_csv));
    write_csv(output.out, chart);
    return sb_output_end(&output, SB_OK);
}

sb_status sb_chart_draw(sb_chart *chart, const char *folder, const char *name)
{
    const sb_layout layout = sb_chart_layout(chart);
    sb_plot plot;
    SB_TRY(chart->status);
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    sb_chart_write_script(plot.script, &layout, chart);
    return sb_plot_end(&plot, SB_OK);
}
