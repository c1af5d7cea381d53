/* How long cells take where nothing near them has run here: timings of collected studies (timing.csv in RESULTS/NAME
 * and RESULTS/NAME/NAME; those that ship with the package among them), scaled by how fast this machine does one small
 * window. It is a rough figure, for people: the size of a day or of an hour. RESULTS/mine is left out: it has this
 * machine's own tables.
 *
 *     sb_estimates *estimates;
 *     SB_TRY(sb_estimates_open(&estimates, "results", &host));
 *     sb_prediction p = sb_estimates_predict(estimates, cell, &scale);
 *
 * A study's timings count for the cells of the matrix file that its coverage.csv names, as that file is now. The speed
 * is that of `samebits bench --quick` compared with RESULTS/bench/bench.csv, both per frame of the published network on
 * one thread; it is measured once, by the first prediction, and kept in the cache for this CPU.
 */
#pragma once

#include "matrix/forecast/timings.h"
#include "matrix/hardware/host.h"

#include "core/status.h"

typedef struct sb_estimates sb_estimates;

/* Studies that cannot be read are done without. */
sb_status sb_estimates_open(sb_estimates **estimates, const char *results, const sb_host *host);
void sb_estimates_close(sb_estimates *estimates); /* NULL is fine */

/* basis is SB_BASIS_SHIPPED or, with negative seconds, SB_BASIS_NONE. *scale: how many times as long this machine
 * takes, applied already; 0: unknown, and not applied. */
sb_prediction sb_estimates_predict(sb_estimates *estimates, const sb_cell *cell, double *scale);
