/* What becomes of a picture that gnuplot drew, and of the data in its script:
 *
 *   SVG   colours follow the reader's scheme, light or dark; what gnuplot would show by a script of its own when the
 *         pointer rests on a point is the point's title; its remarks about itself are gone
 *   csv   every list of the script as rows of one table, for those who want to draw it otherwise
 */
#ifndef SB_PAPER_FIGURES_PICTURE_H
#define SB_PAPER_FIGURES_PICTURE_H

#include "core/status.h"

/* The file PATH.part that gnuplot wrote, finished; it stays PATH.part. SB_E_INTEGRITY: it has a colour that
 * sb_style_colours lacks, or words at a point that none of our scripts wrote. */
sb_status sb_picture_finish(const char *path);

/* The lists of a script as csv, from malloc; *csv NULL: it has none. A list is written as
 *
 *     # columns ratio _place seed tip
 *     $measured << END
 *     1.83 -0.68 3 "seed 3, ..."
 *     END
 *
 * and gives rows of list,ratio,seed,tip,...: all columns of all lists, each once, but those that begin with '_', which
 * are places on the canvas. SB_E_INTEGRITY: a list without the names of its columns, or a row of another length. */
sb_status sb_picture_csv(const char *name, const char *script, char **csv);

#endif
