#include "core/screen/progress.h"

#include "core/machine/clock.h"
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

/* "train 12/100  loss 0.01234  3 min 05 s left", from how long it took until now. */
static void write_line(sb_progress *progress, double done, double now, const char *details)
{
    char *line = progress->line, total[32] = "", left[48] = "", time[32];
    double advanced = done - progress->first, rest = progress->total - done;
    if (progress->total > 0) snprintf(total, sizeof total, "/%.0f", progress->total);
    if (progress->total > 0 && advanced > 0 && rest > 0) {
        sb_duration_text((now - progress->started) * rest / advanced, time);
        snprintf(left, sizeof left, "  %s left", time);
    }
    snprintf(line, sizeof progress->line, "%s %.0f%s  %s%s", progress->what, done, total, details, left);
}

void sb_progress_show(sb_progress *progress, double done, const char *format, ...)
{
    double now = sb_clock_seconds();
    double pause = progress->terminal ? 0.1 : 10.0;
    bool last = progress->total > 0 && done >= progress->total;
    if (progress->first < 0) progress->first = done;
    if (progress->quiet || (now - progress->last < pause && !last)) return;
    progress->last = now;

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
