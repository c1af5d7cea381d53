/* The order in which a reader is told of the studies, the most important first. Of two of them that one goes first
 *
 *   whose network has the published size; that is a PredNet; that has pairs of both targets; whose network is larger;
 *   whose training is longer; whose runs rest on stronger evidence (measured before emulated before imitated);
 *   whose windows are as long as the published ones, 20 frames; that has more pairs; whose name comes first.
 *
 * So among studies of one network and length the one that is most like the published one speaks, not one that varies it
 * (windows of another length, a rule of arithmetic, a video by itself with fewer starts). */
#ifndef SB_PAPER_EFFECTS_RANK_H
#define SB_PAPER_EFFECTS_RANK_H

#include "core/status.h"
#include "paper/effects/arms.h"

#include <stddef.h>

typedef struct sb_ranking { /* {0} holds none */
    size_t n;
    const sb_group **group; /* the most important first */
} sb_ranking;

/* Below 0: a goes first. */
int sb_rank_compare(const sb_group *a, const sb_group *b);

/* arms must outlive the ranking. SB_E_MEMORY is the only failure, and leaves nothing to free. */
sb_status sb_ranking_of(sb_ranking *ranking, const sb_arms *arms);
void sb_ranking_free(sb_ranking *ranking);

#endif
