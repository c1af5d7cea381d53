/* Which entries of a command list must wait for which: all that a device must know to run a list's entries in another
 * order, or at the same time, with the same bits.
 *
 * Entry i waits for an earlier entry j if one of them writes bytes that the other reads or writes
 * (ops/kernels/ranges.h). An edge that follows from other edges is left out, so each edge is the only path from j to i.
 *
 *     sb_dependences order;
 *     if (!sb_dependences_of(&order, &list)) ...
 *     for (int k = order.first[i]; k < order.first[i + 1]; k++) ... order.before[k] must end before i begins
 *     sb_dependences_free(&order);
 */
#pragma once

#include "backend/command_list.h"

typedef struct sb_dependences {
    int n;       /* entries */
    int *first;  /* [n + 1]: entry i waits for before[first[i]], ..., before[first[i + 1] - 1] */
    int *before; /* [first[n]], descending for each entry */
} sb_dependences;

/* The dependences of a list. False: not enough memory, and nothing to free. Takes n^2 / 8 bytes while it runs. */
bool sb_dependences_of(sb_dependences *order, const sb_command_list *list);

/* slack [n]: by how many entries the longest path through entry i is shorter than the longest path of all; 0 on the
 * longest path. An entry with little slack delays the end of the list if it has to wait. All entries count the same,
 * whatever their time. Returns the entries of the longest path; -1: not enough memory. */
int sb_dependences_slack(const sb_dependences *order, int *slack);

void sb_dependences_free(sb_dependences *order);
