/* Which values of an axis get a label: round ones, as many as fit next to each other at the size in which the picture
 * is drawn, and none that would be cut at an end. */
#ifndef SB_PAPER_FIGURES_AXIS_H
#define SB_PAPER_FIGURES_AXIS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
