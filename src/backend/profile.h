/* A profile: a table of operations that measures the time of each operation of an open backend.
 *
 *     sb_profile *profile;
 *     SB_TRY(sb_profile_open(&profile, net->ops));
 *     net->ops = sb_profile_ops(profile);              the network needs no change
 *     ...
 *     const sb_profile_row *row = sb_profile_rows(profile, &n_rows);
 *
 * An operation ends with a barrier, so the first thread's time is the operation's time. On a device the profile waits
 * after each operation. This adds some microseconds to each time, and no graphs are used. All rows of ops/slots.h are
 * timed; functions for sizes and allocation are not.
 */
#pragma once

#include "ops/ops.h"

typedef struct sb_profile sb_profile;

enum { SB_PROFILE_ROWS_MAX = 256 }; /* the last row, "others", counts all operations without a row */

/* One operation on results of one shape. */
typedef struct sb_profile_row {
    const char *operation; /* the slot's name in sb_ops */
    int channels, h, w;    /* of the result; of a gradient of weights: output channels and size of the map; 0: no
                            * shape */
    long calls;
    double seconds;
    double flop; /* counted as for direct convolution; 0: an elementwise operation */
} sb_profile_row;

/* inner stays the caller's and must outlive the profile. */
sb_status sb_profile_open(sb_profile **profile, sb_ops *inner);
void sb_profile_close(sb_profile *profile); /* NULL does nothing */

/* The table to use instead of inner; the profile owns it. */
sb_ops *sb_profile_ops(sb_profile *profile);

/* The rows so far, in the order of the first calls. The profile owns them; they are valid until the next operation. */
const sb_profile_row *sb_profile_rows(const sb_profile *profile, int *n_rows);
