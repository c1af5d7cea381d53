/* The order in which a reader is told of the studies: the network of the published size first, PredNet before other
 * networks, studies with pairs before those without, then the larger network and the longer training. */
#ifndef SB_PAPER_RESULTS_RANK_H
#define SB_PAPER_RESULTS_RANK_H

#include "core/status.h"
#include "paper/results/arms.h"

#include <stddef.h>

typedef struct sb_ranking { /* {0} holds none */
    size_t n;
    const sb_group **group; /* the most important first */
} sb_ranking;

/* arms must outlive the ranking. SB_E_MEMORY is the only failure, and leaves nothing to free. */
sb_status sb_ranking_of(sb_ranking *ranking, const sb_arms *arms);
void sb_ranking_free(sb_ranking *ranking);

#endif
