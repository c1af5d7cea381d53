/* Where the time goes: a table of operations that times the operations of an open backend.
 *
 *     sb_profile *profile;
 *     SB_TRY(sb_profile_open(&profile, net->ops));
 *     net->ops = sb_profile_ops(profile);              the network needs no change
 *     ...
 *     const sb_profile_row *row = sb_profile_rows(profile, &n_rows);
 *
 * An operation ends with a barrier, so that the time the first thread spends in it is the time it takes. A device is
 * waited for after each operation: the times hold some microseconds of that, and a window of them no graph. Sizes and
 * allocation are handed through untimed; every row of ops/slots.h is timed.
 */
#ifndef SB_BACKEND_PROFILE_H
#define SB_BACKEND_PROFILE_H

#include "ops/ops.h"

typedef struct sb_profile sb_profile;

enum { SB_PROFILE_ROWS_MAX = 256 }; /* the last one, "others", is for all that finds no row of its own */

/* One operation on results of one shape. */
typedef struct sb_profile_row {
    const char *operation; /* the slot's name in sb_ops */
    int channels, h, w;    /* of its result; of weights: their outputs at the size of the map; 0: it has no shape */
    long calls;
    double seconds;
    double flop; /* counted as direct convolution, 0 where it is elementwise */
} sb_profile_row;

/* inner stays the caller's and must outlive the profile. */
sb_status sb_profile_open(sb_profile **profile, sb_ops *inner);
void sb_profile_close(sb_profile *profile); /* NULL is fine */

/* What to call in place of inner; the profile's. */
sb_ops *sb_profile_ops(sb_profile *profile);

/* What came together so far, in the order of the first calls; the profile's, until the next operation. */
const sb_profile_row *sb_profile_rows(const sb_profile *profile, int *n_rows);

#endif
