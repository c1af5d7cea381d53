/* One line that keeps telling how far long work is: rewritten in place on a terminal, a plain line now and then
 * elsewhere. Writes to stderr.
 *
 *     sb_progress progress = sb_progress_begin("train", n_updates);
 *     for (...) sb_progress_show(&progress, update, "loss %.5f  %.1f frames/s", loss, rate);
 *     sb_progress_end(&progress);
 */
#pragma once

#include <stdbool.h>

enum { SB_PROGRESS_LINE = 400 };

typedef struct sb_progress {
    const char *what;
    double total;   /* in whatever unit `done` counts; 0: unknown */
    double started; /* seconds, sb_clock_seconds */
    double first;   /* `done` when the work began (a resumed run does not begin at 0) */
    double last;    /* when a line was last written */
    bool is_full;   /* done was the total or more when it was */
    bool terminal;  /* stderr is one */
    bool quiet;     /* nothing is written (option --quiet) */
    bool line_open; /* a line stands on the terminal, which goes when something else is printed (screen.h) */
    char line[SB_PROGRESS_LINE]; /* the last one */
} sb_progress;

sb_progress sb_progress_begin(const char *what, double total);

/* Show `done` of the total, the formatted details with two blanks between them, and the time left. Where a terminal has
 * no room for all, whole details leave: first the rate (one that ends in "/s"), then from the last to the first. May be
 * called as often as one likes: it writes ten times a second on a terminal and every ten seconds elsewhere. */
void sb_progress_show(sb_progress *progress, double done, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Leave the last line standing. */
void sb_progress_end(sb_progress *progress);
