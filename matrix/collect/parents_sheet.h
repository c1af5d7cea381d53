/* parents.csv: of runs of Deep GA the individuals that were chosen as parents, generation by generation, and whose
 * mutations they were themselves. Written where generations.csv is. Of a run of more than SB_FAMILY_GENERATIONS
 * generations it has the last ones. */
#ifndef SB_MATRIX_COLLECT_PARENTS_SHEET_H
#define SB_MATRIX_COLLECT_PARENTS_SHEET_H

#include "core/text/writer.h"
#include "io/h5/h5.h"

enum { SB_FAMILY_GENERATIONS = 100 };

/* The rows of a run, named by its cell's hash; of one that has no parents none. */
sb_status sb_parents_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file);

#endif
