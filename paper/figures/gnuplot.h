/* A figure drawn by gnuplot, the only file that runs it. The script is kept next to the picture and holds its data, so
 * that anybody can draw the figure again:
 *
 *     sb_plot plot;
 *     SB_TRY(sb_plot_begin(&plot, folder, "effect-prednet-walk", &layout));
 *     sb_style_panel(plot.script, ...); sb_write(plot.script, ...);
 *     return sb_plot_end(&plot, SB_OK);                      NAME.gp, NAME.svg, NAME-narrow.svg
 *
 * What becomes of gnuplot's picture, picture.h says.
 */
#ifndef SB_PAPER_FIGURES_GNUPLOT_H
#define SB_PAPER_FIGURES_GNUPLOT_H

#include "core/file.h"
#include "core/status.h"
#include "paper/figures/style.h"

typedef struct sb_plot {
    sb_writer *script; /* what is written here becomes NAME.gp */
    char folder[SB_PATH_MAX], name[128];
} sb_plot;

/* Begin the script with the head that style.h gives it. A failed call leaves nothing to end. */
sb_status sb_plot_begin(sb_plot *plot, const char *folder, const char *name, const sb_layout *layout);

/* With SB_OK: write the script and its data, draw both pictures. SB_E_MISSING: gnuplot is not installed. Otherwise pass
 * the status on. Frees the plot either way; no half-drawn picture stays. */
sb_status sb_plot_end(sb_plot *plot, sb_status status);

#endif
