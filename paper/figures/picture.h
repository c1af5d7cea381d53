/* What becomes of a picture that gnuplot drew: its colours follow the reader's scheme, light or dark; what gnuplot would
 * show by a script of its own when the pointer rests on a point is the point's title; its remarks about itself are
 * gone. */
#ifndef SB_PAPER_FIGURES_PICTURE_H
#define SB_PAPER_FIGURES_PICTURE_H

#include "core/status.h"

/* The file PATH.part that gnuplot wrote, finished; it stays PATH.part. SB_E_INTEGRITY: it has a colour that
 * sb_style_colours lacks, or words at a point that none of our scripts wrote. */
sb_status sb_picture_finish(const char *path);

#endif
