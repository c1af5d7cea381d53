/* The distances of the weights of two cells over the updates, from the sketches in their run files.
 *
 * A cell b is compared with a cell a before it that learned from the same data in the same order, with the same options
 * and from the same initial weights, and differs from it in one of three things alone: its target, its setting
 * (backend, arithmetic, hardware, kernel type, threads) or its ulp. For each of the three it is one a: the first such
 * cell of its own study, or, if there is none, of all. */
#ifndef SB_MATRIX_COLLECT_DISTANCES_H
#define SB_MATRIX_COLLECT_DISTANCES_H

#include "matrix/collect/complete.h"
#include "matrix/store/look.h"

#include "core/status.h"
#include "core/text/writer.h"

enum { SB_DISTANCE_ROWS = 60 }; /* at most, of one pair; of more the first, the last, and those evenly between */

/* distances.csv (results/README.md), pairs in the order of b. Pairs of which one run is not here are copied from the
 * tables collected elsewhere. */
sb_status sb_distances_write(sb_writer *csv, const sb_complete *complete, const sb_looker *looker);

#endif
