/* The losses that a run recorded, update by update: they show a difference where its hash chain has few entries. */
#pragma once

#include "inspect/links.h"
#include "io/h5/h5.h"

#include <stdbool.h>

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
