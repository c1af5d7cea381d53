/* The hash chain of a run, and where two chains diverge. */
#pragma once

#include "io/h5/h5.h"

#include "core/hash.h"

#include <stdbool.h>

/* The hashes of an entry, in the order in which each is computed from the previous ones. */
typedef enum sb_link_part {
    SB_LINK_BATCH,
    SB_LINK_GRADIENT,
    SB_LINK_WEIGHTS,
    SB_LINK_OPTIMIZER,
    SB_LINK_PARTS
} sb_link_part;

typedef struct sb_links { /* {0} is empty */
    size_t n;
    int64_t *update;              /* [n], ascending */
    sb_hash *hash[SB_LINK_PARTS]; /* [n] each */
    bool is_of_generations;       /* of a run without gradients: SB_LINK_GRADIENT is then the hash of the parents'
                                   * genomes */
} sb_links;

/* "gradient", or "parents" */
const char *sb_links_part_name(const sb_links *links, sb_link_part part);

/* Read /chain of an open run file. A failed call leaves nothing to free. */
sb_status sb_links_read(sb_links *links, sb_h5 *run);
void sb_links_free(sb_links *links);

/* Write /chain of an open file; at least one entry. */
sb_status sb_links_write(const sb_links *links, sb_h5 *file);

/* Set *i to the entry of an update; false: there is none. */
bool sb_links_find(const sb_links *links, int64_t update, size_t *i);

typedef struct sb_parting {
    size_t compared;   /* entries that both have, up to the first that differs */
    int64_t last;      /* update of the last compared entry */
    int64_t update;    /* update of the first entry that differs; 0: none */
    int64_t same;      /* update of the last equal entry before it; 0: none, or the initial state */
    sb_link_part part; /* the first part that differs in it */
    const char *name;  /* name of that part */
} sb_parting;

sb_parting sb_links_part(const sb_links *a, const sb_links *b);

/* The losses that a run recorded, update by update: they show a difference where its hash chain has few entries. */

enum { SB_LOSSES_TEXT = 192 };

typedef struct sb_losses { /* {0} is empty */
    size_t n;              /* number of updates */
    double *last, *mean;   /* [n]; mean NULL: the file has none */
} sb_losses;

/* Read /train of an open run file. A failed call leaves nothing to free. */
sb_status sb_losses_read(sb_losses *losses, sb_h5 *run);
void sb_losses_free(sb_losses *losses);

/* Are these the recorded losses of the update (1 .. n)? NaN equals NaN. */
bool sb_losses_hold(const sb_losses *losses, int64_t update, double last, double mean);

/* The first update that both have with different losses; 0: none. */
int64_t sb_losses_part(const sb_losses *a, const sb_losses *b);

/* The sentence about where two runs diverge. It names the update if both have the same entry for the update before;
 * else the first entry that differs and the first update whose recorded losses differ (loss_update; 0: none).
 *
 *     first difference: update 4, gradient
 *     first entry of the chain that differs: 30; recorded losses differ from update 1
 */
void sb_losses_parting_text(const sb_parting *parting, int64_t loss_update, char text[SB_LOSSES_TEXT]);

/* Is the first entry that differs known to be the first update that differs? */
static inline bool sb_parting_is_exact(const sb_parting *parting)
{
    return parting->update == parting->same + 1;
}
