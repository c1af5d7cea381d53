/* What state a cell is in on this machine: what its files say (store.h), and whether its data can be had.
 *
 *     sb_looker looker = {.results = "results", .data = "cache/data", .stamps = sb_stamps_open("results")};
 *     sb_look(&look, &looker, cell, SB_TRUST_STAMP);
 */
#ifndef SB_MATRIX_STORE_LOOK_H
#define SB_MATRIX_STORE_LOOK_H

#include "matrix/store/store.h"

#include <stdbool.h>

typedef struct sb_looker {
    const char *results, *data;  /* folders: of the runs, of the data sets */
    const char *mirror;          /* of the data sets' sources; NULL: none */
    sb_stamps *stamps;           /* the caller's; NULL: stamps are read one by one */
    const sb_data_source *asked; /* the data set asked for last, NULL at the beginning, and the answer: */
    bool lacks;
    char why[SB_WHY];
} sb_looker;

/* A cell that was not run, or whose run is stale, lacks its data where a person has to bring something first. */
void sb_look(sb_store_look *look, sb_looker *looker, const sb_cell *cell, sb_store_trust trust);

#endif
