/* Do two trainings differ by more than rounding carries? At each mark the distance of two traces, over the distance of
 * the first one to traces of it that began with every weight moved by one rounding; all from sketches. */
#ifndef SB_INSPECT_CARRIED_H
#define SB_INSPECT_CARRIED_H

#include "record/traced.h"

#include <stdio.h>

enum { SB_CARRIED_MOST = 100 }; /* above it is more than rounding carries */

typedef struct sb_carried {
    size_t marks;     /* compared tensors of marks */
    bool is_more;     /* one is above SB_CARRIED_MOST; `ratio` is of the first */
    double ratio;     /* else the largest; INFINITY: rounding changes nothing there */
    double before;    /* the largest before the first above it */
    int64_t tensor;   /* of the first trace; -1: none */
} sb_carried;

/* SB_E_USAGE: a trace without sketches, or of another update. */
sb_status sb_carried_compare(const sb_traced_update *a, const sb_traced_update *b, const sb_traced_update *nudged, size_t n,
                             sb_carried *carried);

void sb_carried_print(const sb_carried *carried, const sb_traced_update *a, size_t n, FILE *out);

#endif
