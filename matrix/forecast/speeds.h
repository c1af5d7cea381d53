/* What finished runs took, and what that lets us expect of others.
 *
 *     sb_speeds *speeds;
 *     SB_TRY(sb_speeds_open(&speeds, host.cpu));
 *     sb_speeds_add(speeds, cell, &stamp);               for each finished run
 *     sb_prediction p = sb_speeds_predict(speeds, other);
 *
 * A prediction is seconds per update of the nearest finished runs times the updates to do. Nothing is known about
 * machines that never ran: then it says so.
 */
#ifndef SB_MATRIX_FORECAST_SPEEDS_H
#define SB_MATRIX_FORECAST_SPEEDS_H

#include "matrix/cells/cells.h"
#include "matrix/store/stamp.h"

#include "core/status.h"

#include <stddef.h>

typedef struct sb_speeds sb_speeds;

typedef enum sb_basis {
    SB_BASIS_NONE, /* no finished run is near: seconds and n_bytes are negative */
    SB_BASIS_SAME, /* runs with all factors the same but target, seed, ulp and the number of updates; on this CPU */
    SB_BASIS_ELSEWHERE, /* the same, but made on another CPU */
    SB_BASIS_NEAR,      /* the same network on the same data, but another backend, hardware, number of threads, ... */
    SB_BASIS_SHIPPED,   /* timings of another machine, scaled: rough.h */
} sb_basis;

typedef struct sb_prediction {
    sb_basis basis;
    double seconds, n_bytes; /* of a whole run */
    size_t n_runs;           /* it rests on */
    const sb_cell *from;     /* one of them */
} sb_prediction;

/* cpu: the model name of this machine. */
sb_status sb_speeds_open(sb_speeds **speeds, const char *cpu);

/* The same, for runs on any data: a video counts by the size of its frames alone. */
sb_status sb_speeds_open_any_data(sb_speeds **speeds);
void sb_speeds_close(sb_speeds *speeds); /* NULL is fine */

/* The cell must outlive the speeds. */
sb_status sb_speeds_add(sb_speeds *speeds, const sb_cell *cell, const sb_stamp *stamp);

/* Ask as often as you like; the first time after an add sorts. */
sb_prediction sb_speeds_predict(sb_speeds *speeds, const sb_cell *cell);

#endif
