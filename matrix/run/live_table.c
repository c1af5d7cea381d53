#include "matrix/run/live_table.h"

#include "core/machine/clock.h"
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

/* What fits: the figures matter more than the bar, and both more than the whole name. */
typedef struct layout {
    int name, bar;
} layout;

static layout choose_layout(const sb_attempt *attempts, int n)
{
    int columns, rows, name = 0;
    sb_screen_size(&columns, &rows);
    for (int i = 0; i < n; i++) {
        int length = attempts[i].cell ? (int)strlen(attempts[i].cell->name) : 0;
        name = length > name ? length : name;
    }
    int most = columns < 100 ? columns / 3 : columns / 2;
    return (layout){name > most ? most : name, columns >= 110 ? 20 : columns >= 80 ? 10 : 0};
}

static void add_bar(page *p, int width, double done, double total)
{
    static const char full[] = "####################";
    int n = total > 0 && done > 0 ? (int)(width * (done < total ? done / total : 1)) : 0;
    if (width) add(p, "[%.*s%*s] ", n, full, width - n, "");
}

static void add_left(page *p, double seconds)
{
    char text[32];
    if (seconds < 0) return;
    sb_duration_text(seconds, text);
    add(p, "  %s left", text);
}

/* Names differ most at their end, so that is what is kept of a long one. */
static void add_name(page *p, const char *name, int width)
{
    int length = (int)strlen(name);
    if (length <= width)
        add(p, "%-*s", width, name);
    else
        add(p, "..%s", name + length - width + 2);
}

static void add_cell(page *p, const sb_attempt *attempt, const sb_watch *watch, layout width)
{
    char elapsed[32];
    add_name(p, attempt->cell->name, width.name);
    add(p, "  ");
    if (!watch->update) {
        sb_duration_text(sb_clock_seconds() - attempt->started, elapsed);
        add(p, "since %s\n", elapsed);
        return;
    }
    add_bar(p, width.bar, (double)watch->update, (double)watch->total);
    add(p, "%ld", watch->update);
    if (watch->total) add(p, "/%ld", watch->total);
    add(p, "  loss %.5f", watch->loss);
    if (watch->rate > 0) add(p, watch->rate < 100 ? "  %.3g/s" : "  %.0f/s", watch->rate);
    add_left(p, sb_watch_left(watch));
    add(p, "\n");
}

void sb_live_table_draw(const sb_attempt *attempts, const sb_watch *watches, int n, sb_live_table_sum sum)
{
    page p = {.used = 0};
    const layout width = choose_layout(attempts, n);
    double done = (double)sum.done;
    int n_running = 0;
    for (int i = 0; i < n; i++) {
        if (!attempts[i].cell) continue;
        add_cell(&p, &attempts[i], &watches[i], width);
        if (watches[i].total) done += (double)watches[i].update / (double)watches[i].total;
        n_running++;
    }
    add(&p, "%-*s  ", width.name, "all");
    add_bar(&p, width.bar, done, (double)sum.total);
    add(&p, "%zu/%zu cells  %d running", sum.done, sum.total, n_running);
    if (sum.failed) add(&p, "  %zu failed", sum.failed);
    add_left(&p, sum.left);
    sb_screen_draw(p.text);
}
