#include "matrix/run/runner.h"

#include "core/machine/clock.h"
#include "core/screen/fields.h"
#include "core/screen/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct page { /* text being put together; what does not fit is left out */
    char text[SB_SCREEN_TEXT];
    size_t used;
} page;

__attribute__((format(printf, 2, 3))) static void add(page *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(p->text + p->used, sizeof p->text - p->used, format, arguments);
    va_end(arguments);
    p->used += (size_t)n;
    if (p->used >= sizeof p->text) p->used = sizeof p->text - 1;
}

/* -- a row: its name, and the fields after it -- */

typedef struct layout {
    int columns, name, bar;
} layout;

static void add_bar(sb_fields *row, int width, double done, double total)
{
    static const char full[] = "####################";
    int n = total > 0 && done > 0 ? (int)(width * (done < total ? done / total : 1)) : 0;
    if (width) sb_fields_add(row, 4, "[%.*s%*s]", n, full, width - n, "");
}

static void add_left(sb_fields *row, double seconds)
{
    char text[32];
    if (seconds < 0) return;
    sb_duration_text(seconds, text);
    sb_fields_add(row, SB_FIELD_STAYS, "%s left", text);
}

/* The rate leaves first, then the bar, then the loss; the time left never does. */
static sb_fields fields_of_cell(const sb_attempt *attempt, const sb_watch *watch, int bar)
{
    char elapsed[32];
    sb_fields row = {0};
    if (!watch->update) {
        sb_duration_text(sb_clock_seconds() - attempt->started, elapsed);
        sb_fields_add(&row, SB_FIELD_STAYS, "since %s", elapsed);
        return row;
    }
    add_bar(&row, bar, (double)watch->update, (double)watch->total);
    sb_fields_add(&row, SB_FIELD_STAYS, watch->total ? "%ld/%ld" : "%ld", watch->update, watch->total);
    sb_fields_add(&row, 1, "loss %.5f", watch->loss);
    if (watch->rate > 0) sb_fields_add(&row, 5, watch->rate < 100 ? "%.3g/s" : "%.0f/s", watch->rate);
    add_left(&row, sb_watch_left(watch));
    return row;
}

static sb_fields fields_of_all(sb_live_table_sum sum, double done, int n_running, int bar)
{
    sb_fields row = {0};
    add_bar(&row, bar, done, (double)sum.total);
    sb_fields_add(&row, SB_FIELD_STAYS, "%zu/%zu cells", sum.done, sum.total);
    sb_fields_add(&row, 2, "%d running", n_running);
    if (sum.failed) sb_fields_add(&row, 1, "%zu failed", sum.failed);
    add_left(&row, sum.left);
    return row;
}

/* -- the table -- */

static int longest_name(const sb_attempt *attempts, int n)
{
    int name = 3; /* "all" */
    for (int i = 0; i < n; i++) {
        int length = attempts[i].cell ? (int)strlen(attempts[i].cell->name) : 0;
        name = length > name ? length : name;
    }
    return name;
}

static void add_row(page *p, const char *name, const sb_fields *row, const layout *width)
{
    char line[SB_FIELDS * SB_FIELD_TEXT], shown[SB_FIELD_TEXT];
    sb_fields_write(row, width->columns - width->name - 2, line, sizeof line);
    sb_fields_write_name(name, width->name, shown, sizeof shown);
    add(p, "%s  %s", shown, line);
}

/* The numbers that stay matter more than the whole name. */
void sb_live_table_draw(const sb_attempt *attempts, const sb_watch *watches, int n, sb_live_table_sum sum)
{
    page p = {.used = 0};
    layout width;
    double done = (double)sum.done;
    int n_running = 0, rows, least = 0;
    sb_screen_size(&width.columns, &rows);
    width.bar = width.columns >= 110 ? 20 : width.columns >= 80 ? 10 : 0;
    width.columns--; /* a full last column would break some terminals' lines */
    for (int i = 0; i < n; i++) {
        if (!attempts[i].cell) continue;
        const sb_fields row = fields_of_cell(&attempts[i], &watches[i], width.bar);
        least = sb_fields_least(&row) > least ? sb_fields_least(&row) : least;
        if (watches[i].total) done += (double)watches[i].update / (double)watches[i].total;
        n_running++;
    }
    const sb_fields all = fields_of_all(sum, done, n_running, width.bar);
    least = sb_fields_least(&all) > least ? sb_fields_least(&all) : least;
    width.name = sb_fields_name_width(width.columns, longest_name(attempts, n), least);
    for (int i = 0; i < n; i++) {
        if (!attempts[i].cell) continue;
        const sb_fields row = fields_of_cell(&attempts[i], &watches[i], width.bar);
        add_row(&p, attempts[i].cell->name, &row, &width);
        add(&p, "\n");
    }
    add_row(&p, "all", &all, &width);
    sb_screen_draw(p.text);
}
