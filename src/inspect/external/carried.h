/* Do two trainings differ by more than the effect of one rounding? At each mark: the distance of traces a and b,
 * divided by the distance of a from traces of the same run whose initial weights were all moved by one rounding.
 * Distances are computed from sketches. */
#pragma once

#include "record/traced.h"

#include <stdio.h>

enum { SB_CARRIED_MOST = 100 }; /* a larger ratio is more than the effect of rounding */

typedef struct sb_carried {
    size_t marks;     /* number of compared tensors of marks */
    bool is_more;     /* a ratio is above SB_CARRIED_MOST; `ratio` is the first of these */
    double ratio;     /* else the largest; INFINITY: the rounding changed nothing there */
    double before;    /* the largest before the first ratio above SB_CARRIED_MOST */
    int64_t tensor;   /* of trace a, for `ratio`; -1: none */
} sb_carried;

/* SB_E_USAGE: a trace without sketches, or of another update. */
sb_status sb_carried_compare(const sb_traced_update *a, const sb_traced_update *b, const sb_traced_update *nudged, size_t n,
                             sb_carried *carried);

void sb_carried_print(const sb_carried *carried, const sb_traced_update *a, size_t n, FILE *out);
