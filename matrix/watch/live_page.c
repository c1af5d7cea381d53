#include "matrix/watch/live.h"

#include "core/machine/clock.h"

#include <math.h>

enum { CURVE_WIDTH = 160, CURVE_HEIGHT = 28 };

static const sb_raw head = {
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<meta http-equiv=\"refresh\" content=\"2\">\n"
    "<style>\n:root { color-scheme: light dark }\nbody { font: 15px/1.4 sans-serif; margin: 1.5em }\n"
    "table { border-collapse: collapse }\nth, td { padding: .2em .8em .2em 0; text-align: left }\n"
    "td.number { text-align: right; font-variant-numeric: tabular-nums }\n"
    ".complete { color: #1a7f37 } .failed { color: #cf222e; font-weight: bold } .running { font-weight: bold }\n"
    "polyline { fill: none; stroke: currentColor; stroke-width: 1.5 }\n</style>\n"};

/* As one polyline, the highest loss at the top. */
static void write_curve(sb_writer *page, const sb_live_cell *c)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < c->n_curve; i++) {
        least = fmin(least, c->curve[i]);
        most = fmax(most, c->curve[i]);
    }
    if (c->n_curve < 2 || !isfinite(most - least)) return;
    sb_write(page,
             "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"loss from %.4g to %.4g\"><polyline points=\"",
             CURVE_WIDTH, CURVE_HEIGHT, c->curve[0], c->curve[c->n_curve - 1]);
    for (int i = 0; i < c->n_curve; i++) {
        const double part = most > least ? (c->curve[i] - least) / (most - least) : 0;
        if (isfinite(part))
            sb_write(page, "%.1f,%.1f ", 1 + (CURVE_WIDTH - 2.0) * i / (c->n_curve - 1),
                     1 + (CURVE_HEIGHT - 2) * (1 - part));
    }
    sb_write(page, "\"/></svg>");
}

static void write_cell(sb_writer *page, const sb_live_cell *c)
{
    char left[32] = "";
    if (c->left >= 0 && c->state == SB_STATE_RUNNING) sb_duration_text(c->left, left);
    sb_write(page, "<tr><td class=\"%s\">%s</td><td>%s</td><td class=\"number\">", sb_cell_state_word(c->state),
             sb_cell_state_word(c->state), c->cell->name);
    if (c->update) sb_write(page, "%ld", c->update);
    if (c->update && c->total) sb_write(page, "/%ld", c->total);
    sb_write(page, "</td><td class=\"number\">");
    if (c->n_curve) sb_write(page, "%.5f", c->loss);
    sb_write(page, "</td><td>");
    write_curve(page, c);
    sb_write(page, "</td><td class=\"number\">");
    if (c->rate > 0) sb_write(page, "%.3g/s", c->rate);
    sb_write(page, "</td><td>%s</td><td>%s</td></tr>\n", left, c->why);
}

void sb_live_page(const sb_live *live, const char *title, sb_writer *page)
{
    char date[32];
    sb_clock_date(date);
    sb_write_raw(page, head);
    sb_write(page, "<title>%zu/%zu %s</title>\n</head>\n<body>\n<h1>%s</h1>\n<p>%s:",
             live->count[SB_STATE_COMPLETE] + live->count[SB_STATE_DIVERGED], live->n, title, title, date);
    for (sb_cell_state state = 0; state < SB_STATE_N; state++)
        if (live->count[state]) sb_write(page, " %zu %s;", live->count[state], sb_cell_state_word(state));
    sb_write(page, " %zu in all.</p>\n<table>\n<tr><th>state</th><th>cell</th><th>updates</th><th>loss</th>", live->n);
    sb_write(page, "<th>so far</th><th>rate</th><th>left</th><th></th></tr>\n");
    for (const sb_live_cell *c = live->cell; c < live->cell + live->n; c++) write_cell(page, c);
    sb_write(page, "</table>\n</body>\n</html>\n");
}
