#include "core/screen/progress.h"

#include "core/machine/clock.h"
#include "core/screen/fields.h"
#include "core/screen/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sb_progress sb_progress_begin(const char *what, double total)
{
    return (sb_progress){
        .what = what,
        .total = total,
        .started = sb_clock_seconds(),
        .first = -1,
        .terminal = sb_screen_is_terminal(),
    };
}

/* Each detail stands between two blanks. The first is the most important; a rate, which ends in "/s", the least. */
static void add_details(sb_fields *line, const char *details)
{
    int rank = 1;
    for (const char *at = details, *end; *at; at = end + strspn(end, " ")) {
        end = strstr(at, "  ");
        if (!end) end = at + strlen(at);
        const bool is_rate = end - at > 2 && memcmp(end - 2, "/s", 2) == 0;
        sb_fields_add(line, is_rate ? SB_FIELDS : rank++, "%.*s", (int)(end - at), at);
    }
}

/* "train 12/100  loss 0.01234  3 min 05 s left", from how long it took until now. A narrow terminal has fewer details,
 * a very narrow one no name of the work, and every one the time left. */
static void write_line(sb_progress *progress, double done, double now, const char *details)
{
    char count[64], time[32];
    int columns = 0, rows;
    double advanced = done - progress->first, rest = progress->total - done;
    sb_fields line = {0};
    if (progress->terminal) sb_screen_size(&columns, &rows);
    if (columns > 1) columns--; /* a full last column would break some terminals' lines */
    snprintf(count, sizeof count, progress->total > 0 ? "%.0f/%.0f" : "%.0f", done, progress->total);
    sb_fields_add(&line, SB_FIELD_STAYS, "%s %s", progress->what, count);
    add_details(&line, details);
    if (progress->total > 0 && advanced > 0 && rest > 0) {
        sb_duration_text((now - progress->started) * rest / advanced, time);
        sb_fields_add(&line, SB_FIELD_STAYS, "%s left", time);
    }
    if (columns && sb_fields_least(&line) > columns) snprintf(line.field[0].text, SB_FIELD_TEXT, "%s", count);
    if (columns && sb_fields_least(&line) > columns) line.field[0].leaves = 1;
    sb_fields_write(&line, columns, progress->line, sizeof progress->line);
}

void sb_progress_show(sb_progress *progress, double done, const char *format, ...)
{
    double now = sb_clock_seconds();
    double pause = progress->terminal ? 0.1 : 10.0;
    const bool is_full = progress->total > 0 && done >= progress->total;
    const bool last = is_full && !progress->is_full; /* a total that was too small makes no line of every step */
    if (progress->first < 0) progress->first = done;
    if (progress->quiet || (now - progress->last < pause && !last)) return;
    progress->last = now;
    progress->is_full = is_full;

    char details[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(details, sizeof details, format, arguments);
    va_end(arguments);
    write_line(progress, done, now, details);
    if (progress->terminal)
        sb_screen_draw(progress->line);
    else
        fprintf(stderr, "%s\n", progress->line);
    progress->line_open = progress->terminal;
}

void sb_progress_end(sb_progress *progress)
{
    if (progress->line_open) fprintf(stderr, "%s\n", progress->line); /* in place of the drawn one */
    progress->line_open = false;
}
