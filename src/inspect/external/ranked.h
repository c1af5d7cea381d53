/* Recordings of processes that trained together: a folder with one file for each rank, NAME.r0.h5, NAME.r1.h5, ... */
#pragma once

#include "inspect/external/recorded.h"

typedef struct sb_ranked_diff {
    sb_text_list path[2]; /* by rank */
    size_t n;             /* ranks */
    size_t rank;          /* the rank of the first difference; the last rank if none differs */
    sb_recorded_diff of;  /* of that rank; its paths are in `path` */
} sb_ranked_diff;

bool sb_ranked_is(const char *path); /* a folder */

/* Before two paths are opened: SB_E_USAGE if one of them is neither a file nor a folder, so that an absent file is not
 * called one of another kind. */
sb_status sb_ranked_check(const char *path_a, const char *path_b);

/* The caller frees d, also after a failure. SB_E_USAGE: a rank is missing or twice in a folder, or the numbers of ranks
 * differ. */
sb_status sb_ranked_compare(sb_ranked_diff *d, const char *folder_a, const char *folder_b);
void sb_ranked_free(sb_ranked_diff *d);
