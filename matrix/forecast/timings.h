/* What finished runs took, and what that lets us expect of others.
 *
 *     sb_timings *timings;
 *     SB_TRY(sb_timings_open(&timings, host.cpu));
 *     sb_timings_add(timings, cell, &stamp);               for each finished run
 *     sb_prediction p = sb_timings_predict(timings, other);
 *
 * A prediction is seconds per update of the nearest finished runs times the updates to do. Nothing is known about
 * machines that never ran: then it says so.
 */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/store/stamps.h"

#include "core/status.h"

#include <stddef.h>

typedef struct sb_timings sb_timings;

typedef enum sb_basis {
    SB_BASIS_NONE, /* no finished run is near: seconds and n_bytes are negative */
    SB_BASIS_SAME, /* runs with all settings the same but target, seed, ulp and the number of updates; on this CPU */
    SB_BASIS_ELSEWHERE, /* the same, but made on another CPU */
    SB_BASIS_NEAR,      /* the same network on the same data, but another backend, hardware, number of threads, ... */
} sb_basis;

typedef struct sb_prediction {
    sb_basis basis;
    double seconds, n_bytes; /* of a whole run */
    size_t n_runs;           /* it rests on */
    const sb_cell *from;     /* one of them */
} sb_prediction;

/* cpu: the model name of this machine. */
sb_status sb_timings_open(sb_timings **timings, const char *cpu);

void sb_timings_close(sb_timings *timings); /* NULL is fine */

/* The cell must outlive the timings. */
sb_status sb_timings_add(sb_timings *timings, const sb_cell *cell, const sb_stamp *stamp);

/* Ask as often as you like; the first time after an add sorts. */
sb_prediction sb_timings_predict(sb_timings *timings, const sb_cell *cell);
