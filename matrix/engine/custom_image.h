/* Images of the user's own, which studies of commands name: without its image a study would be another one. */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/engine/container.h"

#include <stdio.h>

/* The engine of that name ("auto": the first) that has the images of these commands, told on talk; NULL stays where none
 * names an image. SB_E_USAGE: "none", and one does. SB_E_MISSING: an image or the engine is not here. */
sb_status sb_custom_image_choose(const sb_container **chosen, const char *name, const sb_cell *const *cells, size_t n,
                                 FILE *talk);
