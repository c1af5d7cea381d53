#define _POSIX_C_SOURCE 200809L
#include "core/progress.h"

#include "core/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

sb_progress sb_progress_begin(const char *what, double total)
{
    const char *term = getenv("TERM");
    return (sb_progress){
        .what = what,
        .total = total,
        .started = sb_clock_seconds(),
        .first = -1,
        .terminal = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0),
    };
}

void sb_progress_show(sb_progress *progress, double done, const char *format, ...)
{
    double now = sb_clock_seconds();
    double pause = progress->terminal ? 0.1 : 10.0;
    bool last = progress->total > 0 && done >= progress->total;
    if (progress->first < 0) progress->first = done;
    if (progress->quiet || (now - progress->last < pause && !last)) return;
    progress->last = now;

    char details[256], left[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(details, sizeof details, format, arguments);
    va_end(arguments);
    double advanced = done - progress->first;
    if (progress->total > 0 && advanced > 0)
        sb_duration_text((now - progress->started) * (progress->total - done) / advanced, left);

    fprintf(stderr, "%s%s %.0f", progress->terminal ? "\r\033[K" : "", progress->what, done);
    if (progress->total > 0) fprintf(stderr, "/%.0f", progress->total);
    fprintf(stderr, "  %s", details);
    if (*left && !last) fprintf(stderr, "  %s left", left);
    if (!progress->terminal) fputc('\n', stderr);
    fflush(stderr);
    progress->line_open = progress->terminal;
}

void sb_progress_end(sb_progress *progress)
{
    if (progress->line_open) fputc('\n', stderr);
    progress->line_open = false;
}
